// Rules for ledger payments of a withdrawal: one at a time, none after its end, and every payment on the ledger is booked, also
// when it was given up before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Amount, ZERO } from '../../server/src/books/money.ts';
import { proveBooks } from '../../server/src/books/proof.ts';
import type { LedgerAction, LedgerTransaction } from '../../server/src/ledger/transactions/ledger-transaction.ts';
import { createRecordTransaction, TransactionOpen } from '../../server/src/ledger/transactions/record-transaction.ts';
import { createSettleTransaction, type Ending } from '../../server/src/ledger/transactions/settle-transaction.ts';
import { commitWithdrawal } from '../../server/src/modules/withdrawals/commit-withdrawal.ts';
import { createWithdrawal } from '../../server/src/modules/withdrawals/create-withdrawal.ts';
import { failWithdrawal } from '../../server/src/modules/withdrawals/end-withdrawal.ts';
import {
  PaymentDiffers,
  PaymentInProgress,
  WithdrawalNotPayable,
} from '../../server/src/modules/withdrawals/ledger-payments.ts';
import { createWithdrawalReads } from '../../server/src/modules/withdrawals/queries.ts';
import type { Withdrawal } from '../../server/src/modules/withdrawals/withdrawal.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { type Fixture, MARKETPLACE, openFixture, replyOf, usd } from '../commit/fixture.ts';

const recordTransaction = createRecordTransaction(ACTION_OWNERS);
const settleTransaction = createSettleTransaction(ACTION_OWNERS);

const WALLET = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7';
const OUTSIDE = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

const paid = (amount: Amount): Ending => ({
  kind: 'succeeded',
  paid: [amount],
  fee: ZERO,
  feeAccount: WALLET,
  ledger: 1,
});

type PayAction = Extract<LedgerAction, { type: 'pay' }>;

const openWithdrawalRows = async (fixture: Fixture, { isCommitted = true } = {}) => {
  const userId = await fixture.user('100.00');
  const made = replyOf(
    await fixture.submit(createWithdrawal, {
      userId,
      amount: usd('25.50'),
      currency: 'USD',
      destinationType: 'crypto',
      destinationRef: null,
      address: OUTSIDE,
      email: null,
      walletId: 'wal_x',
      commit: isCommitted,
      payeeLinkedAt: null,
      isFloatOpened: true,
    }),
  );
  let sequence = 0;
  const record = async (source = WALLET, change: Partial<PayAction> = {}): Promise<LedgerTransaction> => {
    const id = `hash-${made.id}-${++sequence}`;
    const action: LedgerAction = {
      type: 'pay',
      to: OUTSIDE,
      asset: 'USDC',
      currency: 'USD',
      units: '255000000',
      paymentId: null,
      outside: true,
      withdrawalId: made.id,
      ...change,
    };
    const input = { id, source, sequence: String(sequence), purpose: 'withdrawal', envelope: 'x' };
    const more = { validUntil: '2030-01-01T00:00:00.000000Z', actions: [action] };
    return replyOf(await fixture.submit(recordTransaction, { ...input, ...more }));
  };
  const settle = async (transaction: LedgerTransaction, ending: Ending): Promise<LedgerTransaction> =>
    replyOf(await fixture.submit(settleTransaction, { transaction, ending, depositsApplied: true }));
  const now = async (): Promise<Withdrawal> => (await createWithdrawalReads(fixture.pool).find(MARKETPLACE, made.id))!;
  const units = async (accountId: string): Promise<string> =>
    (await fixture.pool.query('select balance::text from accounts where id = $1', [accountId])).rows[0]?.balance ?? '0';
  return {
    made,
    userId,
    record,
    settle,
    now,
    user: async (): Promise<string[]> => [
      await units(`${userId}:available:USD`),
      await units(`${userId}:reserved:USD`),
    ],
    lost: () => units('operator:adjustments:USD'),
    held: () => units(`wallet:${WALLET}:USD`),
  };
};

test('no second payment is stored while one is in flight, nor after it has paid', async (t) => {
  const fixture = await openFixture(t);
  const { record, settle, now, user, held } = await openWithdrawalRows(fixture);
  const first = await record();
  assert.equal((await now()).transactionId, first.id);
  await assert.rejects(record(), TransactionOpen);
  await assert.rejects(record(OUTSIDE), PaymentInProgress, 'not from another wallet either');
  await settle(first, paid(usd('25.50')));
  assert.deepEqual(
    [(await now()).status, await user(), await held()],
    ['WITHDRAWAL_COMPLETED', ['745000000', '0'], '0'],
  );
  await assert.rejects(record(), WithdrawalNotPayable);
  await settle(first, paid(usd('25.50')));
  assert.deepEqual(await user(), ['745000000', '0'], 'settling again changes nothing');
  assert.equal((await proveBooks(fixture.pool, MARKETPLACE)).holds, true);
});

test('no payment is stored that has another destination or memo than the withdrawal', async (t) => {
  const fixture = await openFixture(t);
  const { record, now } = await openWithdrawalRows(fixture);
  await assert.rejects(record(WALLET, { to: WALLET }), PaymentDiffers);
  await assert.rejects(record(WALLET, { memo: { type: 'id', value: '1' } }), PaymentDiffers);
  assert.equal((await now()).transactionId, null);
});

test('no payment is stored over another amount than the rest: another process may have paid a part since the payment was built', async (t) => {
  const fixture = await openFixture(t);
  const { record, settle, now, user } = await openWithdrawalRows(fixture);
  await settle(await record(), paid(usd('10.00')));
  await assert.rejects(record(), PaymentDiffers, 'the whole amount');
  await assert.rejects(record(WALLET, { units: '154999999' }), PaymentDiffers);
  await settle(await record(WALLET, { units: '155000000' }), paid(usd('15.50')));
  assert.deepEqual([(await now()).status, await user()], ['WITHDRAWAL_COMPLETED', ['745000000', '0']]);
  assert.equal((await proveBooks(fixture.pool, MARKETPLACE)).holds, true);
});

test('no payment is stored for an uncommitted withdrawal', async (t) => {
  const fixture = await openFixture(t);
  const { record, made, now } = await openWithdrawalRows(fixture, { isCommitted: false });
  await assert.rejects(record(), WithdrawalNotPayable);
  replyOf(await fixture.submit(commitWithdrawal, { withdrawalId: made.id }));
  const { id } = await record();
  assert.equal((await now()).transactionId, id);
});

test('an expired or rejected payment may be followed by another; a failed one ends the withdrawal', async (t) => {
  const fixture = await openFixture(t);
  const { record, settle, now, user } = await openWithdrawalRows(fixture);
  for (const ending of [{ kind: 'expired' }, { kind: 'rejected', reason: 'tx_insufficient_fee' }] as const) {
    await settle(await record(), ending);
    const { status, transactionId } = await now();
    assert.deepEqual([status, transactionId, await user()], ['WITHDRAWAL_COMMITTED', null, ['745000000', '255000000']]);
  }
  await settle(await record(), { kind: 'failed', reason: 'tx_failed', fee: ZERO, feeAccount: WALLET, ledger: 1 });
  assert.deepEqual([(await now()).status, await user()], ['WITHDRAWAL_FAILED', ['1000000000', '0']]);
  assert.equal((await proveBooks(fixture.pool, MARKETPLACE)).holds, true);
});

test('a withdrawal cannot be given up while a payment is in flight', async (t) => {
  const fixture = await openFixture(t);
  const { record, settle, made, now, user } = await openWithdrawalRows(fixture);
  const why = { withdrawalId: made.id, reason: 'The treasury has nothing.', code: null };
  const transaction = await record();
  await assert.rejects(fixture.submit(failWithdrawal, why), PaymentInProgress);
  await settle(transaction, { kind: 'expired' });
  replyOf(await fixture.submit(failWithdrawal, why));
  assert.deepEqual([(await now()).status, await user()], ['WITHDRAWAL_FAILED', ['1000000000', '0']]);
  const again = replyOf(await fixture.submit(failWithdrawal, { ...why, reason: 'Another.' }));
  assert.equal(again.failureReason, 'The treasury has nothing.');
});

test('a payment that arrives after it was given up is a loss of the operator, not of the user', async (t) => {
  const fixture = await openFixture(t);
  const { record, settle, made, now, user, lost, held } = await openWithdrawalRows(fixture);
  const before = BigInt(await lost());
  const transaction = await record();
  await settle(transaction, { kind: 'rejected', reason: 'tx_bad_auth' });
  replyOf(await fixture.submit(failWithdrawal, { withdrawalId: made.id, reason: 'Given up.', code: null }));
  await settle(transaction, paid(usd('25.50')));
  assert.deepEqual([(await now()).status, await user()], ['WITHDRAWAL_FAILED', ['1000000000', '0']]);
  // The money in the wallet had no explanation, so it was booked as a gain of the same amount.
  assert.deepEqual([BigInt(await lost()) - before, await held()], [0n, '0']);
  const moves = await fixture.pool.query(
    "select move from postings where account_id like 'operator:%' order by seq desc limit 2",
  );
  assert.deepEqual(moves.rows.map(({ move }) => move).sort(), ['unexplained', 'withdrawal_excess']);
  assert.equal((await proveBooks(fixture.pool, MARKETPLACE)).holds, true);
});

test('a payment over more than the amount ends the withdrawal, and the excess is a loss of the operator', async (t) => {
  const fixture = await openFixture(t);
  const { record, settle, now, user } = await openWithdrawalRows(fixture);
  await settle(await record(), paid(usd('30.00')));
  assert.deepEqual([(await now()).status, await user()], ['WITHDRAWAL_COMPLETED', ['745000000', '0']]);
  const { rows } = await fixture.pool.query(
    "select amount::text from postings where move = 'withdrawal_excess' and amount > 0",
  );
  assert.deepEqual(rows, [{ amount: '45000000' }]);
  assert.equal((await proveBooks(fixture.pool, MARKETPLACE)).holds, true);
});

test('the rest of a partly paid withdrawal stays reserved and locked until it is paid, and only the rest can be given back', async (t) => {
  const fixture = await openFixture(t);
  const { record, settle, now, user } = await openWithdrawalRows(fixture);
  await settle(await record(), paid(usd('10.00')));
  const half = await now();
  assert.deepEqual([half.status, half.paid, half.transactionId], ['WITHDRAWAL_COMMITTED', usd('10.00'), null]);
  const { rows } = await fixture.pool.query('select remaining::text, locked from reservations');
  assert.deepEqual(rows, [{ remaining: '155000000', locked: true }]);
  const rest = await record(WALLET, { units: '155000000' });
  await settle(rest, { kind: 'failed', reason: 'tx_failed', fee: ZERO, feeAccount: WALLET, ledger: 1 });
  assert.deepEqual([(await now()).status, await user()], ['WITHDRAWAL_FAILED', ['900000000', '0']]);
  assert.equal((await proveBooks(fixture.pool, MARKETPLACE)).holds, true);
});
