// The outcome of a dispute: decision, amounts and note.

import type { DisputeWithOrder } from '@holdfast/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isolateBidi } from '../../parts/bidi.ts';
import { Amount } from '../../parts/money/amount.tsx';
import { placesOf, ZERO } from '../../parts/money/amounts.ts';
import { type ExactBalance, useExactBalance } from '../../parts/money/balances.ts';
import { Facts } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { sharesDecided } from '../order/fees.ts';
import { DECISIONS } from './decision.ts';

export const Outcome = ({ dispute }: { readonly dispute: DisputeWithOrder }) => {
  const { order } = dispute;
  const { currency } = order;
  const { buyer, part, charged } = sharesDecided(dispute);
  const places = charged ? placesOf(charged.fee, charged.seller) : 2;
  const buyerHas = useExactBalance(order.buyerId, currency);
  const sellerHas = useExactBalance(order.sellerId, currency);
  const words = DECISIONS.find(({ value }) => value === dispute.resolutionDecision)?.name ?? 'Resolved';
  return (
    <div className="stack">
      <div className="row">
        <Status value="RESOLVED" words={words} />
        <Time value={dispute.resolvedAt} />
      </div>
      <Figures
        rows={[
          ['Seller’s share', <Amount key="p" value={part} currency={currency} />],
          ...(charged
            ? ([
                ['Platform fee', <Amount key="f" value={charged.fee} currency={currency} places={places} />],
                ['Credited to seller', <Amount key="s" value={charged.seller} currency={currency} places={places} />],
              ] as const)
            : ([['Platform fee', `by the policy ${isolateBidi(order.policy?.name ?? '')}`]] as const)),
          ['Credited to buyer', <Amount key="b" value={buyer} currency={currency} />],
        ]}
      />
      <h3>Current balances</h3>
      <Figures
        rows={[
          ['Seller, available', <Available key="s" held={sellerHas} currency={currency} />],
          ['Buyer, available', <Available key="b" held={buyerHas} currency={currency} />],
        ]}
      />
      <Facts
        rows={[
          ['Assigned to', dispute.assignedTo],
          ['Note', dispute.decisionNote],
        ]}
      />
      <Link to={`/orders/${order.id}`}>View order timeline</Link>
    </div>
  );
};

const Available = ({ held, currency }: { readonly held: ExactBalance | null; readonly currency: string }) => (
  <Amount value={held?.available} currency={currency} places={placesOf(held?.available ?? ZERO)} />
);

const Figures = ({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="dispute-figures">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
