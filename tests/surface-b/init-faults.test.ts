// What becomes of a project's escrow when the outside systems refuse, do not answer, or the server stops half way: it is
// called off with the money back, or it is finished; it is never stuck.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PgBoss } from 'pg-boss';
import type { Submit } from '../../server/src/commands/command.ts';
import { DEFAULT_FEE_BPS } from '../../server/src/domain/fees.ts';
import { createProjectEscrows } from '../../server/src/operations/project-escrow.ts';
import { createOrderReads } from '../../server/src/store/reads/orders.ts';
import { createProjectReads } from '../../server/src/store/reads/surface-b-projects.ts';
import { until } from '../committer/bend.ts';
import { openStand, usd } from '../committer/stand.ts';
import { type Any, openPeople, type PeopleStand, refused } from './people-stand.ts';

const SETTING_UP = { status: 504, message: 'The escrow is being set up. Ask again shortly' };

const openShop = async (stand: PeopleStand) => {
  const [buyer, seller] = [await stand.person('1000.00'), await stand.person()];
  const { id: projectId } = await stand.project(buyer);
  const body = stand.initBody(projectId, seller.id);
  return {
    buyer,
    seller,
    projectId,
    body,
    init: (more: object = {}) => stand.call('POST /escrow/init', { body: { ...body, ...more } }),
  };
};

const ordersIn = ({ app }: PeopleStand): Promise<Any[]> =>
  app.sql('select status, final_status as "finalStatus", operation_id as "operationId" from orders order by id');

const assertProof = async ({ app }: PeopleStand): Promise<void> => {
  const { holds, checks } = (await app.call('GET /audit/proof')).body.data;
  assert.equal(holds, true, JSON.stringify(checks));
};

const projectStatus = async ({ done }: PeopleStand, token: string): Promise<string> =>
  (await done('GET /projects', { token })).projects[0].status;

for (const [operation, status, message] of [
  ['deploy', 500, /was refused/],
  ['fund', 400, /^The escrow could not be funded. Nothing left the balance$/],
] as const) {
  test(`${status} when the provider refuses to ${operation}: the order is canceled, the money is back, and the next try works`, async (t) => {
    const stand = await openPeople(t, { sandbox: true });
    const { buyer, init } = await openShop(stand);
    await stand.fault(operation, 'refusal');
    const found = refused(await init());
    assert.equal(found.status, status);
    assert.match(found.message, message);
    assert.deepEqual(await stand.balance(buyer), [1000, 0]);
    assert.equal(await projectStatus(stand, buyer.token), 'open');
    const [order] = await ordersIn(stand);
    assert.deepEqual([order.status, order.finalStatus], ['CLOSED', 'CANCELED']);
    const answer = await init({ amount: 70 });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await stand.balance(buyer), [930, 70]);
    await assertProof(stand);
  });

  test(`504 when nobody knows what became of ${operation}; the same request again gets the one escrow, and a third hears of it`, async (t) => {
    const stand = await openPeople(t, { sandbox: true, env: { PROVIDER_TIMEOUT_MS: '1000' } });
    const { buyer, init, seller } = await openShop(stand);
    await stand.fault(operation, 'timeout', { count: 2 });
    assert.deepEqual(refused(await init()), SETTING_UP);
    assert.deepEqual(await stand.balance(buyer), [900, 100]);
    // Other terms are no repeat.
    assert.deepEqual(refused(await init({ amount: 99 })), {
      status: 400,
      message: 'The project already has an escrow',
    });
    let answer = await init();
    await until(async () => {
      if (answer.status === 200) return true;
      assert.deepEqual(refused(answer), SETTING_UP);
      answer = await init();
      return answer.status === 200;
    }, 'the escrow is funded');
    assert.deepEqual([answer.body.data.status, answer.body.data.seller_id], ['funded', seller.id]);
    assert.deepEqual(refused(await init()), { status: 400, message: 'The project already has an escrow' });
    assert.deepEqual(await stand.balance(buyer), [900, 100]);
    assert.equal((await ordersIn(stand)).length, 1);
    assert.equal((await stand.twin('GET /state')).contracts.length, 1);
    await assertProof(stand);
  });
}

/** Runs the job now, as the clock would at the next minute. */
const runJob = async ({ app }: PeopleStand): Promise<void> => {
  const boss = new PgBoss({ ...(app.connection as object), schema: 'pgboss', supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.send('finish-project-escrows');
  await boss.stop({ graceful: false });
};

test('an escrow that nobody asks about again is finished by a job, and whoever asks later hears of it once', async (t) => {
  const stand = await openPeople(t, { sandbox: true, env: { PROVIDER_TIMEOUT_MS: '1000' } });
  const { buyer, init } = await openShop(stand);
  await stand.fault('deploy', 'timeout', { count: 2 });
  assert.deepEqual(refused(await init()), SETTING_UP);
  const isWaiting = async () => {
    const [order] = await ordersIn(stand);
    return order.status === 'ESCROW_FUNDING' && order.operationId === null;
  };
  await until(isWaiting, 'the contract is deployed behind the answer');
  assert.equal(await projectStatus(stand, buyer.token), 'open');
  await runJob(stand);
  await until(async () => (await projectStatus(stand, buyer.token)) === 'in_progress', 'the job has funded it');
  assert.equal((await init()).body.data.status, 'funded');
  assert.equal(refused(await init()).status, 400);
  await assertProof(stand);
});

test('an escrow that is refused behind a 504 is called off by the job', async (t) => {
  const stand = await openPeople(t, { sandbox: true, env: { PROVIDER_TIMEOUT_MS: '1000' } });
  const { buyer, init } = await openShop(stand);
  await stand.fault('fund', 'timeout');
  await stand.fault('fund', 'refusal', { count: 5 });
  assert.deepEqual(refused(await init()), SETTING_UP);
  await until(
    async () => (await ordersIn(stand))[0].status === 'FUNDS_RESERVED',
    'funding was refused behind the answer',
  );
  await runJob(stand);
  await until(async () => (await ordersIn(stand))[0].finalStatus === 'CANCELED', 'the job has called it off');
  assert.deepEqual(await stand.balance(buyer), [1000, 0]);
  await assertProof(stand);
});

for (const step of ['reserve-order', 'create-escrow'] as const) {
  test(`a server that stops before ${step} leaves a claim that runs out; then the same request goes on`, async (t) => {
    const stand = await openPeople(t, { sandbox: true });
    const { buyer, seller, projectId, init } = await openShop(stand);
    const other = await openStand(t, { connection: stand.app.connection });
    const stop = (): never => {
      throw new Error('the server has stopped');
    };
    let stopped = false;
    const submit: Submit = (submission) => {
      stopped ||= submission.command.name === step;
      return stopped ? stop() : other.committer.submit(submission);
    };
    const projects = createProjectReads(other.pool);
    const dying = createProjectEscrows({
      submit,
      operations: {
        createEscrow: async () => {
          stopped = true;
          stop();
        },
        fundEscrow: async () => stop(),
      },
      findOrder: createOrderReads(other.pool).find,
      wasRefused: projects.wasRefused,
      listLeft: projects.listLeft,
      claimMs: 1,
      onTrouble() {},
    });
    const order = {
      ...{ buyerId: buyer.id, sellerId: seller.id, amount: usd('100.00'), title: 'Logo' },
      ...{ description: null, clientOrderRef: null, metadata: { projectId }, platformFeeBps: DEFAULT_FEE_BPS },
      ...{ milestones: [], lenientMilestones: false },
      currency: 'USD' as const,
    };
    const context = { marketplaceId: 'mkt_default', actor: { type: 'system', id: 'x' }, requestId: 'dying' } as const;
    await assert.rejects(dying.init({ projectId, personId: null, order, context }), /has stopped/);
    const answer = await init();
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await stand.balance(buyer), [900, 100]);
    assert.equal((await ordersIn(stand)).length, 1);
    await assertProof(stand);
  });
}

test('an order of a project that is canceled on the other surface leaves the project free', async (t) => {
  const stand = await openPeople(t, { sandbox: true, env: { PROVIDER_TIMEOUT_MS: '1000' } });
  const { buyer, init } = await openShop(stand);
  await stand.fault('fund', 'timeout');
  await stand.fault('fund', 'refusal', { count: 5 });
  assert.deepEqual(refused(await init()), SETTING_UP);
  await until(
    async () => (await ordersIn(stand))[0].status === 'FUNDS_RESERVED',
    'funding was refused behind the answer',
  );
  const [{ id }] = await stand.app.sql('select id from orders');
  assert.equal((await stand.app.call(`POST /orders/${id}/cancel`)).status, 201);
  await stand.twin('DELETE /faults');
  assert.equal((await init()).status, 200);
  assert.deepEqual(await stand.balance(buyer), [900, 100]);
  await assertProof(stand);
});
