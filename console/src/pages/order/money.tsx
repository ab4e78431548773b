// The order in figures: who pays whom, what the seller gets and what the platform keeps, exact to the last unit.

import type { Order } from '@holdfast/sdk';
import type { ReactNode } from 'react';
import { Amount } from '../../parts/amount.tsx';
import { amountOf, placesOf, type Units, ZERO } from '../../parts/amounts.ts';
import { UserName } from '../../parts/names.tsx';
import { Figure } from '../../parts/panel.tsx';
import { type Shares, sharesOnRelease, sharesWhen } from './fees.ts';

export const MoneyPanel = ({ order }: { readonly order: Order }) => {
  const { shares, words } = outcomeOf(order);
  const { currency } = order;
  const places = placesOf(shares.seller, shares.fee);
  const figure = (value: Units): ReactNode => (
    <Amount value={value} currency={currency} places={places} size="figure" />
  );
  return (
    <section className="panel order-money" aria-label="The order in figures">
      <Figure name="The buyer pays">
        <Amount value={order.amount} currency={currency} size="figure" />
        <p>
          <UserName id={order.buyerId} />
        </p>
      </Figure>
      <Figure name={`The seller ${words.gets}`}>
        {figure(shares.seller)}
        <p>
          <UserName id={order.sellerId} />
        </p>
      </Figure>
      <Figure name={`The platform ${words.keeps}`}>
        {figure(shares.fee)}
        <p className="soft">{order.platformFee} % of the seller’s part</p>
      </Figure>
      {shares.buyer > ZERO ? (
        <Figure name="The buyer got back">{figure(shares.buyer)}</Figure>
      ) : (
        <Figure name="In escrow now">
          <Amount value={inEscrow(order)} currency={currency} size="figure" />
        </Figure>
      )}
    </section>
  );
};

const inEscrow = ({ escrow }: Order): Units =>
  escrow && ['FUNDED', 'DISPUTED'].includes(escrow.status) ? amountOf(escrow.amount) : ZERO;

const FUTURE = { gets: 'gets on release', keeps: 'keeps on release' };
const PAST = { gets: 'got', keeps: 'kept' };

/** What will be, as long as it is open; what became of it, once it is closed. */
const outcomeOf = (order: Order): { shares: Shares; words: typeof FUTURE } => {
  const nothing = { part: ZERO, fee: ZERO, seller: ZERO, buyer: ZERO };
  switch (order.finalStatus) {
    case null:
      return { shares: sharesOnRelease(order), words: FUTURE };
    case 'RELEASED':
      return { shares: sharesOnRelease(order), words: PAST };
    case 'REFUNDED':
      return { shares: sharesWhen(order, ZERO), words: PAST };
    case 'SPLIT':
      return { shares: sharesWhen(order, amountOf(order.dispute?.sellerAmount)), words: PAST };
    case 'CANCELED':
      return { shares: nothing, words: PAST };
  }
};
