// Hands a signed envelope to whoever brings it onto the ledger: a call of an escrow contract to its provider, anything else
// to the ledger itself. What became of it is asked of the ledger afterwards; an answer here proves only a refusal.

import { escrowActionIn } from '../../modules/escrows/escrow-payments.ts';
import type { EscrowProvider } from '../../providers/ports.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';

export type Delivered = {
  /** Of a deployment: what the provider named. Null when it named none; undefined when no success was heard. */
  readonly contractId: string | null | undefined;
  /** Why no ledger can have taken the envelope, unless somebody had sent it before; null when it may have been taken. */
  readonly refusal: string | null;
};

/**
 * Refusals of the envelope itself, which no ledger can have taken. Any other (a used sequence number, a failed operation)
 * may come from an earlier delivery that is only not to be seen yet: that is waited for until its time is over.
 */
const NEVER_INCLUDED = new Set([
  'tx_bad_auth',
  'tx_bad_auth_extra',
  'tx_insufficient_balance',
  'tx_insufficient_fee',
  'tx_malformed',
  'tx_missing_operation',
  'tx_no_source_account',
  'tx_not_supported',
]);

/** A refusal of the provider's own, and not of the ledger behind it: then nothing was passed on. */
const isProvidersOwn = (code: string | null): boolean => code === null || /^[A-Z]/.test(code);

export type SubmitEnvelopeOptions = {
  readonly ledger: Pick<Ledger, 'submit'>;
  /** Null: there is none, so that its envelopes wait. */
  readonly escrow: Pick<EscrowProvider, 'submit'> | null;
};

export const createSubmitEnvelope = ({ ledger, escrow }: SubmitEnvelopeOptions) => {
  const throughLedger = async (envelope: string): Promise<Delivered> => {
    const answer = await ledger.submit(envelope);
    const isRefused = answer.kind === 'no' && NEVER_INCLUDED.has(answer.code ?? '');
    return { contractId: undefined, refusal: isRefused ? answer.code : null };
  };

  const throughProvider = async (envelope: string): Promise<Delivered> => {
    const answer = await escrow?.submit(envelope);
    if (answer?.kind === 'yes') return { contractId: answer.value.contractId, refusal: null };
    const isRefused = answer?.kind === 'no' && (isProvidersOwn(answer.code) || NEVER_INCLUDED.has(answer.code ?? ''));
    return { contractId: undefined, refusal: isRefused ? (answer.code ?? answer.reason) : null };
  };

  return ({ envelope, actions }: Pick<LedgerTransaction, 'envelope' | 'actions'>): Promise<Delivered> =>
    escrowActionIn(actions) ? throughProvider(envelope) : throughLedger(envelope);
};
