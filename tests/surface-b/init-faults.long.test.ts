// The operations, steps and refusals that init-faults.test.ts leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { assertProof } from '../support/checks.ts';
import { assertGoesOn, contractsAfterDoubt, openProject, runJob, SETTING_UP } from './init-fault-checks.ts';
import { HURRIED, openSharedPeople, type PeopleFixture, refused } from './people-fixture.ts';

const projectStatus = async ({ done }: PeopleFixture, token: string): Promise<string> =>
  (await done('GET /projects', { token })).projects[0].status;

test('504 when the outcome of fund is unknown; the same request again gets the one escrow, and a third gets 400', async (t) => {
  assert.equal(await contractsAfterDoubt(t, 'fund'), 1);
});

test('a server that stops before reserve-order leaves a claim that expires; then the same request continues', async (t) => {
  await assertGoesOn(t, 'reserve-order');
});

test('a server that stops before create-escrow leaves a claim that expires; then the same request continues', async (t) => {
  await assertGoesOn(t, 'create-escrow');
});

test('a job cancels an escrow that is refused after a 504', async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true, env: HURRIED });
  const { buyer, init, orders } = await openProject(fixture);
  await fixture.fault('fund', 'timeout');
  await fixture.fault('fund', 'refusal', { count: 5 });
  assert.deepEqual(refused(await init()), SETTING_UP);
  await until(async () => (await orders())[0].status === 'FUNDS_RESERVED', 'funding was refused behind the answer');
  await runJob(fixture);
  await until(async () => (await orders())[0].finalStatus === 'CANCELED', 'the job has called it off');
  assert.deepEqual(await fixture.balance(buyer), [1000, 0]);
  await assertProof(fixture.app);
});

test('after its order is canceled on Surface A, a project can have a new escrow', async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true, env: HURRIED });
  const { buyer, init, orders } = await openProject(fixture);
  await fixture.fault('fund', 'timeout');
  await fixture.fault('fund', 'refusal', { count: 5 });
  assert.deepEqual(refused(await init()), SETTING_UP);
  await until(async () => (await orders())[0].status === 'FUNDS_RESERVED', 'funding was refused behind the answer');
  const [{ id }] = await orders();
  assert.equal((await fixture.app.call(`POST /orders/${id}/cancel`)).status, 201);
  await fixture.simulator('DELETE /faults');
  assert.equal((await init()).status, 200);
  assert.deepEqual(await fixture.balance(buyer), [900, 100]);
  await assertProof(fixture.app);
});

test('a job finishes an escrow without a second request, and the next request gets its result once', async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true, env: HURRIED });
  const { buyer, init, orders } = await openProject(fixture);
  await fixture.fault('deploy', 'timeout', { count: 2 });
  assert.deepEqual(refused(await init()), SETTING_UP);
  const isWaiting = async () => {
    const [order] = await orders();
    return order.status === 'ESCROW_FUNDING' && order.operationId === null;
  };
  await until(isWaiting, 'the contract is deployed behind the answer');
  assert.equal(await projectStatus(fixture, buyer.token), 'open');
  await runJob(fixture);
  await until(async () => (await projectStatus(fixture, buyer.token)) === 'in_progress', 'the job has funded it');
  assert.equal((await init()).body.data.status, 'funded');
  assert.equal(refused(await init()).status, 400);
  await assertProof(fixture.app);
});
