// The rows that commands read and write, by table, and the ways to look them up. The store maps them to SQL.

import type { ErrorCode } from '@holdfast/contract/errors.ts';
import type { Deposit } from '../ledger/deposits/deposit.ts';
import type { Wallet } from '../ledger/keys/wallet.ts';
import type { LedgerTransaction } from '../ledger/transactions/ledger-transaction.ts';
import type { TreasuryPayment } from '../ledger/treasury/treasury-payment.ts';
import type { ApiKey } from '../modules/api-keys/api-key.ts';
import type { Reservation } from '../modules/balances/reservation.ts';
import type { Dispute } from '../modules/disputes/dispute.ts';
import type { Escrow } from '../modules/escrows/escrow.ts';
import type { FloatOpening } from '../modules/float/float-opening.ts';
import type { Operation } from '../modules/operations/operation.ts';
import type { Milestone, Order } from '../modules/orders/order.ts';
import type { Person } from '../modules/projects/people/person.ts';
import type { Project } from '../modules/projects/project.ts';
import type { TopUp } from '../modules/topups/topup.ts';
import type { User } from '../modules/users/user.ts';
import type { WebhookEvent } from '../modules/webhooks/webhook-event.ts';
import type { Withdrawal } from '../modules/withdrawals/withdrawal.ts';

export type Tables = {
  users: User;
  apiKeys: ApiKey;
  reservations: Reservation;
  wallets: Wallet;
  ledgerTransactions: LedgerTransaction;
  treasuryPayments: TreasuryPayment;
  deposits: Deposit;
  orders: Order;
  milestones: Milestone;
  escrows: Escrow;
  disputes: Dispute;
  operations: Operation;
  webhookEvents: WebhookEvent;
  topups: TopUp;
  floatOpenings: FloatOpening;
  withdrawals: Withdrawal;
  people: Person;
  projects: Project;
};

export type Lookups = {
  users: { externalUserId: string };
  apiKeys: Record<never, string>;
  /** `order`: every reservation of one user's order; `active`: all of a user's in one currency that still hold money. */
  reservations: { order: string; active: string };
  /** `owner`: see `ownedBy`. */
  wallets: { owner: string; address: string };
  /** `open`: the transaction of a source address that is on its way; `number`: all with one number of a source. */
  ledgerTransactions: { open: string; number: string };
  /** `wallet`: wallet id and kind, joined by a colon; a payment that is over is not found, but for an activation. */
  treasuryPayments: { wallet: string };
  deposits: Record<never, string>;
  orders: { clientOrderRef: string };
  milestones: { order: string };
  /** `order`: those set aside too. */
  escrows: { order: string };
  disputes: { order: string };
  operations: Record<never, string>;
  webhookEvents: Record<never, string>;
  topups: { requestKey: string };
  floatOpenings: Record<never, string>;
  withdrawals: Record<never, string>;
  people: { emailKey: string };
  projects: Record<never, string>;
};

export const NOT_FOUND = {
  users: 'USER_NOT_FOUND',
  apiKeys: 'API_KEY_NOT_FOUND',
  reservations: 'RESERVATION_NOT_FOUND',
  wallets: 'WALLET_NOT_FOUND',
  ledgerTransactions: 'INTERNAL_ERROR',
  treasuryPayments: 'INTERNAL_ERROR',
  deposits: 'INTERNAL_ERROR',
  orders: 'ORDER_NOT_FOUND',
  milestones: 'MILESTONE_NOT_FOUND',
  escrows: 'INTERNAL_ERROR',
  disputes: 'DISPUTE_NOT_FOUND',
  operations: 'INTERNAL_ERROR',
  webhookEvents: 'INTERNAL_ERROR',
  topups: 'TOPUP_NOT_FOUND',
  floatOpenings: 'INTERNAL_ERROR',
  withdrawals: 'WITHDRAWAL_NOT_FOUND',
  people: 'USER_NOT_FOUND',
  projects: 'PROJECT_NOT_FOUND',
} as const satisfies Record<keyof Tables, ErrorCode>;
