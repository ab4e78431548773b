// Submits a signed envelope: a call of an escrow contract through its provider, any other transaction to the ledger itself. The
// outcome is read from the ledger afterwards. A no here proves that this envelope is in no ledger, unless it was sent before.

import { type Answer, no, type Unknown, unknown, yes } from '../../base/answer.ts';
import type { EscrowProvider } from '../../providers/ports.ts';
import { escrowActionIn } from './contract-moves.ts';
import { asUnknown, type Ledger } from './ledger.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';

/** `contractId`: the address that the provider gave for a deployment; null when it gave none. */
type Submitted = { readonly contractId: string | null };

/**
 * Refusals of the envelope itself, which no ledger can have included. Any other refusal (a used sequence number, a failed
 * operation) may come from an earlier submission that is not visible yet: then we wait until the envelope has expired.
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

/** The network did not include the envelope for its fee. The bid can be raised, so this is no reason to give up. */
export const isFeeRefusal = (code: string | null): boolean => code !== null && /insufficient_fee$/i.test(code);

/** A refusal by the provider and not by the ledger behind it: then nothing was submitted. */
const isProvidersOwn = (code: string | null): boolean => code === null || /^[A-Z]/.test(code);

const NO_PROVIDER: Unknown = unknown('No escrow provider is configured.', { code: 'misconfigured', untouched: true });

type SubmitEnvelopeOptions = {
  readonly ledger: Pick<Ledger, 'submit'>;
  /** Null: none is configured, so its envelopes wait. */
  readonly escrow: Pick<EscrowProvider, 'forMarketplace'> | null;
};

export type SubmitEnvelope = (
  transaction: Pick<LedgerTransaction, 'envelope' | 'actions'>,
  marketplaceId: string,
) => Promise<Answer<Submitted>>;

export const createSubmitEnvelope = ({ ledger, escrow }: SubmitEnvelopeOptions): SubmitEnvelope => {
  const throughLedger = async (envelope: string): Promise<Answer<Submitted>> => {
    const answer = await ledger.submit(envelope);
    if (answer.kind === 'yes') return yes({ contractId: null });
    if (answer.kind === 'no' && answer.code === 'tx_bad_seq') return unknown(answer.reason, { code: 'stale' });
    return answer.kind === 'no' && NEVER_INCLUDED.has(answer.code ?? '') ? answer : asUnknown(answer);
  };

  const throughProvider = async (envelope: string, marketplaceId: string): Promise<Answer<Submitted>> => {
    const answer = await escrow?.forMarketplace(marketplaceId).submit(envelope);
    if (answer === undefined) return NO_PROVIDER;
    if (answer.kind === 'yes') return yes({ contractId: answer.value.contractId });
    const isCertain = answer.kind === 'no' && (isProvidersOwn(answer.code) || NEVER_INCLUDED.has(answer.code ?? ''));
    return isCertain ? no(answer.reason, answer) : asUnknown(answer);
  };

  return ({ envelope, actions }, marketplaceId) =>
    escrowActionIn(actions) ? throughProvider(envelope, marketplaceId) : throughLedger(envelope);
};
