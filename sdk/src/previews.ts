// The answer to a call with `dryRun: true`: what the call would do now. Nothing is changed.

import type { WaitingForApproval } from './printed/approvals.ts';
import type { CurrencyCode } from './printed/fields.ts';

/** A balance at one moment, as exact decimal strings: two places, or more when needed. */
export type PreviewFigures = { available: string; reserved: string };

/** What a call would do now, if nothing changed in between. `Reply` is what the call itself returns. */
export type Preview<Reply> = {
  /** The HTTP status that the call would get. */
  status: number;
  /** What the call would return. Ids, times and addresses of new records are others when it is carried out. */
  reply: Reply;
  /** The money moves, in their order. */
  postings: { from: string; to: string; amount: string; currency: CurrencyCode; move: string }[];
  /** The balances of the users whose money would move. */
  balances: { userId: string; currency: CurrencyCode; before: PreviewFigures; after: PreviewFigures }[];
  /** The events that would be emitted, in their order. */
  events: { type: string; aggregateId: string; payload: Record<string, unknown> }[];
  /** The calls of outside systems that the call would lead to. The preview assumes that they succeed. */
  calls: { system: 'escrow-provider' | 'ledger-network' | 'payment-provider'; operation: string }[];
};

/**
 * A preview where the options say `dryRun: true`. Where they say `approvals: true`, the reply or the approval that the request waits for.
 * Else the reply itself.
 */
export type MaybePreview<Reply, Options> = Options extends { dryRun: true }
  ? Preview<Reply>
  : Options extends { approvals: true }
    ? Reply | WaitingForApproval
    : Reply;
