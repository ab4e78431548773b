// The part of the ledger network that the transaction sender and the treasury use, and how they read an account.

import { type No, type Unknown, unknown } from '../../base/answer.ts';
import { type Amount, ZERO } from '../../books/money.ts';
import type { LedgerAccount, LedgerAsset, LedgerNetwork, LedgerPayment } from '../../providers/ports.ts';
import type { Asset } from '../keys/wallet.ts';

export type Ledger = Pick<
  LedgerNetwork,
  | 'passphrase'
  | 'account'
  | 'payments'
  | 'submit'
  | 'latestLedger'
  | 'friendbot'
  | 'transaction'
  | 'transactionsOf'
  | 'paymentsOf'
  | 'feeStats'
>;

/** A failed read says nothing about the money: it is unknown, also when the ledger refused the read. */
export const asUnknown = (answer: No | Unknown): Unknown =>
  answer.kind === 'unknown' ? answer : unknown(answer.reason, { code: 'unclear' });

const isAsset = (one: LedgerAsset, { asset, usdc }: { asset: Asset; usdc: LedgerAsset }): boolean =>
  asset === 'XLM' ? one.issuer === null : one.code === usdc.code && one.issuer === usdc.issuer;

/** The balance of an account in one of our assets. */
export const onLedger = (account: LedgerAccount, of: { asset: Asset; usdc: LedgerAsset }): Amount =>
  account.balances.find((balance) => isAsset(balance.asset, of))?.amount ?? ZERO;

/** Whether a payment moved this asset. */
export const movesAsset = (payment: Pick<LedgerPayment, 'asset'>, of: { asset: Asset; usdc: LedgerAsset }): boolean =>
  isAsset(payment.asset, of);
