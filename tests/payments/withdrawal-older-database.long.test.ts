// Money of a withdrawal goes back only after the outside systems were asked: a database that is older than they are does not know that
// the withdrawal was paid. The server that would adopt the payments is not running here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Providers } from '../../server/src/providers/providers.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { copyDatabase } from '../../tools/test-database/database.ts';
import { until } from '../../tools/until.ts';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';
import { recordedIn } from '../support/recorded-provider.ts';
import { openWithdrawals } from './withdrawal-fixture.ts';
import { openProcess } from './withdrawal-process.ts';

type Alert = { readonly subject: string; readonly expected: string; readonly actual: string; readonly isOpen: boolean };

const toAddress = (address: string, amount: string) => ({ destination: { type: 'crypto', address }, amount });

test('a withdrawal that was paid after the backup neither expires nor fails after a restore', async (t) => {
  // While payments are on hold a commit only waits.
  const fixture = await openWithdrawals(t, { ledger: true, env: { OPERATION_WAIT_MS: '1000' } });
  const { app, env, arm, outsideAddress, dollarsAt, aPayee, aWithdrawal, addressOf, control, balance, get } = fixture;
  const ann = await aPayee();
  const bob = await aPayee();
  for (const userId of [ann, bob]) await addressOf(userId);
  await fixture.fillTreasury();
  const first = await outsideAddress();
  const second = await outsideAddress();
  const onHold = (held: boolean, server = app) =>
    builderOf(server).expect(`POST /payments/${held ? 'hold' : 'release'}`, {
      status: 200,
      key: MASTER_KEY,
      body: held ? { reason: 'A backup is taken.' } : { anyway: true },
    });
  await onHold(true);
  const uncommitted = await aWithdrawal({ userId: ann, body: toAddress(first, '25.50') });
  const bank = await aWithdrawal({ userId: ann, body: { amount: '5.00' } });
  // The provider makes the payouts of these over another amount.
  const differing = await aWithdrawal({ userId: ann, body: { amount: '6.00' } });
  const unfinished = await aWithdrawal({ userId: ann, body: { amount: '7.00' } });
  // Of two equal withdrawals, the committed one is what the ledger has paid.
  const equal = await aWithdrawal({ userId: bob, body: toAddress(second, '10.00') });
  const committed = await aWithdrawal({ userId: bob, body: toAddress(second, '10.00') });
  assert.equal((await app.call(`POST /withdrawals/${committed.id}/commit`)).status, 504);
  await app.close();
  const { connection, drop } = await copyDatabase(app.connection);
  afterwards(t, drop);

  const later = await startApp(t, { env, connection: app.connection });
  fixture.listenAt(later);
  await onHold(false, later);
  for (const { id } of [uncommitted, bank]) await later.call(`POST /withdrawals/${id}/commit`);
  await fixture.untilPayout(bank.id, 'COMMITTED');
  await fixture.move(bank.id, 'complete');
  for (const { id } of [differing, unfinished]) {
    arm({ operation: 'payout-commit', fault: 'wrong-amount', match: id });
    await later.call(`POST /withdrawals/${id}/commit`);
    await fixture.untilPayout(id, 'COMMITTED');
  }
  await fixture.move(differing.id, 'complete');
  const paid = [uncommitted, bank, committed, differing];
  for (const { id } of paid) await fixture.untilStatus(id, 'WITHDRAWAL_COMPLETED', later);
  await later.close();
  // The account can no longer be paid, which says nothing about what was paid before.
  await control(`POST /accounts/${second}`, { memoRequired: true });

  const pool = new pg.Pool({ ...connection, max: 1 });
  await pool.query('update payment_holds set held = false');
  await pool.query(`update withdrawals set created_at = (created_at at time zone 'UTC' - interval '2 days') at time zone 'UTC',
    updated_at = (updated_at at time zone 'UTC' - interval '1 hour') at time zone 'UTC', next_look_at = now()`);
  await pool.end();
  const { expire, refresh, troubles } = await openProcess(t, { app: { connection }, env });
  await refresh();
  await expire();
  assert.deepEqual(troubles, []);
  const restored = await startApp(t, { env, connection });
  for (const { id } of paid) {
    const { status, failureReason } = await get(id, restored);
    assert.deepEqual([status, failureReason], ['WITHDRAWAL_COMPLETED', null]);
  }
  assert.equal((await get(equal.id, restored)).status, 'WITHDRAWAL_CANCELED');
  assert.deepEqual(
    [await balance(ann, 'USD', restored), await balance(bob, 'USD', restored)],
    ['56.50 + 7.00', '90.00 + 0.00'],
  );
  const alerts = async () => {
    const shown = await builderOf(restored).expect('GET /reconciliation/breaks?kind=payout-amount', { status: 200 });
    return Object.fromEntries(shown.map((one: Alert) => [one.subject, [one.expected, one.actual, one.isOpen]]));
  };
  const executed = ['6.0000000', '7.0000000', true];
  await until(async () => Object.keys(await alerts()).length === 2, 'both alerts are shown');
  assert.deepEqual(await alerts(), { [differing.id]: executed, [unfinished.id]: ['7.0000000', '8.0000000', true] });
  assert.equal((await get(unfinished.id, restored)).status, 'WITHDRAWAL_CREATED', 'the payout may still change');
  await fixture.move(unfinished.id, 'cancel');
  await expire();
  assert.equal((await get(unfinished.id, restored)).status, 'WITHDRAWAL_CANCELED');
  assert.deepEqual(await alerts(), { [differing.id]: executed, [unfinished.id]: ['7.0000000', '8.0000000', false] });
  assert.deepEqual([await dollarsAt(first), await dollarsAt(second)], ['25.5000000', '10.0000000']);
});

test('an uncommitted withdrawal keeps its state while the provider or the ledger does not answer', async (t) => {
  const fixture = await openWithdrawals(t, { ledger: true });
  const { app, sandbox, arm, outsideAddress, aPayee, aWithdrawal, addressOf, get } = fixture;
  const userId = await aPayee();
  const wallet = await addressOf(userId);
  const ids = [
    (await aWithdrawal({ userId, body: toAddress(await outsideAddress(), '1.00') })).id,
    (await aWithdrawal({ userId, body: { amount: '1.00' } })).id,
  ];
  await app.close();
  await app.sql(
    `update withdrawals set created_at = (created_at at time zone 'UTC' - interval '2 days') at time zone 'UTC'`,
  );
  const requests: string[] = [];
  const recorded = recordedIn(requests);
  const through = ({ payment, network, ...others }: Providers): Providers => ({
    ...others,
    payment: recorded(payment!),
    network: recorded(network!),
  });
  const { expire } = await openProcess(t, { app, env: fixture.env, through });
  arm({ operation: 'payout-get', fault: 'outage', count: 100 });
  arm({ operation: 'account', fault: 'outage', count: 100, match: wallet });
  await expire();
  const server = await startApp(t, { env: fixture.env, connection: app.connection });
  for (const id of ids) assert.equal((await get(id, server)).status, 'WITHDRAWAL_CREATED', 'unknown is not no');
  sandbox.faults.clear();
  await expire();
  for (const id of ids) assert.equal((await get(id, server)).status, 'WITHDRAWAL_CANCELED');
  // No caller waits for an expiry.
  assert.deepEqual([...new Set(requests)].sort(), ['background account', 'background findPayoutByCode']);
});
