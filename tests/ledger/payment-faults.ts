// One payment from one of our wallets to another while the ledger misbehaves: it is paid once or not at all, the books equal the
// ledger, and the wallet is free again afterwards.

import assert from 'node:assert/strict';
import type { Wallet } from '../../server/src/ledger/keys/wallet.ts';
import { until } from '../../tools/until.ts';
import { assertBooksEqualLedger, type Environment, onLedger, type Process, shareServer } from './ledger-fixture.ts';

/** `ann` has 100 USDC, `bob` has none. */
type PaymentFixture = {
  readonly environment: Environment;
  readonly server: Process;
  readonly ann: Wallet;
  readonly bob: Wallet;
};

export const SHORT_TIMEOUT = { timeoutMs: 1_000 };

/** Two new users for each test, in one environment for all tests of the file. */
export const sharePayments = (): (() => Promise<PaymentFixture>) => {
  const shared = shareServer(SHORT_TIMEOUT);
  return async () => {
    const { environment, server } = shared();
    const [ann, bob] = await Promise.all([server.richUser('100'), server.user()]);
    return { environment, server, ann, bob };
  };
};

export const received = ({ sandbox }: Environment, { address }: { address: string }) =>
  onLedger(sandbox, address)!.usdc;

type SubmissionFault = {
  readonly fault: string;
  readonly delayMs: number | null;
  /** The answer of the sender when it is not `unknown`. */
  readonly said: 'yes' | 'no';
  /** The receiver's final balance. */
  readonly paid: string;
};

const FEW_SUBMISSIONS: readonly SubmissionFault[] = [
  { fault: 'timeout', delayMs: null, said: 'yes', paid: '5.0000000' },
  { fault: 'lost-answer', delayMs: 5, said: 'yes', paid: '5.0000000' },
  { fault: 'refusal', delayMs: null, said: 'no', paid: '0.0000000' },
  { fault: 'wrong-amount', delayMs: null, said: 'yes', paid: '2.5000000' },
];

const MORE_SUBMISSIONS: readonly SubmissionFault[] = [
  { fault: 'outage', delayMs: null, said: 'yes', paid: '5.0000000' },
  { fault: 'slow', delayMs: 1_600, said: 'yes', paid: '5.0000000' },
  { fault: 'http-200-failed', delayMs: null, said: 'yes', paid: '5.0000000' },
  { fault: 'timeout', delayMs: 5, said: 'yes', paid: '5.0000000' },
  { fault: 'lost-answer', delayMs: null, said: 'yes', paid: '5.0000000' },
  { fault: 'slow', delayMs: 100, said: 'yes', paid: '5.0000000' },
];

type ReadFault = { readonly operation: 'transaction-get' | 'account'; readonly fault: string };

const FEW_READS: readonly ReadFault[] = [
  { operation: 'transaction-get', fault: 'wrong-amount' },
  { operation: 'account', fault: 'outage' },
];

const MORE_READS: readonly ReadFault[] = [
  { operation: 'transaction-get', fault: 'timeout' },
  { operation: 'account', fault: 'refusal' },
  { operation: 'transaction-get', fault: 'refusal' },
  { operation: 'transaction-get', fault: 'slow' },
  { operation: 'transaction-get', fault: 'outage' },
  { operation: 'account', fault: 'timeout' },
  { operation: 'account', fault: 'slow' },
  { operation: 'account', fault: 'wrong-amount' },
];

/** For `npm test`: a submission of each outcome, and each kind of read once. */
export const FEW = { submissions: FEW_SUBMISSIONS, reads: FEW_READS };
export const EVERY = {
  submissions: [...FEW_SUBMISSIONS, ...MORE_SUBMISSIONS],
  reads: [...FEW_READS, ...MORE_READS],
};

/** Returns the state of the transaction and the receiver's balance. */
export const payUnder = async (
  fixture: PaymentFixture,
  row: SubmissionFault,
): Promise<{ state: string; paid: string }> => {
  const { environment, server, ann, bob } = fixture;
  const { fault, delayMs, said } = row;
  environment.sandbox.faults.arm({ operation: 'payment', fault, ...(delayMs === null ? {} : { delayMs }) });
  const sent = await server.pay(ann, bob, '5.00');
  assert.ok(sent.kind === said || sent.kind === 'unknown', `${sent.kind}`);
  assert.notEqual(sent.hash, null);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  const paid = received(environment, bob);
  const { rows } = await server.pool.query('select state from ledger_transactions where id = $1', [sent.hash]);
  assert.deepEqual(environment.sandbox.faults.list(), [], 'the fault struck');
  assert.equal((await server.pay(ann, bob, '1.00')).kind, 'yes', 'the wallet is free again');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  return { state: rows[0].state, paid };
};

/** Returns the receiver's balance. */
export const payWhile = async (fixture: PaymentFixture, { operation, fault }: ReadFault): Promise<string> => {
  const { environment, server, ann, bob } = fixture;
  environment.sandbox.faults.arm({ operation, fault, count: 2, ...(fault === 'slow' ? { delayMs: 50 } : {}) });
  const first = await server.pay(ann, bob, '5.00');
  if (first.hash === null) {
    assert.equal(first.kind, 'unknown');
    assert.equal(received(environment, bob), '0.0000000');
    await until(async () => (await server.pay(ann, bob, '5.00')).kind === 'yes', 'it was paid');
  }
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  const paid = received(environment, bob);
  environment.sandbox.faults.clear();
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  return paid;
};

export const nameOf = ({ fault, delayMs }: SubmissionFault): string =>
  delayMs === null ? fault : `${fault} of ${delayMs} ms`;
