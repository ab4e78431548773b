// What a transaction has to be before it is signed, said by whoever asked for it and in our own words. The signer compares
// the transaction with this and with nothing that came along with the transaction.

import type { Amount } from '../../books/money.ts';
import type { EscrowStep } from '../../providers/ports.ts';
import type { LedgerAction } from '../transactions/ledger-transaction.ts';

export type DeployStep = Extract<EscrowStep, { kind: 'deploy' }>;
export type FundStep = Extract<EscrowStep, { kind: 'fund' }>;

/** Every transaction is checked for these, whatever it does. */
export type Frame = {
  /** Of the network that it is meant for, as the ledger itself named it. */
  readonly networkPassphrase: string;
  readonly source: string;
  /** Absent: whoever prepared it chose the number. */
  readonly sequence?: bigint;
  /** The most that the network may take for it. */
  readonly feeMax: Amount;
  /** The ledger's time, which is not this machine's. */
  readonly ledgerTimeMs: number;
  /** How far its last moment may be from there. */
  readonly validMaxMs: number;
};

/**
 * `actions`: our own transactions, by the very actions that are booked when they succeed.
 * `escrow`: one call of an escrow contract, as it was asked of the provider. Funding names the escrow by the terms it
 * was deployed with, because they are an argument of the call.
 */
export type Purpose =
  | { readonly kind: 'actions'; readonly actions: readonly LedgerAction[] }
  | { readonly kind: 'escrow'; readonly step: Exclude<EscrowStep, FundStep> }
  | { readonly kind: 'escrow'; readonly step: FundStep; readonly terms: DeployStep };

export type Expectation = Frame & { readonly purpose: Purpose };
