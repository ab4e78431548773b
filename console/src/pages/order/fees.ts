// Who gets what of an order: exact in units of 10^-7, as the server books it. The fee is on the seller's part only.

import type { Order } from '@holdfast/sdk';
import { amountOf, partOf, subtract, type Units } from '../../parts/amounts.ts';

export type Shares = {
  /** The seller's part as decided, before the fee. */
  readonly part: Units;
  /** What the platform keeps of it. */
  readonly fee: Units;
  /** What the seller is credited. */
  readonly seller: Units;
  /** What the buyer is paid back. */
  readonly buyer: Units;
};

const UNITS_PER_BPS = 100_000n;

/** `5.25` percent as hundredths of a percent. */
export const feeBps = ({ platformFee }: Pick<Order, 'platformFee'>): bigint => amountOf(platformFee) / UNITS_PER_BPS;

/** When the seller is given this part and the buyer the rest. */
export const sharesWhen = (order: Pick<Order, 'platformFee' | 'amount'>, part: Units): Shares => {
  const fee = partOf(part, feeBps(order));
  return { part, fee, seller: subtract(part, fee), buyer: subtract(amountOf(order.amount), part) };
};

/** When all of it is released. */
export const sharesOnRelease = (order: Pick<Order, 'platformFee' | 'amount'>): Shares =>
  sharesWhen(order, amountOf(order.amount));
