// The shares of an order: exact in units of 10^-7, as the server books them. The fee is charged on the seller's share
// only.

import type { Order } from '@holdfast/sdk';
import { add, amountOf, partOf, subtract, type Units } from '../../parts/money/amounts.ts';

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

type Charged = Pick<Order, 'platformFee' | 'amount' | 'policy' | 'platformFeeAmount' | 'sellerNet'>;

/** The shares of a full release. A policy may charge more than a percentage, so its fee is the server's figure, in whole cents. */
export const sharesOnRelease = (order: Charged): Shares => {
  const shares = sharesWhen(order, amountOf(order.amount));
  if (!order.policy) return shares;
  return { ...shares, fee: amountOf(order.platformFeeAmount), seller: amountOf(order.sellerNet) };
};

/** The shares that were paid, where milestones were paid on their own. */
export const sharesPaid = ({ seller, fee, buyer }: NonNullable<Order['paid']>): Shares => {
  const net = amountOf(seller);
  const kept = amountOf(fee);
  return { part: add(net, kept), fee: kept, seller: net, buyer: amountOf(buyer) };
};
