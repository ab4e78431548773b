// The platform's fee of an order: a percentage of what the seller gets, and where the order has fee terms also a fixed part, a minimum
// and a maximum. An order may be paid in parts: the fees of the parts sum to the fee of the whole.

import { type Amount, fromUnits, least, minus, platformFee, plus, ZERO } from './money.ts';

/** Units of 10^-7 as text, because they are stored as JSON. */
export type FeeTerms = {
  readonly fixedUnits: string;
  /** Null: there is no such limit. */
  readonly minUnits: string | null;
  readonly maxUnits: string | null;
};

/** How an order is charged; an order row has these fields. */
type Charged = {
  /** In hundredths of a percent. */
  readonly platformFeeBps: number;
  /** Null: only the percentage is charged. */
  readonly feeTerms: FeeTerms | null;
};

const unitsOf = (text: string): Amount => fromUnits(BigInt(text));

/** The fee on everything that the seller gets, before the fee. It is never more than that. */
export const orderFee = ({ platformFeeBps, feeTerms }: Charged, amount: Amount): Amount => {
  const percentage = platformFee(amount, platformFeeBps);
  if (feeTerms === null || amount === ZERO) return percentage;
  const { fixedUnits, minUnits, maxUnits } = feeTerms;
  let fee = plus(percentage, unitsOf(fixedUnits));
  if (minUnits !== null && fee < unitsOf(minUnits)) fee = unitsOf(minUnits);
  if (maxUnits !== null && fee > unitsOf(maxUnits)) fee = unitsOf(maxUnits);
  return least(fee, amount);
};

/** A part that the seller is paid after parts that sum to `before`. */
type SellerPart = { readonly before: Amount; readonly part: Amount };

export const partFee = (charged: Charged, { before, part }: SellerPart): Amount =>
  minus(orderFee(charged, plus(before, part)), orderFee(charged, before));
