// Brings a recorded transaction to a certain outcome: submits it, reads its outcome from the ledger, settles it. Everything here
// runs in the queue of the transaction's wallet.

import { type Answer, yes } from '../../base/answer.ts';
import type { RetryTimers } from '../../base/retry-timers.ts';
import type { Context } from '../../commit/command.ts';
import type { Adoption } from '../adoption/adoption.ts';
import type { HoldReads } from '../holds/queries.ts';
import type { BumpTransaction } from './bump-transaction.ts';
import { escrowActionIn } from './contract-moves.ts';
import type { KnownNumbers } from './known-numbers.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { ReadOutcome, TransactionOutcome } from './outcome.ts';
import type { LedgerTransactionReads, OpenTransaction } from './queries.ts';
import type { Settle } from './settle.ts';
import type { Ending } from './settle-transaction.ts';
import { isFeeRefusal, type SubmitEnvelope } from './submit-envelope.ts';

/** The persisted steps of a transaction, in order. Tests stop here as a crash would. */
export type Step = 'signed' | 'recorded' | 'submitted' | 'looked-up' | 'settled';

export type FinishParts = {
  readonly transactions: Pick<LedgerTransactionReads, 'findOpen' | 'rejectedOf' | 'expiredWith'>;
  readonly readOutcome: ReadOutcome;
  readonly submitEnvelope: SubmitEnvelope;
  readonly settle: Settle;
  readonly adoption: Pick<Adoption, 'adopt'>;
  readonly holds: Pick<HoldReads, 'ofDeployment'>;
  readonly bump: BumpTransaction;
  readonly numbers: KnownNumbers;
  readonly retries: Pick<RetryTimers<OpenTransaction>, 'retryLater' | 'isAtMaximum'>;
  onTrouble(message: string, error: unknown): void;
  onStep(step: Step, transactionId: string): void;
};

type Recorded = { readonly marketplaceId: string; readonly transaction: LedgerTransaction };
type ContractId = Extract<TransactionOutcome, { kind: 'yes' }>['contractId'];
type Ended = Recorded & { readonly ending: Ending; readonly contractId: ContractId };
type Read = Recorded & { readonly outcome: Answer<Ending | null>; readonly contractId: ContractId };

/** The actor id is stored in the audit trail and keeps its old name. */
export const contextOf = (marketplaceId: string, hash: string): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'purser' },
  requestId: `ledger-${hash}`,
});

const placeOf = ({ marketplaceId, transaction }: Recorded): OpenTransaction => ({
  marketplaceId,
  source: transaction.source,
});

const outcomeOf = (settled: LedgerTransaction, { ending, contractId }: Ended): TransactionOutcome => {
  const { id: hash, state, failure } = settled;
  if (ending.kind === 'succeeded' && state === 'SUCCEEDED') {
    return { kind: 'yes', hash, paid: ending.paid, contractId };
  }
  if (ending.kind === 'succeeded' || state === 'SUCCEEDED') {
    return { kind: 'unknown', hash, reason: 'Another process settled the transaction with another outcome.' };
  }
  const code = 'reason' in ending ? ending.reason : null;
  return { kind: 'no', hash, reason: failure ?? 'the transaction failed', why: ending.kind, code };
};

const settle = async (parts: FinishParts, ended: Ended): Promise<TransactionOutcome> => {
  const { marketplaceId, transaction, ending } = ended;
  const settled = await parts.settle({
    context: contextOf(marketplaceId, transaction.id),
    transaction,
    ending,
    isLastTry: parts.retries.isAtMaximum(placeOf(ended)),
  });
  parts.onStep('settled', transaction.id);
  if (ending.kind === 'succeeded' && settled.state === 'SUCCEEDED') parts.numbers.confirm(transaction);
  return outcomeOf(settled, ended);
};

/** Settles when the outcome is certain. Otherwise it is read again later. */
const conclude = async (parts: FinishParts, read: Read): Promise<TransactionOutcome> => {
  const { transaction, outcome } = read;
  const { id: hash } = transaction;
  parts.onStep('looked-up', hash);
  if (outcome.kind === 'yes' && outcome.value !== null) {
    try {
      return await settle(parts, { ...read, ending: outcome.value });
    } catch (error) {
      parts.onTrouble('a transaction could not be settled; it will be retried', error);
      parts.retries.retryLater(placeOf(read));
      return { kind: 'unknown', hash, reason: 'The outcome could not be written into the books yet.' };
    }
  }
  // Another transaction may have used the number. If the ledger shows it, the next attempt knows that this one has expired.
  if (outcome.kind === 'unknown' && outcome.code === 'stale') await parts.adoption.adopt(placeOf(read));
  parts.retries.retryLater(placeOf(read));
  const reason = outcome.kind === 'yes' ? 'The transaction is in no ledger yet.' : outcome.reason;
  return { kind: 'unknown', hash, reason };
};

/** Only the refusal of a first submission is certain: an earlier one may have put the envelope into a ledger. */
export const submitRecorded = async (
  parts: FinishParts,
  { isFirst, ...recorded }: Recorded & { readonly isFirst: boolean },
): Promise<TransactionOutcome> => {
  const { transaction } = recorded;
  const { marketplaceId } = recorded;
  const submitted = await parts.submitEnvelope(transaction, marketplaceId);
  parts.onStep('submitted', transaction.id);
  const first = await parts.readOutcome(transaction, marketplaceId);
  const isPending = first.kind === 'yes' && first.value === null;
  // The fee of our own transactions can be raised. A contract call is prepared again by its provider.
  const isForFee = submitted.kind === 'no' && isFeeRefusal(submitted.code) && !escrowActionIn(transaction.actions);
  const isRejected = isPending && isFirst && submitted.kind === 'no' && !isForFee;
  const isBumped = isPending && !isRejected && (await parts.bump({ ...recorded, isRefused: isForFee }));
  const outcome = isBumped ? await parts.readOutcome(transaction, marketplaceId) : first;
  // The ledger has gone beyond the number and does not show this transaction: another one may have used it.
  const isOvertaken = isPending && submitted.kind === 'unknown' && submitted.code === 'stale';
  const seen = isOvertaken ? submitted : outcome;
  return conclude(parts, {
    ...recorded,
    outcome: isRejected ? yes({ kind: 'rejected', reason: submitted.code ?? submitted.reason }) : seen,
    contractId: submitted.kind === 'yes' ? submitted.value.contractId : undefined,
  });
};

/** Finishes the open transaction of an address. Null when there is none. */
export const finishOpen = async (parts: FinishParts, place: OpenTransaction): Promise<TransactionOutcome | null> => {
  const transaction = await parts.transactions.findOpen(place);
  if (!transaction) return null;
  const { marketplaceId } = place;
  const outcome = await parts.readOutcome(transaction, marketplaceId);
  const recorded = { marketplaceId, transaction };
  const isPending = outcome.kind === 'yes' && outcome.value === null;
  // An envelope that was signed before the hold of all payments is not submitted again while the hold lasts.
  const isHeld = isPending && (await parts.holds.ofDeployment())?.held === true;
  return isPending && !isHeld
    ? submitRecorded(parts, { ...recorded, isFirst: false })
    : conclude(parts, { ...recorded, outcome, contractId: undefined });
};

/** A rejected envelope stays valid until it expires. If the ledger included it after all, that is booked. False: unknown. */
export const checkRejected = async (parts: FinishParts, rejected: Recorded): Promise<boolean> => {
  const outcome = await parts.readOutcome(rejected.transaction, rejected.marketplaceId);
  // The transaction that used its number is not in the rows. When it is, the next check knows that this one has expired.
  if (outcome.kind === 'unknown' && outcome.code === 'stale') await parts.adoption.adopt(placeOf(rejected));
  if (outcome.kind !== 'yes') return false;
  if (outcome.value !== null) await settle(parts, { ...rejected, ending: outcome.value, contractId: undefined });
  return true;
};

/**
 * Called after a transaction was built: from now on its sequence number keeps the rejected ones out of the ledger, and those that were
 * taken for expired with the same number. The latter are looked at once more before their payments are made again.
 */
export const areEarlierCertain = async (
  parts: FinishParts,
  { sequence, ...place }: OpenTransaction & { readonly sequence: string },
): Promise<boolean> => {
  const { marketplaceId } = place;
  try {
    const expired = await parts.transactions.expiredWith(place, sequence);
    for (const transaction of [...expired, ...(await parts.transactions.rejectedOf(place))]) {
      if (!(await checkRejected(parts, { marketplaceId, transaction }))) return false;
    }
    return true;
  } catch (error) {
    parts.onTrouble('an earlier transaction is on the ledger and could not be settled yet', error);
    return false;
  }
};
