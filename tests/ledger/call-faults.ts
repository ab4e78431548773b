// One call of an escrow contract while the provider or the ledger misbehaves: it is made once or not at all, and a refusal is reported
// only when it is certain.

import assert from 'node:assert/strict';
import { exactUnits } from '../../tools/decimals.ts';
import type { EscrowFixture } from './escrow-fixture.ts';
import { assertBooksEqualLedger, onLedger } from './ledger-fixture.ts';

type Said = { kind: 'yes' | 'no' | 'unknown'; why?: string; code?: string | null };

type FundingFault = {
  readonly operation: 'fund' | 'send-transaction';
  readonly fault: string;
  readonly delayMs?: number;
  readonly said: Said;
  /** What the contract holds when nothing is in flight any more. */
  readonly paid: string;
};

const NOT_SIGNED = { kind: 'no', why: 'refused', code: null } as const;
const UNKNOWN = { kind: 'unknown' } as const;

/** For `npm test`: a funding that is refused, one that is made behind a lost answer, and one whose outcome is unknown. */
const FEW_FUNDINGS: readonly FundingFault[] = [
  { operation: 'fund', fault: 'refusal', said: { ...NOT_SIGNED, code: 'REFUSED' }, paid: '0.0000000' },
  { operation: 'fund', fault: 'lost-answer', said: { kind: 'yes' }, paid: '30.0000000' },
  { operation: 'send-transaction', fault: 'timeout', said: UNKNOWN, paid: '30.0000000' },
];

const MORE_FUNDINGS: readonly FundingFault[] = [
  { operation: 'fund', fault: 'wrong-amount', said: NOT_SIGNED, paid: '0.0000000' },
  { operation: 'fund', fault: 'outage', said: UNKNOWN, paid: '0.0000000' },
  {
    operation: 'fund',
    fault: 'http-200-failed',
    paid: '0.0000000',
    said: { kind: 'no', why: 'rejected', code: 'REFUSED' },
  },
  { operation: 'send-transaction', fault: 'wrong-amount', said: { kind: 'yes' }, paid: '15.0000000' },
  { operation: 'fund', fault: 'timeout', said: UNKNOWN, paid: '0.0000000' },
  { operation: 'fund', fault: 'slow', delayMs: 50, said: { kind: 'yes' }, paid: '30.0000000' },
  { operation: 'send-transaction', fault: 'lost-answer', delayMs: 5, said: { kind: 'yes' }, paid: '30.0000000' },
  { operation: 'send-transaction', fault: 'outage', said: UNKNOWN, paid: '30.0000000' },
  { operation: 'send-transaction', fault: 'refusal', said: UNKNOWN, paid: '30.0000000' },
  { operation: 'send-transaction', fault: 'slow', delayMs: 2_000, said: UNKNOWN, paid: '30.0000000' },
];

type ReadFault = { readonly operation: 'transaction-get' | 'account'; readonly fault: string };

const FEW_READS: readonly ReadFault[] = [{ operation: 'transaction-get', fault: 'outage' }];

const MORE_READS: readonly ReadFault[] = [
  { operation: 'account', fault: 'wrong-amount' },
  { operation: 'transaction-get', fault: 'timeout' },
  { operation: 'transaction-get', fault: 'refusal' },
  { operation: 'transaction-get', fault: 'wrong-amount' },
  { operation: 'account', fault: 'timeout' },
  { operation: 'account', fault: 'refusal' },
  { operation: 'account', fault: 'outage' },
];

export const FEW = { fundings: FEW_FUNDINGS, reads: FEW_READS };
export const EVERY = { fundings: [...FEW_FUNDINGS, ...MORE_FUNDINGS], reads: [...FEW_READS, ...MORE_READS] };

/** Returns what the contract holds after the fault, and after the call was repeated. */
export const fundUnder = async (
  { environment, server, order }: EscrowFixture,
  { operation, fault, delayMs, said, paid }: FundingFault,
): Promise<{ first: bigint | null; last: bigint | null }> => {
  const contractId = await order.deployed();
  const held = async (): Promise<bigint | null> => {
    const answer = await server.provider.balances([contractId]);
    return answer.kind === 'yes' ? answer.value[0]!.balance : null;
  };
  environment.sandbox.faults.arm({ operation, fault, ...(delayMs === undefined ? {} : { delayMs }) });
  const sent = await order.send('fund');
  assert.equal(sent.kind, said.kind, 'reason' in sent ? sent.reason : '');
  if (sent.kind === 'no') assert.deepEqual([sent.why, sent.code], [said.why, said.code]);
  if (sent.kind === 'yes') assert.deepEqual(sent.paid, [exactUnits(paid)]);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  const first = await held();
  const { transactionId } = await order.escrow();
  const isDone = paid !== '0.0000000';
  assert.deepEqual([transactionId, (await order.calls()).includes('fund')], [null, isDone]);
  assert.deepEqual(environment.sandbox.faults.list(), [], 'the fault struck');
  const again = await order.send('fund');
  if (isDone) assert.ok(again.kind === 'no' && again.why === 'superseded', 'it is not made twice');
  else assert.equal(again.kind, 'yes');
  const last = await held();
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  return { first, last };
};

export const expectedOf = ({ paid }: FundingFault): { first: bigint; last: bigint } => ({
  first: exactUnits(paid),
  last: paid === '0.0000000' ? 300_000_000n : exactUnits(paid),
});

/** Returns the seller's balance. */
export const releaseWhile = async (
  { environment, server, order }: EscrowFixture,
  { operation, fault }: ReadFault,
): Promise<string> => {
  await order.funded();
  await order.make('change-status');
  await order.make('approve');
  environment.sandbox.faults.arm({ operation, fault, count: 2 });
  const sent = await order.send('release');
  environment.sandbox.faults.clear();
  if (sent.kind === 'unknown' && sent.hash === null) await order.make('release');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  assert.ok((await order.calls()).includes('release'));
  return onLedger(environment.sandbox, order.seller.address)!.usdc;
};
