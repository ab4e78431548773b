// The payment provider's adapter against its simulator: every call, and every refusal by the provider's own code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPaymentProvider } from '../../server/src/providers/payment/payment-provider.ts';
import type { NewPayin, NewPayout } from '../../server/src/providers/payment-port.ts';
import { controlOf } from '../sandbox/payment-client.ts';
import { amount, gist, openSimulators, say, shareEmptySimulators, startOddOne, take } from './provider-fixture.ts';

const openEmpty = shareEmptySimulators();

const payin = (code: string, change: Partial<NewPayin> = {}): NewPayin => ({
  code,
  amount: amount('25.5'),
  description: 'Top-up',
  returnUrl: 'http://127.0.0.1:1/back',
  cancelUrl: 'http://127.0.0.1:1/not',
  ...change,
});
const payout = (code: string, change: Partial<NewPayout> = {}): NewPayout => ({
  code,
  amount: amount('40'),
  email: 'maria@example.com',
  notes: 'Withdrawal',
  commit: false,
  ...change,
});

test('a payin is made, found by either id, and tells each of its states in our words', async () => {
  const { payment, sandbox } = await openEmpty();
  const control = controlOf(sandbox.url);
  const made = take(await payment.createPayin(payin('top_1')));
  assert.deepEqual(
    [made.code, made.state, made.amount, made.fee, made.payerUrl, made.reason],
    ['top_1', 'TOPUP_AWAITING_USER_CONFIRMATION', 255_000_000n, 0n, `${sandbox.urls.payer}/payin/${made.id}`, null],
  );
  assert.deepEqual(take(await payment.getPayin(made.id)), made);
  assert.deepEqual(take(await payment.findPayinByCode('top_1')), made);
  await control('POST /payins/top_1/process');
  assert.equal(take(await payment.getPayin(made.id))?.state, 'TOPUP_PROCESSING');
  await control('POST /payins/top_1/confirm');
  assert.equal(take(await payment.getPayin(made.id))?.state, 'TOPUP_SUCCEEDED');
  take(await payment.createPayin(payin('top_2')));
  await control('POST /payins/top_2/fail', { reason: 'No money' });
  const failed = take(await payment.findPayinByCode('top_2'));
  assert.deepEqual([failed?.state, failed?.reason], ['TOPUP_FAILED', 'No money']);
});

test('the same payin again is the payin that is there; the same code over another amount is a mismatch', async () => {
  const { payment } = await openEmpty();
  const made = take(await payment.createPayin(payin('top_1')));
  assert.deepEqual(take(await payment.createPayin(payin('top_1'))), made);
  const other = await payment.createPayin(payin('top_1', { amount: amount('99') }));
  assert.deepEqual(gist(other), ['unknown', 'mismatch']);
});

test('a payin is cancelled, cancelling again is the same yes, and a paid one is a no with its state', async () => {
  const { payment, sandbox } = await openEmpty();
  const { id } = take(await payment.createPayin(payin('top_1')));
  assert.equal(take(await payment.cancelPayin(id)).state, 'TOPUP_CANCELED');
  assert.equal(take(await payment.cancelPayin(id)).state, 'TOPUP_CANCELED');
  const paid = take(await payment.createPayin(payin('top_2')));
  await controlOf(sandbox.url)('POST /payins/top_2/confirm');
  assert.deepEqual(gist(await payment.cancelPayin(paid.id)), ['no', 'TOPUP_SUCCEEDED']);
});

test('a payout is made, committed, found, and tells each of its states in our words', async () => {
  const { payment, sandbox } = await openEmpty();
  const control = controlOf(sandbox.url);
  const made = take(await payment.createPayout(payout('wdr_1')));
  assert.deepEqual([made.code, made.state, made.amount], ['wdr_1', 'WITHDRAWAL_CREATED', 400_000_000n]);
  const state = async () => take(await payment.getPayout(made.id))?.state;
  assert.equal(take(await payment.commitPayout(made.id)), null);
  assert.equal(await state(), 'WITHDRAWAL_COMMITTED');
  await control('POST /payouts/wdr_1/pend');
  assert.equal(await state(), 'WITHDRAWAL_PENDING');
  await control('POST /payouts/wdr_1/require-action');
  assert.equal(await state(), 'WITHDRAWAL_PENDING_USER_ACTION');
  await control('POST /payouts/wdr_1/complete');
  assert.equal(take(await payment.findPayoutByCode('wdr_1'))?.state, 'WITHDRAWAL_COMPLETED');
  const direct = take(await payment.createPayout(payout('wdr_2', { commit: true })));
  assert.equal(direct.state, 'WITHDRAWAL_COMMITTED');
  await control('POST /payouts/wdr_2/fail', { reason: '415010' });
  const failed = take(await payment.getPayout(direct.id));
  assert.deepEqual([failed?.state, failed?.reasonCode], ['WITHDRAWAL_FAILED', '415010']);
});

test('a commitment again is a yes, because a lost answer sounds the same; of a failed payout it is a no', async () => {
  const { payment, sandbox } = await openEmpty();
  const { id } = take(await payment.createPayout(payout('wdr_1')));
  take(await payment.commitPayout(id));
  take(await payment.commitPayout(id));
  await controlOf(sandbox.url)('POST /payouts/wdr_1/fail');
  assert.deepEqual(gist(await payment.commitPayout(id)), ['no', 'WITHDRAWAL_FAILED']);
});

test('the same payout again pays once', async () => {
  const { payment } = await openEmpty();
  const before = take(await payment.balance());
  const made = take(await payment.createPayout(payout('wdr_1', { commit: true })));
  assert.deepEqual(take(await payment.createPayout(payout('wdr_1', { commit: true }))), made);
  const after = take(await payment.balance());
  assert.equal(before.available - after.available, 400_000_000n);
  assert.equal(after.pending, 400_000_000n);
});

test('an uncommitted payout is cancelled, again as well, and a committed one is a no', async () => {
  const { payment } = await openEmpty();
  const { id } = take(await payment.createPayout(payout('wdr_1')));
  assert.equal(take(await payment.cancelPayout(id)).state, 'WITHDRAWAL_CANCELED');
  assert.equal(take(await payment.cancelPayout(id)).state, 'WITHDRAWAL_CANCELED');
  const other = take(await payment.createPayout(payout('wdr_2', { commit: true })));
  assert.deepEqual(gist(await payment.cancelPayout(other.id)), ['no', 'WITHDRAWAL_COMMITTED']);
});

test('a person is active or not, verified or not, or unknown', async () => {
  const { payment } = await openEmpty();
  const person = take(await payment.getUser('maria+shop@example.com'));
  assert.deepEqual([person?.isActive, person?.isVerified], [true, true]);
  assert.equal(take(await payment.getUser('inactive@example.com'))?.isActive, false);
  assert.equal(take(await payment.getUser('unverified@example.com'))?.isVerified, false);
  assert.equal(take(await payment.getUser('unknown@example.com')), null);
});

test('what is not there is a definite answer', async () => {
  const { payment } = await openEmpty();
  assert.equal(take(await payment.getPayin('nothing')), null);
  assert.equal(take(await payment.findPayinByCode('top_none')), null);
  assert.equal(take(await payment.getPayout('nothing')), null);
  assert.equal(take(await payment.findPayoutByCode('wdr_none')), null);
});

test('every refusal is a no with the provider’s code', async () => {
  const { payment } = await openEmpty();
  const cases: [string, Promise<Parameters<typeof gist>[0]>][] = [
    ['415009', payment.createPayout(payout('wdr_1', { email: 'inactive@example.com' }))],
    ['415016', payment.createPayout(payout('wdr_2', { amount: amount('1000000000.01'), commit: true }))],
    ['415906', payment.createPayout(payout('wdr_3', { email: 'not-an-email' }))],
    ['415906', payment.createPayin(payin('top_1', { returnUrl: 'nowhere' }))],
    ['415906', payment.getUser('no address')],
    ['415031', payment.cancelPayin('nothing')],
    ['415005', payment.cancelPayout('nothing')],
    ['415005', payment.commitPayout('nothing')],
  ];
  for (const [code, asked] of cases) assert.deepEqual(gist(await asked), ['no', code]);
});

test('an amount with a fraction of a cent, or too long for a JSON number, is a no before anything is sent', async () => {
  const { payment, calls } = await openEmpty();
  assert.deepEqual(gist(await payment.createPayin(payin('top_1', { amount: amount('0.001') }))), ['no', 'unsayable']);
  const long = amount('99999999999999.99');
  assert.deepEqual(gist(await payment.createPayout(payout('wdr_1', { amount: long }))), ['no', 'unsayable']);
  assert.deepEqual(
    calls.map(({ attempts }) => attempts),
    [0, 0],
  );
});

test('a wrong key is neither a no nor a missing thing', async (t) => {
  const { payment } = await openSimulators(t, { env: { PAYMENT_PROVIDER_SECRET: 'wrong' } });
  for (const asked of [payment.createPayin(payin('top_1')), payment.findPayinByCode('top_1'), payment.balance()]) {
    const got = await asked;
    assert.deepEqual([gist(got), (got as { untouched: boolean }).untouched], [['unknown', 'misconfigured'], true]);
  }
});

test('within the provider’s rate of ten a second nothing is refused, because the adapter waits', async (t) => {
  const { sandbox } = await openSimulators(t, { sandbox: { payment: { rateLimit: true } } });
  const { payment } = await openSimulators(t, {
    env: {
      PAYMENT_PROVIDER_URL: sandbox.urls.payment,
      PROVIDER_TIMEOUT_MS: '5000',
      PAYMENT_PROVIDER_RATE_PER_SECOND: '5',
    },
  });
  const answers = await Promise.all(Array.from({ length: 12 }, () => payment.balance()));
  assert.ok(answers.every(({ kind }) => kind === 'yes'));
});

test('beyond the provider’s rate a 429 is unknown and untouched', async (t) => {
  const { payment } = await openSimulators(t, { sandbox: { payment: { rateLimit: true } } });
  const answers = await Promise.all(Array.from({ length: 40 }, () => payment.findPayinByCode('top_1')));
  const limited = answers.filter((answer) => answer.kind !== 'yes');
  assert.ok(limited.length > 0);
  for (const answer of limited) {
    assert.deepEqual([gist(answer), (answer as { untouched: boolean }).untouched], [['unknown', 'rate-limited'], true]);
  }
});

test('the code decides, also under a status that says less; a 404 without one is no missing payin', async (t) => {
  const odd = await startOddOne(t, [
    say(500, { code: '415016', message: 'Insufficient balance for payout' }),
    say(404, { code: '415005', message: 'Payout not found' }),
    say(500, { code: '415998', message: 'Unexpected error' }),
    say(404, { error: 'no such page' }),
    say(200, { id: '1', code: 'top_1', status: 'SOMETHING_NEW', amount: 25.5 }),
  ]);
  const options = { baseUrl: odd.url, key: 'k', secret: 's', payerUrl: 'http://x', timeoutMs: 30_000, attemptsMax: 1 };
  const payment = createPaymentProvider(options);
  assert.deepEqual(gist(await payment.createPayout(payout('wdr_1'))), ['no', '415016']);
  assert.deepEqual(gist(await payment.createPayout(payout('wdr_1'))), ['unknown', 'provider-error']);
  assert.deepEqual(gist(await payment.findPayinByCode('top_1')), ['unknown', 'unclear']);
  assert.deepEqual(gist(await payment.findPayinByCode('top_1')), ['unknown', 'unreadable']);
});
