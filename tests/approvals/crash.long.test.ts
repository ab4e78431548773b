// The server is killed before and after each persisted step of an approved request. The next server gets no information about the kill: the
// request has its effect once, and the approval ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY } from '../../tools/processes/server-process.ts';
import { until } from '../../tools/until.ts';
import type { Point } from '../crash/gate.ts';
import { type Environment, openEnvironment, type Place } from '../crash/order-environment.ts';

const TIMEOUT_MS = 600_000;

type Opened = { readonly environment: Environment; readonly place: Place; readonly approver: string };

const open = async (environment: Environment): Promise<Opened> => {
  const place = await environment.makePlace();
  const body = { name: 'approver', scopes: ['*'], marketplaceId: place.marketplaceId };
  const { key: approver } = await environment.expect('POST /auth/api-keys', { key: MASTER_KEY, body });
  const rules = [{ action: 'balance.credit', amountFrom: '7.00' }, { action: 'order.release' }];
  await environment.expect('PUT /approval-rules', { key: place.key, body: rules });
  return { environment, place, approver };
};

const statusOf = async ({ environment, place }: Opened, id: string): Promise<string> =>
  (await environment.expect(`GET /approvals/${id}`, { key: place.key })).status;

const held = async ({ environment, place }: Opened, request: string, body: object): Promise<string> =>
  (await environment.expect(request, { key: place.key, body })).approval.id;

/** Stops the approval at the point, kills the server, and lets another one end it. */
const killAt = async (opened: Opened, { id, point }: { id: string; point: Point }): Promise<void> => {
  const { environment, place, approver } = opened;
  const turn = environment.gate.begin(place.marketplaceId, point);
  const asked = environment.ask(`POST /approvals/${id}/approve`, { key: approver });
  await Promise.race([turn.stopped, asked.then((answer) => assert.fail(`not stopped: ${answer?.text}`))]);
  environment.gate.end();
  await environment.kill();
  assert.equal(await asked, null);
  await environment.start();
  // Before the first commit nothing was decided.
  if ((await statusOf(opened, id)) === 'PENDING') {
    assert.deepEqual(point, { at: 0, when: 'before' });
    await environment.expect(`POST /approvals/${id}/approve`, { key: approver });
  }
  await until(async () => (await statusOf(opened, id)) === 'APPROVED', 'the next server has ended it');
};

/** The steps of an approval that no kill stops. */
const stepsOf = async ({ environment, place, approver }: Opened, id: string): Promise<string[]> => {
  const turn = environment.gate.begin(place.marketplaceId, null);
  await environment.expect(`POST /approvals/${id}/approve`, { key: approver });
  environment.gate.end();
  return [...turn.seen];
};

test('kill -9 at each step of an approved credit: the money is there once', { timeout: TIMEOUT_MS }, async (t) => {
  const environment = await openEnvironment(t);
  await environment.start();
  const opened = await open(environment);
  const { place } = opened;
  await environment.untilRest([place]);
  const credit = () => held(opened, `POST /users/${place.buyer}/balance/credit`, { amount: '7.00' });
  const steps = await stepsOf(opened, await credit());
  assert.deepEqual(steps, ['commit APPROVAL_GRANTED', 'commit BALANCE_CREDITED APPROVAL_CARRIED_OUT']);
  const points: Point[] = [0, 1].flatMap((at) => [
    { at, when: 'before' },
    { at, when: 'after' },
  ]);
  let credited = 7;
  for (const point of points) {
    await killAt(opened, { id: await credit(), point });
    credited += 7;
    const { available } = await environment.expect(`GET /users/${place.buyer}/balance`, { key: place.key });
    assert.equal(available, `${credited}.00`, JSON.stringify(point));
  }
  assert.equal((await environment.expect('GET /audit/proof', { key: place.key })).holds, true);
});

test('kill -9 at each step of the approval of a release: the seller is paid once', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const environment = await openEnvironment(t);
  await environment.start();
  const opened = await open(environment);
  const { place } = opened;
  const { key } = place;
  await environment.untilRest([place]);
  await environment.fillTreasuries([place]);
  await environment.stop();
  await environment.start();
  await environment.untilFilled([place]);
  for (let time = 0; time < 20; time++) {
    await environment.expect(`POST /users/${place.buyer}/balance/credit`, { key, body: { amount: '6.99' } });
  }
  const release = async (): Promise<{ id: string; orderId: string }> => {
    const body = { buyerId: place.buyer, sellerId: place.seller, amount: '10.00' };
    const { id: orderId } = await environment.expect('POST /orders', { key, body });
    for (const step of ['reserve', 'escrow', 'escrow/fund'])
      await environment.expect(`POST /orders/${orderId}/${step}`, { key });
    return { id: await held(opened, `POST /orders/${orderId}/resolution/release`, {}), orderId };
  };
  const steps = await stepsOf(opened, (await release()).id);
  const placeOf = (action: string): number => steps.findIndex((step) => step.includes(action));
  const begun = placeOf('APPROVAL_BEGUN');
  const ended = placeOf('APPROVAL_CARRIED_OUT');
  assert.equal(steps[begun], 'commit RELEASE_REQUESTED APPROVAL_BEGUN');
  assert.ok(begun > 0 && ended > begun, steps.join());
  const points: Point[] = [
    { at: 0, when: 'after' },
    { at: begun, when: 'before' },
    { at: begun, when: 'after' },
  ];
  for (const [round, point] of points.entries()) {
    const { id, orderId } = await release();
    await killAt(opened, { id, point });
    const { status, finalStatus } = await environment.expect(`GET /orders/${orderId}`, { key });
    assert.deepEqual([status, finalStatus], ['CLOSED', 'RELEASED']);
    const { available } = await environment.expect(`GET /users/${place.seller}/balance`, { key });
    assert.equal(available, `${((round + 2) * 9.5).toFixed(2)}`, JSON.stringify(point));
  }
  await environment.untilRest([place]);
  assert.equal((await environment.expect('GET /audit/proof', { key })).holds, true);
});
