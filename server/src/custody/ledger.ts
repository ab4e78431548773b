// What the purser and the treasury ask of the ledger network, and how they read an account. Types and looks only.

import type { Amount } from '../domain/money.ts';
import { ZERO } from '../domain/money.ts';
import type { Asset } from '../domain/wallet.ts';
import type { Answer, LedgerAccount, LedgerAsset, LedgerNetwork, LedgerPayment } from '../providers/ports.ts';

/** A transaction on the ledger and what the network took for it, also when it failed. */
export type IncludedTransaction = {
  readonly state: 'succeeded' | 'failed';
  readonly feeCharged: Amount;
  readonly feeAccount: string;
  /** Why it failed. */
  readonly code?: string;
};

export type Ledger = Pick<LedgerNetwork, 'passphrase' | 'account' | 'submit' | 'latestLedger' | 'friendbot'> & {
  transaction(hash: string): Promise<Answer<IncludedTransaction | { readonly state: 'missing' }>>;
  /** What a transaction really moved, in the order of its operations; new accounts are among them. */
  paymentsOf(hash: string): Promise<Answer<readonly Pick<LedgerPayment, 'to' | 'asset' | 'amount'>[]>>;
};

const isMeant = (one: LedgerAsset, { asset, usdc }: { asset: Asset; usdc: LedgerAsset }): boolean =>
  asset === 'XLM' ? one.issuer === null : one.code === usdc.code && one.issuer === usdc.issuer;

/** What an account holds of one of our assets. */
export const onLedger = (account: LedgerAccount, of: { asset: Asset; usdc: LedgerAsset }): Amount =>
  account.balances.find((balance) => isMeant(balance.asset, of))?.amount ?? ZERO;

/** Whether a payment moved the asset that was meant. */
export const movesAsset = (payment: Pick<LedgerPayment, 'asset'>, of: { asset: Asset; usdc: LedgerAsset }): boolean =>
  isMeant(payment.asset, of);
