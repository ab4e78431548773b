// The shares of an order: exact in units of 10^-7, as the server books them. The fee is charged on the seller's share
// only.

import type { Order } from '@holdfast/sdk';
import { amountOf, partOf, subtract, type Units } from '../../parts/money/amounts.ts';

export type Shares = {
  /** The seller's share before the fee. */
  readonly part: Units;
  /** The platform fee. */
  readonly fee: Units;
  /** The amount credited to the seller. */
  readonly seller: Units;
  /** The amount refunded to the buyer. */
  readonly buyer: Units;
};

const UNITS_PER_BPS = 100_000n;

/** `5.25` percent as hundredths of a percent. */
const feeBps = ({ platformFee }: Pick<Order, 'platformFee'>): bigint => amountOf(platformFee) / UNITS_PER_BPS;

/** The shares when the seller gets this part and the buyer the rest. */
export const sharesWhen = (order: Pick<Order, 'platformFee' | 'amount'>, part: Units): Shares => {
  const fee = partOf(part, feeBps(order));
  return { part, fee, seller: subtract(part, fee), buyer: subtract(amountOf(order.amount), part) };
};

/** The shares of a full release. */
export const sharesOnRelease = (order: Pick<Order, 'platformFee' | 'amount'>): Shares =>
  sharesWhen(order, amountOf(order.amount));
