// One order: its amounts, status, actions, milestones, escrow and timeline.

import '../styles/orders.css';
import type { Order } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { offersForOrder } from '../parts/corrections/correction-kinds.ts';
import { CorrectionsPanel } from '../parts/corrections/corrections-panel.tsx';
import { Id } from '../parts/id.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { orderTitle } from '../parts/names.tsx';
import { NotesPanel } from '../parts/notes.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Time } from '../parts/time.tsx';
import { useClient } from '../session.tsx';
import { ActionsPanel } from './order/actions.tsx';
import { DeadlinesPanel } from './order/deadlines.tsx';
import { DetailsPanel, DisputePanel, EscrowPanel } from './order/facts.tsx';
import { MilestonesPanel } from './order/milestones.tsx';
import { MoneyPanel } from './order/money.tsx';
import { POLL_MS } from './order/progress.tsx';
import { ReceiptPanel } from './order/receipt.tsx';
import { StatusPanel } from './order/status-panel.tsx';
import { TimelinePanel } from './order/timeline.tsx';
import { OrderState } from './orders/order-state.tsx';

const PARENT = { name: 'Orders', to: '/orders' };

export const Component = () => {
  const { id = '' } = useParams();
  const client = useClient();
  const query = useQuery({
    queryKey: ['orders', id],
    queryFn: () => client.orders.get(id),
    refetchInterval: ({ state }) => (state.data?.operation ? POLL_MS : false),
  });
  const order = query.data;
  if (!order) {
    return (
      <>
        <PageHeader title="Order" parent={PARENT} text={<span className="mono">{id}</span>} />
        <Loaded query={query} name="Order">
          {() => null}
        </Loaded>
      </>
    );
  }
  return <OrderPage key={order.id} order={order} />;
};

const OrderPage = ({ order }: { readonly order: Order }) => {
  const client = useClient();
  const timeline = useQuery({
    queryKey: ['orders', order.id, 'timeline'],
    queryFn: () => client.orders.timeline(order.id),
    refetchInterval: order.operation ? POLL_MS : false,
  });
  return (
    <>
      <PageHeader
        title={orderTitle(order)}
        badge={<OrderState order={order} />}
        parent={PARENT}
        text={
          <span className="row">
            <Id value={order.id} whole link={false} />
            {order.clientOrderRef ? <span>{order.clientOrderRef}</span> : null}
            <span>
              created <Time value={order.createdAt} />
            </span>
          </span>
        }
      />
      <MoneyPanel order={order} />
      <div className="order-page">
        <div className="stack order-side">
          <ActionsPanel order={order} />
          <DeadlinesPanel order={order} />
          <DisputePanel order={order} />
          <MilestonesPanel order={order} />
          <EscrowPanel order={order} />
          <DetailsPanel order={order} />
          <ReceiptPanel order={order} />
        </div>
        <div className="stack order-main">
          <StatusPanel order={order} timeline={timeline} />
          <CorrectionsPanel resourceId={order.id} offers={offersForOrder(order)} />
          <TimelinePanel timeline={timeline} />
          <NotesPanel resourceType="order" resourceId={order.id} />
        </div>
      </div>
    </>
  );
};
