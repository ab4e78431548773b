// A project's escrow under one fault, or with the server stopped at one step: what init-faults.test.ts and
// init-faults.long.test.ts both check.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { PgBoss } from 'pg-boss';
import { DEFAULT_FEE_BPS } from '../../server/src/books/money.ts';
import type { Submit } from '../../server/src/commit/command.ts';
import { createOrderReads } from '../../server/src/modules/orders/queries.ts';
import { createProjectEscrows } from '../../server/src/modules/projects/project-escrow.ts';
import { createProjectReads } from '../../server/src/modules/projects/queries.ts';
import { ORDER_TABLES } from '../../server/src/registry.ts';
import { until } from '../../tools/until.ts';
import { openFixture, usd } from '../commit/fixture.ts';
import { assertProof } from '../support/checks.ts';
import { type Any, HURRIED, openSharedPeople, type PeopleFixture, refused } from './people-fixture.ts';

export const SETTING_UP = { status: 504, message: 'The escrow is being created. Try again in a few seconds' };

/** A buyer with a project and money, a seller, and the request for the project's escrow. */
export const openProject = async (fixture: PeopleFixture) => {
  const buyer = await fixture.aPerson('1000.00');
  const seller = await fixture.anyPerson();
  const { id: projectId } = await fixture.aProject(buyer);
  const body = fixture.initBody(projectId, seller.id);
  return {
    buyer,
    seller,
    projectId,
    init: (more: object = {}) => fixture.call('POST /escrow/init', { body: { ...body, ...more } }),
    orders: (): Promise<Any[]> =>
      fixture.app.sql(
        `select id, status, final_status as "finalStatus", operation_id as "operationId" from orders
         where buyer_id = $1 order by id`,
        [buyer.id],
      ),
  };
};

/** The outcome of this operation is unknown at first; then it continues. Returns how many contracts were deployed. */
export const contractsAfterDoubt = async (t: TestContext, operation: 'deploy' | 'fund'): Promise<number> => {
  const fixture = await openSharedPeople(t, { sandbox: true, env: HURRIED });
  const { buyer, init, seller, orders } = await openProject(fixture);
  const contracts = async (): Promise<number> => (await fixture.simulator('GET /state')).contracts.length;
  const before = await contracts();
  await fixture.fault(operation, 'timeout', { count: 2 });
  assert.deepEqual(refused(await init()), SETTING_UP);
  assert.deepEqual(await fixture.balance(buyer), [900, 100]);
  // A request with other terms is not a repeat.
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
  assert.deepEqual(await fixture.balance(buyer), [900, 100]);
  assert.equal((await orders()).length, 1);
  await assertProof(fixture.app);
  return (await contracts()) - before;
};

/** Makes what a server has of projects' escrows, on another connection, that stops at a step. */
const stopsAt = async (t: TestContext, fixture: PeopleFixture, step: 'reserve-order' | 'create-escrow') => {
  const other = await openFixture(t, { connection: fixture.app.connection });
  const stop = (): never => {
    throw new Error('the server has stopped');
  };
  let stopped = false;
  const submit: Submit = (submission) => {
    stopped ||= submission.command.name === step;
    return stopped ? stop() : other.committer.submit(submission);
  };
  const projects = createProjectReads(other.pool);
  return createProjectEscrows({
    submit,
    operations: {
      createEscrow: async () => {
        stopped = true;
        stop();
      },
      fundEscrow: async () => stop(),
    },
    findOrder: createOrderReads(other.pool, ORDER_TABLES).find,
    wasRefused: projects.wasRefused,
    listLeft: projects.listLeft,
    claimMs: 1,
    onTrouble() {},
  });
};

/** The same request continues the work of a stopped server. */
export const assertGoesOn = async (t: TestContext, step: 'reserve-order' | 'create-escrow'): Promise<void> => {
  const fixture = await openSharedPeople(t, { sandbox: true });
  const { buyer, seller, projectId, init, orders } = await openProject(fixture);
  const dying = await stopsAt(t, fixture, step);
  const order = {
    buyerId: buyer.id,
    sellerId: seller.id,
    amount: usd('100.00'),
    title: 'Logo',
    description: null,
    clientOrderRef: null,
    metadata: { projectId },
    platformFeeBps: DEFAULT_FEE_BPS,
    milestones: [],
    lenientMilestones: false,
    currency: 'USD' as const,
  };
  const { marketplaceId } = fixture.app;
  const context = { marketplaceId, actor: { type: 'system', id: 'x' }, requestId: 'dying' } as const;
  await assert.rejects(dying.init({ projectId, personId: null, order, context }), /has stopped/);
  const answer = await init();
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(await fixture.balance(buyer), [900, 100]);
  assert.equal((await orders()).length, 1);
  await assertProof(fixture.app);
};

/** Runs the job now, as the clock would at the next minute. */
export const runJob = async ({ app }: PeopleFixture): Promise<void> => {
  const boss = new PgBoss({ ...(app.connection as object), schema: 'pgboss', supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.send('finish-project-escrows');
  await boss.stop({ graceful: false });
};
