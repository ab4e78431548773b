// What a kind of correction is: it looks at the outside systems first, without a transaction, and then decides on the rows as they are at
// that time. It books only what it has seen there. A fact that is unknown is no fact: the correction is refused.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { CorrectionKind } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Amount } from '../../books/money.ts';
import type { Context, Needs, UnitOfWork } from '../../commit/command.ts';
import type { Reaction } from '../../commit/reactions.ts';
import type { Escrow } from '../escrows/escrow.ts';
import type { Figures } from './correction.ts';

export type CorrectionRequest = {
  readonly kind: CorrectionKind;
  readonly resourceId: string;
  readonly reason: string;
  /** Null: the caller named no amount. */
  readonly amount: Amount | null;
};

/** A request, and what its kind has seen in the outside systems. */
export type Asked<Seen> = { readonly request: CorrectionRequest; readonly seen: Seen };

export type Corrected = {
  readonly before: Figures;
  readonly after: Figures;
  /** What it moved. Null: no money. */
  readonly amount: Amount | null;
  readonly currency: Currency | null;
  /** The order that it concerns: its timeline shows the correction. */
  readonly orderId: string | null;
};

type KindOfCorrection<Seen> = {
  /** Asks the outside systems. Refuses what cannot fit, and what is unknown. */
  look(context: Context, request: CorrectionRequest): Promise<Seen>;
  /** What has to be done on the ledger before the decision; refuses when that is impossible now. Not for a preview, which does nothing. */
  prepare?(context: Context, asked: Asked<Seen>): Promise<void>;
  needs(asked: Asked<Seen>): Needs;
  needsNext?(asked: Asked<Seen>, work: UnitOfWork): Needs;
  /** Decides on the rows as they are now, which may have changed since the look. */
  decide(work: UnitOfWork, asked: Asked<Seen>): Corrected;
  /** What this process does after the commit, such as to run an operation that the correction began. */
  reactions?(asked: Asked<Seen>): readonly Reaction[];
};

export type AnyKind = KindOfCorrection<unknown>;

/** The precise type ends here: the command gives every kind what its own look returned. */
export const correctionKind = <Seen>(kind: KindOfCorrection<Seen>): AnyKind => kind as unknown as AnyKind;

export type Kinds = Readonly<Record<CorrectionKind, AnyKind>>;

type Refused = Pick<CorrectionRequest, 'kind' | 'resourceId'> & {
  /** Why it does not fit, and what the caller can do now. */
  readonly message: string;
  readonly facts: Figures;
};

/** The facts are known, and the correction does not fit them. */
export const doesNotFit = ({ kind, resourceId, message, facts }: Refused): DomainError =>
  new DomainError('CORRECTION_REFUSED', { message, details: { kind, resourceId, facts } });

type Unknown = {
  readonly provider: 'payment-provider' | 'escrow-provider' | 'ledger-network';
  readonly reason: string;
  readonly facts: Figures;
};

/** An outside system has not answered, so nothing is decided. */
export const factsUnknown = ({ provider, reason, facts }: Unknown): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message:
      'An outside system did not say what happened, so nothing was changed. Try the correction again in a few seconds.',
    details: { provider, reason, facts },
  });

/**
 * A call that the network or the provider refused stays valid until it expires, and the ledger may include it after all. Uses up the
 * sequence numbers of such calls of the escrow. Null: none of them can be included any more. Otherwise the reason.
 */
export type VoidRefusedCalls = (marketplaceId: string, escrow: Escrow) => Promise<string | null>;

/** The escrow of an order before its refused calls were made invalid. Each later call changes the row. */
type SeenEscrow = Pick<Escrow, 'id' | 'updatedAt'> | null;

type Voiding = {
  readonly voidRefusedCalls: VoidRefusedCalls;
  readonly context: Context;
  readonly escrow: Escrow | null;
  readonly facts: Figures;
};

/** Refuses the correction while a refused call of the escrow may still be included. An open call is refused by the decision. */
export const requireVoided = async (
  { kind, resourceId }: CorrectionRequest,
  { voidRefusedCalls, context, escrow, facts }: Voiding,
): Promise<void> => {
  if (escrow === null || escrow.transactionId !== null) return;
  const reason = await voidRefusedCalls(context.marketplaceId, escrow);
  if (reason === null) return;
  const message =
    `A signed call was refused, and the ledger may still accept it: its sequence number cannot be used up now (${reason}). ` +
    'Try the correction again when that has ended, or in 15 minutes, when the call has expired.';
  throw doesNotFit({ kind, resourceId, message, facts });
};

/** Another call was made since: it may have been refused too, and was not made invalid. */
export const isAsSeen = (seen: SeenEscrow, escrow: Escrow | null): boolean =>
  seen?.id === escrow?.id && seen?.updatedAt === escrow?.updatedAt;

/** The next step when the escrow is not as it was seen. */
export const CALLED_SINCE = 'A call of the contract was made in the meantime. Try the correction again in a minute.';
