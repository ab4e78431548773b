// Decides from our rows whether a sequence number may be used for a new transaction. It signs and sends nothing.

import type { Adoption } from '../adoption/adoption.ts';
import { areEarlierCertain, type FinishParts } from './finish-transaction.ts';
import { notSent, type TransactionOutcome } from './outcome.ts';
import type { LedgerTransactionReads, OpenTransaction } from './queries.ts';

type CheckParts = Omit<FinishParts, 'adoption'> & {
  readonly adoption: Adoption;
  readonly transactions: Pick<LedgerTransactionReads, 'findOpen' | 'numberOf' | 'rejectedOf' | 'expiredWith'>;
};

type Numbered = {
  readonly place: OpenTransaction;
  readonly sequence: bigint;
  /** The number comes from the memory of this process. */
  readonly isRemembered: boolean;
};

/** The transaction that used the number before is not in the rows: the missing transactions are read from the ledger. */
const catchUp = async (
  { adoption, transactions }: CheckParts,
  { place, sequence }: Numbered,
): Promise<'again' | TransactionOutcome> => {
  const adopted = await adoption.adopt(place);
  if (adopted.kind !== 'yes') return notSent(adopted.reason);
  const isKnown = (await adoption.isKnown(place, sequence - 1n)) || (await transactions.findOpen(place)) !== null;
  return isKnown ? 'again' : notSent('The ledger has not shown the last transaction of this wallet yet.');
};

/**
 * Before a number is signed, the transaction that used the number before it must be known. It is not when the database is older than
 * the ledger: then this wallet may have paid already what it is about to pay. Null: the number may be used. `again`: another number has
 * to be tried.
 */
export const checkNumber = async (
  parts: CheckParts,
  numbered: Numbered,
): Promise<'again' | TransactionOutcome | null> => {
  const { place, sequence, isRemembered } = numbered;
  const known = await parts.transactions.numberOf(place, sequence);
  if (!known.isPreviousUsed && !(await parts.adoption.isKnown(place, sequence - 1n))) return catchUp(parts, numbered);
  if (known.hasUncertain && !(await areEarlierCertain(parts, { ...place, sequence: String(sequence) }))) {
    return notSent('The outcome of an earlier transaction, rejected or expired, is unknown.');
  }
  // An uncertain transaction may just have been found on the ledger.
  const isUsed = known.hasUncertain ? await parts.adoption.isUsed(place, sequence) : known.isUsed;
  if (!isUsed) return null;
  // Another process has used the remembered number: the next attempt reads the account.
  return isRemembered ? 'again' : notSent('The ledger shows an older state of this wallet.');
};
