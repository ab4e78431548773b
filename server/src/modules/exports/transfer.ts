// A transfer: one movement of money between two accounts. The books have it as two postings, one for each account.

import type { Amount } from '../../books/money.ts';

export type Transfer = {
  readonly auditSeq: bigint;
  /** The number of the posting on the account that received the money. */
  readonly seq: bigint;
  /** Ids of accounts of the books. */
  readonly from: string;
  readonly to: string;
  readonly amount: Amount;
  readonly move: string;
  readonly reference: string | null;
  readonly description: string | null;
  readonly postedAt: string;
};

const textOrder = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

const order = (one: Transfer, other: Transfer): number => {
  if (one.auditSeq !== other.auditSeq) return one.auditSeq < other.auditSeq ? -1 : 1;
  return textOrder(one.to, other.to) || (one.seq < other.seq ? -1 : 1);
};

/** The order of an export: by the audit chain, then by account and number, so that every export has the same order. */
export const inOrder = (transfers: readonly Transfer[]): Transfer[] => transfers.toSorted(order);
