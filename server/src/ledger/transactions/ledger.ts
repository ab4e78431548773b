// What the sender and the treasury ask of the ledger network, and how they read an account. Types and looks only.

import type { Amount } from '../../books/money.ts';
import { ZERO } from '../../books/money.ts';
import type { LedgerAccount, LedgerAsset, LedgerNetwork, LedgerPayment } from '../../providers/ports.ts';
import type { Asset } from '../keys/wallet.ts';

export type Ledger = Pick<
  LedgerNetwork,
  'passphrase' | 'account' | 'payments' | 'submit' | 'latestLedger' | 'friendbot' | 'transaction' | 'paymentsOf'
>;

const isMeant = (one: LedgerAsset, { asset, usdc }: { asset: Asset; usdc: LedgerAsset }): boolean =>
  asset === 'XLM' ? one.issuer === null : one.code === usdc.code && one.issuer === usdc.issuer;

/** What an account holds of one of our assets. */
export const onLedger = (account: LedgerAccount, of: { asset: Asset; usdc: LedgerAsset }): Amount =>
  account.balances.find((balance) => isMeant(balance.asset, of))?.amount ?? ZERO;

/** Whether a payment moved the asset that was meant. */
export const movesAsset = (payment: Pick<LedgerPayment, 'asset'>, of: { asset: Asset; usdc: LedgerAsset }): boolean =>
  isMeant(payment.asset, of);
