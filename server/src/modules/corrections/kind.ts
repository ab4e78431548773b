// What a kind of correction is: it looks at the outside systems first, without a transaction, and then decides on the rows as they are at
// that time. It books only what it has seen there. A fact that is unknown is no fact: the correction is refused.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { CorrectionKind } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Amount } from '../../books/money.ts';
import type { Context, Needs, UnitOfWork } from '../../commit/command.ts';
import type { Reaction } from '../../commit/reactions.ts';
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
