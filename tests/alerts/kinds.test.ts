// Every kind of alert is opened once and closed once, by the condition that it is about.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeptProofs } from '../../server/src/books/checkpoints.ts';
import { fromUnits } from '../../server/src/books/money.ts';
import { recordBackup } from '../../server/src/modules/alerts/backup-times.ts';
import { proveAndMark } from '../../server/src/modules/audit/jobs.ts';
import { createBreaks } from '../../server/src/modules/reconciliation/breaks.ts';
import { disableEndpoint } from '../../server/src/modules/webhook-endpoints/change-endpoint.ts';
import { until } from '../../tools/until.ts';
import { openSharedWithdrawals } from '../payments/withdrawal-fixture.ts';
import { openOrders } from '../support/order-fixture.ts';
import { openApp } from '../support/shared-app.ts';
import { alertEvents, openAlertsOf, openChecker } from './fixture.ts';

type Opened = { readonly app: Parameters<typeof alertEvents>[0] & Parameters<typeof openAlertsOf>[0] };

/** Two runs on both sides of the change: the second one must announce nothing. */
const assertOnce = async (
  { app }: Opened,
  of: { check(): Promise<void>; alert: string; events: readonly string[]; end(): Promise<unknown> },
): Promise<void> => {
  const [opened, closed] = of.events;
  const typesSeen = async () =>
    (await alertEvents(app)).map(({ type }) => type).filter((type) => of.events.includes(type));
  await of.check();
  await of.check();
  assert.ok((await openAlertsOf(app)).includes(of.alert), of.alert);
  assert.deepEqual(await typesSeen(), [opened]);
  await of.end();
  await of.check();
  await of.check();
  assert.ok(!(await openAlertsOf(app)).includes(of.alert));
  assert.deepEqual(await typesSeen(), [opened, closed]);
};

test('an open break, until it is resolved; a proof that fails because of it, until it holds', async (t) => {
  const app = await openApp(t);
  await app.aUser({ available: '10.00' });
  const { pool, check } = await openChecker(t, { app });
  const breaks = createBreaks(pool);
  const { marketplaceId } = app;
  const id = { marketplaceId, kind: 'wallet-usdc', subject: 'GA' } as const;
  await breaks.see({ ...id, expected: fromUnits(20_000_000n), actual: fromUnits(5n) });
  const prove = async () =>
    createKeptProofs(pool).keep(marketplaceId, await proveAndMark(pool, { marketplaceId, full: true }));
  await assertOnce(
    { app },
    {
      check,
      alert: 'BREAK wallet-usdc:GA',
      events: ['system.break_opened', 'system.break_closed'],
      async end() {
        await prove();
        await assert.doesNotReject(check());
        assert.ok((await openAlertsOf(app)).includes(`PROOF_FAILED ${marketplaceId}`));
        await breaks.resolve(id);
      },
    },
  );
  await prove();
  await check();
  assert.deepEqual(await openAlertsOf(app), []);
  const proofEvents = (await alertEvents(app)).filter(({ type }) => type.startsWith('system.proof'));
  assert.deepEqual(
    proofEvents.map(({ type }) => type),
    ['system.proof_failed', 'system.proof_recovered'],
  );
});

test('a treasury with less than the set amount, until it has enough; an operation that does not end, until it ends', async (t) => {
  const fixture = await openOrders(t, { env: { ORDER_WAIT_MS: '1' } });
  const { app } = fixture;
  const who = await fixture.parties();
  const { id } = await fixture.anOrder({ at: 'FUNDS_RESERVED', between: who });
  await fixture.fault('deploy', 'outage', { count: 500, match: id });
  await app.call(`POST /orders/${id}/escrow`);
  await until(async () => (await app.sql('select 1 from operations where attempts > 0')).length === 1);
  const low = await openChecker(t, { app, env: { TREASURY_LOW_XLM: '99999999.00' } });
  const { check } = await openChecker(t, { app });
  await low.check();
  assert.deepEqual(await openAlertsOf(app), [`OPERATION_STUCK ${id}`, 'TREASURY_LOW XLM']);
  await check();
  assert.deepEqual(await openAlertsOf(app), [`OPERATION_STUCK ${id}`]);
  await assertOnce(
    { app },
    {
      check,
      alert: `OPERATION_STUCK ${id}`,
      events: ['system.operation_stuck', 'system.operation_recovered'],
      async end() {
        await fixture.simulator('DELETE /faults');
        await app.sql(`update operations set next_attempt_at = now() - interval '1 hour'`);
        await until(async () => (await app.sql(`select 1 from operations where state = 'RUNNING'`)).length === 0);
      },
    },
  );
  const treasuries = (await alertEvents(app)).filter(({ type }) => type.startsWith('system.treasury'));
  assert.deepEqual(
    treasuries.map(({ type, subjects }) => [type, subjects]),
    [
      ['system.treasury_low', ['XLM']],
      ['system.treasury_recovered', ['XLM']],
    ],
  );
});

test('a withdrawal that is pending for too long, until it is paid', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, aWithdrawal, commit, move, untilStatus } = fixture;
  const { id } = await aWithdrawal();
  await commit(id);
  const { check } = await openChecker(t, { app });
  await assertOnce(
    { app },
    {
      check,
      alert: `WITHDRAWAL_STUCK ${id}`,
      events: ['system.withdrawal_stuck', 'system.withdrawal_recovered'],
      async end() {
        await move(id, 'complete');
        await untilStatus(id, 'WITHDRAWAL_COMPLETED');
      },
    },
  );
});

test('a withdrawal that waits for its user is not stuck', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, aWithdrawal, commit, move, untilStatus } = fixture;
  const { id } = await aWithdrawal();
  await commit(id);
  await move(id, 'require-action');
  await untilStatus(id, 'WITHDRAWAL_PENDING_USER_ACTION');
  await (await openChecker(t, { app })).check();
  assert.deepEqual(await openAlertsOf(app), []);
});

test('a webhook endpoint that the sender disabled, until it is enabled or deleted', async (t) => {
  const app = await openApp(t);
  const { submit, check } = await openChecker(t, { app });
  const context = { marketplaceId: app.marketplaceId, actor: { type: 'system', id: 'test' }, requestId: 'r' } as const;
  const disabled = async (disabledReason: 'GONE' | 'FAILED_FOR_DAYS'): Promise<string> => {
    const body = { url: 'https://shop.example/hooks', events: ['order.*'] };
    const { id } = (await app.call('POST /webhook-endpoints', { body })).body.data;
    await submit({ command: disableEndpoint, input: { id, url: body.url, disabledReason }, context });
    return id;
  };
  const enabled = await disabled('GONE');
  const events = ['system.endpoint_disabled', 'system.endpoint_enabled'];
  const enable = () => app.call(`PATCH /webhook-endpoints/${enabled}`, { body: { enabled: true } });
  await assertOnce({ app }, { check, alert: `ENDPOINT_DISABLED ${enabled}`, events, end: enable });
  const deleted = await disabled('FAILED_FOR_DAYS');
  await check();
  assert.deepEqual(await openAlertsOf(app), [`ENDPOINT_DISABLED ${deleted}`]);
  await app.call(`DELETE /webhook-endpoints/${deleted}`);
  await app.call(`PATCH /webhook-endpoints/${enabled}`, { body: { enabled: false } });
  await check();
  assert.deepEqual(await openAlertsOf(app), [], 'an endpoint that a request disabled is no alert');
});

test('a request that waits for approval for long, until it is decided', async (t) => {
  const app = await openApp(t);
  const { check } = await openChecker(t, { app });
  const userId = await app.aUser();
  await app.call('PUT /approval-rules', { body: [{ action: 'balance.credit' }] });
  const held = await app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '1.00' } });
  const { id } = held.body.data.approval;
  await assertOnce(
    { app },
    {
      check,
      alert: `APPROVAL_WAITING ${id}`,
      events: ['system.approval_waiting', 'system.approval_decided'],
      end: () => app.call(`POST /approvals/${id}/cancel`),
    },
  );
});

test('a backup that is too old, in the marketplace of the service, until another one is recorded', async (t) => {
  const fixture = await openOrders(t);
  const { app } = fixture;
  const { pool, check } = await openChecker(t, { app, env: { BACKUP_MAX_AGE_H: '1' } });
  const hoursAgo = (hours: number) =>
    recordBackup(pool as never, new Date(Date.now() - hours * 3_600_000).toISOString());
  await hoursAgo(2);
  await assertOnce(
    { app },
    {
      check,
      alert: 'BACKUP_LATE backup',
      events: ['system.backup_late', 'system.backup_recovered'],
      end: () => hoursAgo(0),
    },
  );
  await hoursAgo(3);
  await check();
  assert.deepEqual(await openAlertsOf(app), [], 'the time of an older backup changes nothing');
  const [{ message }] = (await app.call('GET /alerts?kind=BACKUP_LATE')).body.data.data;
  assert.match(message, /older than 1 hours/);
});

test('a deadline that is overdue because an operation runs, until it is pointless', async (t) => {
  const fixture = await openOrders(t, { env: { ORDER_WAIT_MS: '1' } });
  const { app, done, anOrder, simulator } = fixture;
  await done('POST /policies', { body: { name: 'soon', rules: { cancelUnfundedAfter: 'PT1S' } } });
  const between = await fixture.parties();
  await fixture.fault('deploy', 'outage', { count: 500 });
  const { id } = await anOrder({ policy: 'soon', between });
  // The deadline is held until the operation runs.
  await done(`POST /orders/${id}/deadlines/cancel_unfunded/hold`);
  await done(`POST /orders/${id}/reserve`);
  await app.call(`POST /orders/${id}/escrow`);
  await done(`POST /orders/${id}/deadlines/cancel_unfunded/resume`);
  await until(async () => (await app.sql('select 1 from deadlines where at < now()')).length === 1, 'it is overdue');
  const { check } = await openChecker(t, { app });
  await assertOnce(
    { app },
    {
      check,
      alert: `DEADLINE_STUCK ${id}`,
      events: ['system.deadline_stuck', 'system.deadline_recovered'],
      async end() {
        await simulator('DELETE /faults');
        await app.sql(`update operations set next_attempt_at = now() - interval '1 hour'`);
        await until(async () => (await app.sql(`select 1 from deadlines where status = 'PENDING'`)).length === 0);
      },
    },
  );
});
