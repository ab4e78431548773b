// The reserve that the ledger locks: every account and every entry of an account keeps some of the native asset from being spent, at the
// account itself or at its sponsor.

import { type Amount, fromUnits } from '../books/money.ts';

/** In whole units; set by the network, and the same since 2019. */
const BASE_RESERVE = 5_000_000n;

/** An account counts as two entries. */
export const ACCOUNT_RESERVES = 2;
export const TRUSTLINE_RESERVES = 1;

/** The amount that so many reserves lock. */
export const lockedBy = (reserves: number): Amount => fromUnits(BASE_RESERVE * BigInt(reserves));
