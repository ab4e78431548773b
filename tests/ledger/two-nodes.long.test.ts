// Withdrawals and payments of the treasury on two nodes of the ledger, one of which lags. two-nodes.test.ts has the call of an escrow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSettleTransaction } from '../../server/src/ledger/transactions/settle-transaction.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { until } from '../../tools/until.ts';
import { askToCommit, assertArrives, openLedgerWithdrawal, paymentsOf } from '../payments/ledger-fault-checks.ts';
import {
  assertBooksEqualLedger,
  type Environment,
  MARKETPLACE,
  onLedger,
  openEnvironment,
  startProcess,
  transactionsOf,
} from './ledger-fixture.ts';
import { SHORT_TIMEOUT } from './payment-faults.ts';

const MINUTE_MS = 60_000;

/** After this time an envelope has expired, and a node that lags this far has not seen it. */
const EXPIRED_MS = 6 * MINUTE_MS;

const LAG_MS = 7 * MINUTE_MS;

/** What was there before is older than the lag: a lagging node knows the accounts, and not what they do from now on. */
const grow = ({ sandbox }: Pick<Environment, 'sandbox'>) => sandbox.clock.advance(2 * LAG_MS);

/** Accounts and transactions are read from the lagging node, and the latest ledger from the other. */
const lagBehind = ({ sandbox }: Pick<Environment, 'sandbox'>): void => {
  for (const match of ['transactions', 'accounts']) {
    sandbox.faults.arm({ operation: 'node', fault: 'lagging', count: 10_000, delayMs: LAG_MS, match });
  }
};

const alternate = ({ sandbox }: Pick<Environment, 'sandbox'>): void => {
  sandbox.faults.arm({ operation: 'node', fault: 'alternating', count: 10_000, delayMs: LAG_MS });
};

test('a withdrawal whose payment looks expired on a lagging node is not paid again', async (t) => {
  const opened = await openLedgerWithdrawal(t, { isOwnServer: true });
  const { arm, sandbox, address, app } = opened;
  await grow(opened);
  arm({ operation: 'payment', fault: 'lost-answer', match: address, delayMs: 5 });
  lagBehind(opened);
  assert.equal(await askToCommit(opened), '504 PROVIDER_TIMEOUT');
  await sandbox.clock.advance(EXPIRED_MS);
  for (let rounds = 0; rounds < 3; rounds++) await app.call(`POST /withdrawals/${opened.made.id}/refresh`);
  assert.deepEqual(await paymentsOf(opened), [{ state: 'SIGNED', failure: null }]);
  sandbox.faults.clear();
  await assertArrives(opened);
  assert.equal((await paymentsOf(opened)).length, 1);
});

test('a treasury payment that looks expired on a lagging node is not paid again', async (t) => {
  const environment = await openEnvironment(t);
  const { sandbox } = environment;
  const server = await startProcess(t, environment, { ...SHORT_TIMEOUT, fundWaitMs: 30 });
  const ann = await server.user();
  const { address } = (await server.treasury())!;
  await grow(environment);
  const before = transactionsOf(sandbox, address).length;
  const last = async () =>
    (await server.pool.query('select state from treasury_payments order by id desc limit 1')).rows[0].state;
  sandbox.faults.arm({ operation: 'payment', fault: 'lost-answer', delayMs: 5, match: ann.address });
  sandbox.faults.arm({ operation: 'transaction-get', fault: 'outage', count: 3 });
  await until(async () => {
    await server.fundWallet(ann.id, '5.00', { reference: 'opn_1' });
    return transactionsOf(sandbox, address).length > before;
  }, 'it is on the ledger');
  lagBehind(environment);
  await sandbox.clock.advance(EXPIRED_MS);
  for (let rounds = 0; rounds < 3; rounds++) await server.sender.resumeAll();
  assert.equal(await last(), 'SENT');
  sandbox.faults.clear();
  alternate(environment);
  await until(async () => {
    await server.sender.resumeAll();
    return (await last()) === 'DONE';
  }, 'it is settled');
  await server.fundWallet(ann.id, '5.00', { reference: 'opn_1' });
  sandbox.faults.clear();
  assert.equal(onLedger(sandbox, ann.address)!.usdc, '5.0000000');
  assert.equal(transactionsOf(sandbox, address).length, before + 1);
  await assertBooksEqualLedger(server.pool, sandbox);
});

test('a transaction that was wrongly taken for expired is looked at once more before the wallet pays again', async (t) => {
  const environment = await openEnvironment(t);
  const { sandbox } = environment;
  const server = await startProcess(t, environment, SHORT_TIMEOUT);
  const [ann, bob] = await Promise.all([server.richUser('100'), server.user()]);
  await grow(environment);
  sandbox.faults.arm({ operation: 'payment', fault: 'lost-answer', delayMs: 5 });
  sandbox.faults.arm({ operation: 'transaction-get', fault: 'outage', count: 1_000 });
  const { hash } = await server.pay(ann, bob, '5.00');
  const transaction = (await server.transactions.find(MARKETPLACE, hash!))!;
  const context = { marketplaceId: MARKETPLACE, actor: { type: 'system', id: 'test' }, requestId: 'r' } as const;
  const input = { transaction, ending: { kind: 'expired' } } as const;
  await server.submit({ command: createSettleTransaction(ACTION_OWNERS), input, context });
  sandbox.faults.clear();
  // While the account is read from the lagging node, its number is the one before the payment.
  const again = await startProcess(t, environment, SHORT_TIMEOUT);
  sandbox.faults.arm({ operation: 'node', fault: 'lagging', count: 10_000, delayMs: LAG_MS, match: 'accounts' });
  assert.equal((await again.pay(ann, bob, '1.00')).hash, null);
  sandbox.faults.clear();
  assert.equal((await again.pay(ann, bob, '1.00')).kind, 'yes');
  assert.equal((await again.transactions.find(MARKETPLACE, hash!))!.state, 'SUCCEEDED');
  assert.equal(onLedger(sandbox, bob.address)!.usdc, '6.0000000');
  await assertBooksEqualLedger(again.pool, sandbox);
});
