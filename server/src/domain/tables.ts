// The rows that commands read and write, by table, and the ways to look them up. The store maps them to SQL.

import type { ErrorCode } from '@holdfast/contract/errors.ts';
import type { ApiKey } from './api-key.ts';
import type { Deposit } from './deposit.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { Reservation } from './reservation.ts';
import type { TreasuryPayment } from './treasury-payment.ts';
import type { User } from './user.ts';
import type { Wallet } from './wallet.ts';

export type Tables = {
  users: User;
  apiKeys: ApiKey;
  reservations: Reservation;
  wallets: Wallet;
  ledgerTransactions: LedgerTransaction;
  treasuryPayments: TreasuryPayment;
  deposits: Deposit;
};

export type Lookups = {
  users: { externalUserId: string };
  apiKeys: Record<never, string>;
  /** `order`: every reservation of one user's order; `active`: all of a user's in one currency that still hold money. */
  reservations: { order: string; active: string };
  /** `owner`: see `ownedBy`. */
  wallets: { owner: string; address: string };
  /** `open`: the transaction of a source address that is on its way. */
  ledgerTransactions: { open: string };
  /** `wallet`: wallet id and kind, joined by a colon. */
  treasuryPayments: { wallet: string };
  deposits: Record<never, string>;
};

export const NOT_FOUND = {
  users: 'USER_NOT_FOUND',
  apiKeys: 'API_KEY_NOT_FOUND',
  reservations: 'RESERVATION_NOT_FOUND',
  wallets: 'WALLET_NOT_FOUND',
  ledgerTransactions: 'INTERNAL_ERROR',
  treasuryPayments: 'INTERNAL_ERROR',
  deposits: 'INTERNAL_ERROR',
} as const satisfies Record<keyof Tables, ErrorCode>;
