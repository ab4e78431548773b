// How a dispute was decided, in figures, and why.

import type { DisputeWithOrder } from '@holdfast/sdk';
import { Link } from 'react-router';
import { Amount } from '../../parts/amount.tsx';
import { amountOf, placesOf, ZERO } from '../../parts/amounts.ts';
import { type Held, useHeld } from '../../parts/balances.ts';
import { Facts } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { sharesWhen } from '../order/fees.ts';
import { DECISIONS } from './decision.ts';
import { Figures } from './figures.tsx';

export const Outcome = ({ dispute }: { readonly dispute: DisputeWithOrder }) => {
  const { order } = dispute;
  const { currency } = order;
  const { fee, seller, buyer, part } = sharesWhen(order, amountOf(dispute.sellerAmount));
  const places = placesOf(fee, seller);
  const [buyerHas, sellerHas] = [useHeld(order.buyerId, currency), useHeld(order.sellerId, currency)];
  const words = DECISIONS.find(({ value }) => value === dispute.resolutionDecision)?.name ?? 'Decided';
  return (
    <div className="stack">
      <div className="row">
        <Status value="RESOLVED" words={words} />
        <Time value={dispute.resolvedAt} />
      </div>
      <Figures
        rows={[
          ['Seller’s part', <Amount key="p" value={part} currency={currency} />],
          ['Platform kept of it', <Amount key="f" value={fee} currency={currency} places={places} />],
          ['Seller was credited', <Amount key="s" value={seller} currency={currency} places={places} />],
          ['Buyer was credited', <Amount key="b" value={buyer} currency={currency} />],
        ]}
      />
      <h3>What both have now</h3>
      <Figures
        rows={[
          ['Seller, available', <Available key="s" held={sellerHas} currency={currency} />],
          ['Buyer, available', <Available key="b" held={buyerHas} currency={currency} />],
        ]}
      />
      <Facts
        rows={[
          ['Looked into by', dispute.assignedTo],
          ['Note', dispute.decisionNote],
        ]}
      />
      <Link to={`/orders/${order.id}`}>See every step on the order’s timeline</Link>
    </div>
  );
};

const Available = ({ held, currency }: { readonly held: Held | null; readonly currency: string }) => (
  <Amount value={held?.available} currency={currency} places={placesOf(held?.available ?? ZERO)} />
);
