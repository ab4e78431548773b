// The allowed status changes of payins and payouts, by trigger. A change without a row is refused with a sentence.

import { Refusal } from '../refusal.ts';

export type PayinStatus = 'CREATED' | 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'FAILED';
export type PayoutStatus =
  | 'CREATED'
  | 'COMMITTED'
  | 'PENDING'
  | 'PENDING_USER_ACTION'
  | 'COMPLETED'
  | 'CANCELED'
  | 'FAILED';

type Row<Status> = { from: readonly Status[]; to: Status };

export const PAYIN_MOVES = {
  process: { from: ['CREATED'], to: 'PROCESSING' },
  confirm: { from: ['CREATED', 'PROCESSING'], to: 'CONFIRMED' },
  'confirm-late': { from: ['CANCELED', 'FAILED'], to: 'CONFIRMED' },
  fail: { from: ['CREATED', 'PROCESSING'], to: 'FAILED' },
  cancel: { from: ['CREATED', 'PROCESSING'], to: 'CANCELED' },
} as const satisfies Record<string, Row<PayinStatus>>;
export type PayinMove = keyof typeof PAYIN_MOVES;

const UNDER_WAY = ['COMMITTED', 'PENDING', 'PENDING_USER_ACTION'] as const;

export const PAYOUT_MOVES = {
  commit: { from: ['CREATED'], to: 'COMMITTED' },
  pend: { from: ['COMMITTED', 'PENDING_USER_ACTION'], to: 'PENDING' },
  'require-action': { from: ['COMMITTED', 'PENDING'], to: 'PENDING_USER_ACTION' },
  complete: { from: UNDER_WAY, to: 'COMPLETED' },
  fail: { from: ['CREATED', ...UNDER_WAY], to: 'FAILED' },
  cancel: { from: ['CREATED', ...UNDER_WAY], to: 'CANCELED' },
} as const satisfies Record<string, Row<PayoutStatus>>;
export type PayoutMove = keyof typeof PAYOUT_MOVES;

// In one of these states the money of a payout has left the available balance and is not yet paid.
export const isUnderWay = (status: PayoutStatus): boolean => (UNDER_WAY as readonly string[]).includes(status);

export function follow<Status extends string>(row: Row<Status>, { status, what }: { status: Status; what: string }) {
  if (row.from.includes(status)) return row.to;
  const sentence = `${what} is ${status}, but only ${row.from.join(' or ')} can become ${row.to}.`;
  throw new Refusal(409, sentence);
}
