// What a transaction has to be before it is signed, as the requesting code states it. The signer compares the transaction with this and
// trusts nothing that came with the transaction.

import type { Amount } from '../../books/money.ts';
import type { EscrowStep } from '../../providers/ports.ts';
import type { LedgerAction } from '../transactions/ledger-transaction.ts';

export type DeployStep = Extract<EscrowStep, { kind: 'deploy' }>;
export type FundStep = Extract<EscrowStep, { kind: 'fund' }>;

/** Every transaction is checked for these. */
export type Frame = {
  /** The passphrase of the network, as the ledger itself reported it. */
  readonly networkPassphrase: string;
  readonly source: string;
  /** Absent: the provider that prepared the transaction chose the number. */
  readonly sequence?: bigint;
  /** The highest fee of the transaction. */
  readonly feeMax: Amount;
  /** The ledger's time, which may differ from this machine's. */
  readonly ledgerTimeMs: number;
  /** How long after the ledger's time the transaction may stay valid. */
  readonly validMaxMs: number;
};

/**
 * `actions`: our own transactions, by the actions that are booked when they succeed.
 * `escrow`: one call of an escrow contract, as the provider was asked to prepare it. A funding names the terms that the contract was
 * deployed with, because they are an argument of the call.
 */
export type Purpose =
  | { readonly kind: 'actions'; readonly actions: readonly LedgerAction[] }
  | { readonly kind: 'escrow'; readonly step: Exclude<EscrowStep, FundStep> }
  | { readonly kind: 'escrow'; readonly step: FundStep; readonly terms: DeployStep };

export type Expectation = Frame & { readonly purpose: Purpose };
