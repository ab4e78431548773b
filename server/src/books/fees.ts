// The platform fee. Amounts have two places and fees are hundredths of a percent, so a fee is always a whole number of 10^-7 units
// and nothing is rounded.

import { type Amount, fromUnits, minus } from './money.ts';

const WHOLE_BPS = 10_000n;

export const DEFAULT_FEE_BPS = 500;
export const FEE_BPS_MAX = 9_900;

export const platformFee = (amount: Amount, bps: number): Amount => fromUnits((amount * BigInt(bps)) / WHOLE_BPS);

/** The amount that the seller receives. */
export const afterFee = (amount: Amount, bps: number): Amount => minus(amount, platformFee(amount, bps));
