// Every way that money moves: from which account, to which, and the refusal when the first has too little. No other move
// exists; a posting carries the name of its row. Holdings are negative, so what comes into a wallet is taken *from* it.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { ErrorCode } from '@holdfast/contract/errors.ts';
import { type Account, adjustments, available, networkFees, reserved, walletHolding } from './account.ts';

/** Whose money it is, and at which of our addresses it lies; a move reads what it needs. */
export type Parties = {
  readonly currency: Currency;
  readonly userId?: string;
  readonly address?: string;
  /** The address of ours that receives, when both ends are ours. */
  readonly toAddress?: string;
};

type Move = {
  readonly from: (parties: Parties) => Account;
  readonly to: (parties: Parties) => Account;
  /** Null: the source may go below zero, or cannot be short. */
  readonly short: ErrorCode | null;
};

const named = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`the move needs ${what}`);
  return value;
};

const ofAvailable = ({ userId, currency }: Parties) => available(named(userId, 'a user'), currency);
const ofReserved = ({ userId, currency }: Parties) => reserved(named(userId, 'a user'), currency);
const ofOperator = ({ currency }: Parties) => adjustments(currency);
const ofWallet = ({ address, currency }: Parties) => walletHolding(named(address, 'an address'), currency);
const ofReceiver = ({ toAddress, currency }: Parties) => walletHolding(named(toAddress, 'a receiver'), currency);
const ofNetwork = ({ currency }: Parties) => networkFees(currency);

export const MOVES = {
  credit: { from: ofOperator, to: ofAvailable, short: null },
  debit: { from: ofAvailable, to: ofOperator, short: 'INSUFFICIENT_FUNDS' },
  reserve: { from: ofAvailable, to: ofReserved, short: 'INSUFFICIENT_FUNDS' },
  release: { from: ofReserved, to: ofAvailable, short: 'RESERVATION_EXCEEDED' },
  cancel_reservation: { from: ofReserved, to: ofAvailable, short: 'RESERVATION_EXCEEDED' },
  deduct_reserved: { from: ofReserved, to: ofOperator, short: 'INVALID_RESERVED_DEDUCTION' },

  /** A user's wallet received money from outside. */
  deposit: { from: ofWallet, to: ofAvailable, short: null },
  /** The treasury, or the platform's wallet, received money from outside: the operator put it there. */
  house_deposit: { from: ofWallet, to: ofOperator, short: null },
  /** From one of our addresses to another. */
  wallet_payment: { from: ofReceiver, to: ofWallet, short: null },
  /** An address of ours paid the network for a transaction. */
  network_fee: { from: ofNetwork, to: ofWallet, short: null },
  /** The books of two currencies that settle in one asset: out of the one … */
  exchange_out: { from: ofOperator, to: ofWallet, short: null },
  /** … and into the other. */
  exchange_in: { from: ofReceiver, to: ofOperator, short: null },
  /** The ledger shows more at a user's address than the books explain … */
  sync_gain: { from: ofWallet, to: ofAvailable, short: null },
  /** … or less; what the user no longer has is the operator's loss. */
  sync_loss: { from: ofAvailable, to: ofWallet, short: null },
  sync_write_off: { from: ofOperator, to: ofWallet, short: null },
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof MOVES;
