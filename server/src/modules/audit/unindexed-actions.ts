// The actions that searches of the audit trail find by stretches of the chain, or by the postings of a user, and not by an index.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import type { MoveName } from '../../books/moves.ts';

type BalanceAction = Extract<
  AuditAction,
  | 'BALANCE_CREDITED'
  | 'BALANCE_DEBITED'
  | 'BALANCE_RESERVED'
  | 'BALANCE_RELEASED'
  | 'RESERVATION_CANCELED'
  | 'RESERVED_DEDUCTED'
>;

/**
 * The moves whose entry has the action. A search for the entries of a user leaves out the postings of all other moves. The simulation
 * checks that no entry has another move.
 */
export const MOVES_OF: Readonly<Record<BalanceAction, readonly MoveName[]>> = {
  BALANCE_CREDITED: ['credit', 'opening_credit', 'pay_seller', 'refund_buyer'],
  BALANCE_DEBITED: ['debit', 'release_reversal', 'refund_reversal'],
  BALANCE_RESERVED: ['reserve'],
  BALANCE_RELEASED: ['release'],
  RESERVATION_CANCELED: ['cancel_reservation'],
  RESERVED_DEDUCTED: ['deduct_reserved', 'fund_escrow'],
};

/** The actions that concern balances and that no index has: their entries are most of all, and each index made them slower. */
export const UNINDEXED_ACTIONS = Object.keys(MOVES_OF) as readonly BalanceAction[];

export const isUnindexed = (action: string | undefined): action is BalanceAction =>
  UNINDEXED_ACTIONS.some((one) => one === action);
