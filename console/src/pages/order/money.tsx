// The amounts of an order: buyer, seller and platform fee, exact to the last unit.

import type { Order } from '@holdfast/sdk';
import type { ReactNode } from 'react';
import { isolateBidi } from '../../parts/bidi.ts';
import { Amount } from '../../parts/money/amount.tsx';
import { amountOf, placesOf, type Units, ZERO } from '../../parts/money/amounts.ts';
import { UserName } from '../../parts/names.tsx';
import { Figure } from '../../parts/panel.tsx';
import { type Shares, sharesOnRelease, sharesPaid, sharesWhen } from './fees.ts';

export const MoneyPanel = ({ order }: { readonly order: Order }) => {
  const { shares, words } = outcomeOf(order);
  const { currency } = order;
  const places = placesOf(shares.seller, shares.fee);
  const figure = (value: Units): ReactNode => (
    <Amount value={value} currency={currency} places={places} size="figure" />
  );
  return (
    <section className="panel order-money" aria-label="Amounts">
      <Figure name="Buyer pays">
        <Amount value={order.amount} currency={currency} size="figure" />
        <p>
          <UserName id={order.buyerId} />
        </p>
      </Figure>
      <Figure name={`Seller ${words.gets}`}>
        {figure(shares.seller)}
        <p>
          <UserName id={order.sellerId} />
        </p>
      </Figure>
      <Figure name={`Platform ${words.keeps}`}>
        {words === BEFORE_FEE ? null : figure(shares.fee)}
        <p className="soft">{feeWords(order)}</p>
      </Figure>
      {shares.buyer > ZERO ? (
        <Figure name="Refunded to buyer">{figure(shares.buyer)}</Figure>
      ) : (
        <Figure name="In escrow now">
          <Amount value={inEscrow(order)} currency={currency} size="figure" />
        </Figure>
      )}
    </section>
  );
};

const inEscrow = ({ escrow, paid }: Order): Units =>
  escrow && ['FUNDED', 'DISPUTED'].includes(escrow.status) ? amountOf(paid?.left ?? escrow.amount) : ZERO;

const feeWords = ({ policy, platformFee }: Order): string =>
  policy ? `by the policy ${isolateBidi(policy.name)}` : `${platformFee} % of the seller’s share`;

const FUTURE = { gets: 'receives on release', keeps: 'fee on release' };
const PAST = { gets: 'received', keeps: 'fee' };
/** Of a split with a policy only the server knows the fee: a policy may charge more than a percentage. */
const BEFORE_FEE = { gets: 'received, before the fee', keeps: 'fee' };

const splitOf = (order: Order, part: Units) => {
  const shares = sharesWhen(order, part);
  return order.policy ? { shares: { ...shares, seller: part }, words: BEFORE_FEE } : { shares, words: PAST };
};

/** The expected shares of an open order, the final shares of a closed one. */
const outcomeOf = (order: Order): { shares: Shares; words: typeof FUTURE } => {
  const nothing = { part: ZERO, fee: ZERO, seller: ZERO, buyer: ZERO };
  if (order.finalStatus !== null && order.paid) return { shares: sharesPaid(order.paid), words: PAST };
  switch (order.finalStatus) {
    case null:
      return { shares: sharesOnRelease(order), words: FUTURE };
    case 'RELEASED':
      return { shares: sharesOnRelease(order), words: PAST };
    case 'REFUNDED':
      return { shares: sharesWhen(order, ZERO), words: PAST };
    case 'SPLIT':
      return splitOf(order, amountOf(order.dispute?.sellerAmount));
    case 'CANCELED':
      return { shares: nothing, words: PAST };
  }
};
