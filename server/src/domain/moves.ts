// Every way that money moves: from which account, to which, and the refusal when the first has too little. No other move
// exists; a posting carries the name of its row.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { ErrorCode } from '@holdfast/contract/errors.ts';
import { type Account, adjustments, available, reserved } from './account.ts';

type Parties = { readonly userId: string; readonly currency: Currency };

type Move = {
  readonly from: (parties: Parties) => Account;
  readonly to: (parties: Parties) => Account;
  /** Null: the source may go below zero. */
  readonly short: ErrorCode | null;
};

const ofAvailable = ({ userId, currency }: Parties) => available(userId, currency);
const ofReserved = ({ userId, currency }: Parties) => reserved(userId, currency);
const ofOperator = ({ currency }: Parties) => adjustments(currency);

export const MOVES = {
  credit: { from: ofOperator, to: ofAvailable, short: null },
  debit: { from: ofAvailable, to: ofOperator, short: 'INSUFFICIENT_FUNDS' },
  reserve: { from: ofAvailable, to: ofReserved, short: 'INSUFFICIENT_FUNDS' },
  release: { from: ofReserved, to: ofAvailable, short: 'RESERVATION_EXCEEDED' },
  cancel_reservation: { from: ofReserved, to: ofAvailable, short: 'RESERVATION_EXCEEDED' },
  deduct_reserved: { from: ofReserved, to: ofOperator, short: 'INVALID_RESERVED_DEDUCTION' },
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof MOVES;
