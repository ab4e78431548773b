// The shares of an order: exact in units of 10^-7, as the server books them. The fee is charged on the seller's share
// only.

import type { DisputeWithOrder, Order } from '@holdfast/sdk';
import { add, amountOf, partOf, subtract, type Units, ZERO } from '../../parts/money/amounts.ts';

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

type Charged = Pick<Order, 'platformFee' | 'amount' | 'policy' | 'platformFeeAmount' | 'sellerNet' | 'buyerRefund'>;

/** The shares of a full release. A policy may charge more than a percentage, so its fee is the server's figure, in whole cents. */
export const sharesOnRelease = (order: Charged): Shares => {
  const shares = sharesWhen(order, amountOf(order.amount));
  if (!order.policy) return shares;
  const buyer = amountOf(order.buyerRefund);
  const part = subtract(amountOf(order.amount), buyer);
  return { part, fee: amountOf(order.platformFeeAmount), seller: amountOf(order.sellerNet), buyer };
};

/** The shares that were paid, where milestones were paid on their own. */
export const sharesPaid = ({ seller, fee, buyer }: NonNullable<Order['paid']>): Shares => {
  const net = amountOf(seller);
  const kept = amountOf(fee);
  return { part: add(net, kept), fee: kept, seller: net, buyer: amountOf(buyer) };
};

/** Fee and net amount are null where only the server knows them: a policy may charge more than a percentage. */
type DecidedShares = Pick<Shares, 'part' | 'buyer'> & {
  readonly charged: Pick<Shares, 'fee' | 'seller'> | null;
};

const chargedOn = (order: Charged, part: Units): DecidedShares['charged'] => {
  if (part === amountOf(order.amount)) return sharesOnRelease(order);
  return order.policy && part > ZERO ? null : sharesWhen(order, part);
};

/** The shares of a resolved dispute: of its milestone, or of all that was left of the order. */
export const sharesDecided = ({ order, milestoneRef, sellerAmount, buyerAmount }: DisputeWithOrder): DecidedShares => {
  const part = amountOf(sellerAmount);
  const buyer = amountOf(buyerAmount);
  const paid = milestoneRef && order.milestones.find(({ ref }) => ref === milestoneRef)?.fee;
  if (!paid) return { part, buyer, charged: chargedOn(order, part) };
  const fee = amountOf(paid);
  return { part, buyer, charged: { fee, seller: subtract(part, fee) } };
};
