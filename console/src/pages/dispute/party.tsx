// The history of a party: the number of orders and disputes, and the outcome of the latest ones.

import type { Order } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Loaded } from '../../parts/loaded.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { orderTitle, UserName } from '../../parts/names.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { statusWords } from '../../parts/status.tsx';
import { useClient } from '../../session.tsx';
import { OrderState } from '../orders/order-state.tsx';

/** The number of orders that are counted in each of the two roles. */
const LOOKED_AT = 100;
const SHOWN = 4;

type Props = { readonly side: 'buyer' | 'seller'; readonly userId: string; readonly order: Order };

export const PartyPanel = ({ side, userId, order }: Props) => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['orders', 'history', userId],
    async queryFn() {
      const [bought, sold] = await Promise.all([
        client.orders.list({ buyerId: userId, limit: LOOKED_AT }).page(),
        client.orders.list({ sellerId: userId, limit: LOOKED_AT }).page(),
      ]);
      return { bought, sold };
    },
  });
  return (
    <Panel
      title={
        <>
          {side === 'buyer' ? 'Buyer' : 'Seller'}: <UserName id={userId} />
        </>
      }
    >
      <Loaded query={query} name="History">
        {({ bought, sold }) => <History order={order} bought={bought} sold={sold} />}
      </Loaded>
    </Panel>
  );
};

type Some = { readonly items: readonly Order[]; readonly hasMore: boolean };

const counted = ({ items, hasMore }: Some): string => `${items.length}${hasMore ? ' or more' : ''}`;

const byAge = (one: Order, other: Order): number => (one.id < other.id ? 1 : -1);

const History = ({ order, bought, sold }: { readonly order: Order; readonly bought: Some; readonly sold: Some }) => {
  const all = [...bought.items, ...sold.items].sort(byAge);
  const others = all.filter(({ id }) => id !== order.id);
  const disputed = others.filter(({ dispute }) => dispute !== null);
  const ended = (status: Order['finalStatus']): number =>
    all.filter(({ finalStatus }) => finalStatus === status).length;
  const isCut = bought.hasMore || sold.hasMore;
  return (
    <div className="stack">
      <Facts
        rows={[
          ['Orders as buyer', counted(bought)],
          ['Orders as seller', counted(sold)],
          ['Released', ended('RELEASED')],
          ['Refunded', ended('REFUNDED')],
          ['Other disputes', disputed.length],
        ]}
      />
      {isCut ? <p className="soft">Counts include the newest {LOOKED_AT} orders in each role.</p> : null}
      <OrderLines title="Other disputes" orders={disputed} isDisputes />
      <OrderLines title="Recent orders" orders={others} />
      {others.length === 0 ? <p className="soft">No other orders.</p> : null}
    </div>
  );
};

type LinesProps = { readonly title: string; readonly orders: readonly Order[]; readonly isDisputes?: boolean };

const OrderLines = ({ title, orders, isDisputes = false }: LinesProps) => {
  if (orders.length === 0) return null;
  return (
    <div className="stack-tight">
      <h3>{title}</h3>
      <ul className="dispute-lines">
        {orders.slice(0, SHOWN).map((order) => (
          <li key={order.id}>
            <Link to={isDisputes ? `/disputes/${order.dispute?.id}` : `/orders/${order.id}`}>{orderTitle(order)}</Link>
            {isDisputes ? <span className="soft">{statusWords(verdictOf(order))}</span> : <OrderState order={order} />}
            <Amount value={order.amount} currency={order.currency} />
          </li>
        ))}
      </ul>
    </div>
  );
};

const verdictOf = ({ dispute }: Order): string => dispute?.resolutionDecision ?? dispute?.status ?? '';
