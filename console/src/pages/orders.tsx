// The list of orders, with filters by text, status, parties, reference and date.

import { ORDER_EXPORT } from '../exports/orders.ts';
import { ExportButton } from '../parts/lists/export-button.tsx';
import { RangeFilter } from '../parts/lists/range-filter.tsx';
import { CREATED, CREATED_NAMES, withMoments } from '../parts/lists/ranges.ts';
import '../styles/orders.css';
import { type ListOrdersQuery, ORDER_STATUSES, type Order } from '@holdfast/sdk';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../parts/button.tsx';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, type Filters, TextFilter, useFilters } from '../parts/lists/filters.tsx';
import { usePaged } from '../parts/lists/paged.ts';
import { Amount } from '../parts/money/amount.tsx';
import { orderTitle, UserName } from '../parts/names.tsx';
import { Empty } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';
import { UserPicker } from '../parts/user-picker.tsx';
import { useClient, useDenial } from '../session.tsx';
import { CreateOrder } from './orders/create-order.tsx';
import { OrderState } from './orders/order-state.tsx';

const NAMES = ['q', 'status', 'buyerId', 'sellerId', 'clientOrderRef', ...CREATED_NAMES] as const;

/** No order stays in RELEASED or REFUNDED. */
const STATUSES = ORDER_STATUSES.filter((each) => each !== 'RELEASED' && each !== 'REFUNDED');

const COLUMNS: readonly Column<Order>[] = [
  { name: 'Order', cell: (order) => <OrderName order={order} /> },
  { name: 'Status', phone: 'under', cell: (order) => <OrderState order={order} /> },
  { name: 'Buyer', phone: 'under', cell: (order) => <UserName id={order.buyerId} /> },
  { name: 'Seller', cell: (order) => <UserName id={order.sellerId} /> },
  {
    name: 'Amount',
    phone: 'value',
    align: 'end',
    cell: (order) => <Amount value={order.amount} currency={order.currency} />,
  },
  { name: 'Created', phone: 'time', align: 'end', cell: (order) => <Time value={order.createdAt} /> },
];

export const Component = () => {
  const client = useClient();
  const filters = useFilters(NAMES);
  const writeDenial = useDenial('write');
  const [isCreating, setCreating] = useState(false);
  // The server validates the values, which may come from a link.
  const query = withMoments(filters.values, CREATED) as ListOrdersQuery;
  const paged = usePaged({
    queryKey: ['orders', 'list', query],
    list: (page) => client.orders.list({ ...query, ...page }),
  });
  const create = (
    <Button tone="accent" reason={writeDenial} onClick={() => setCreating(true)}>
      New order
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Orders"
        text="Payments from buyers to sellers, held in escrow until they are released."
        actions={create}
      />
      <OrderFilters filters={filters} />
      <Panel
        title={filters.isEmpty ? 'All orders, newest first' : 'Matching orders, newest first'}
        flush
        actions={<ExportButton label="Orders" paged={paged} exported={ORDER_EXPORT} />}
      >
        <DataTable
          label="Orders"
          columns={COLUMNS}
          paged={paged}
          rowKey={(order) => order.id}
          rowTo={(order) => `/orders/${order.id}`}
          empty={<NoOrders filters={filters} />}
        />
      </Panel>
      {isCreating ? <CreateOrder onClose={() => setCreating(false)} /> : null}
    </>
  );
};

const OrderName = ({ order }: { readonly order: Order }) => (
  <span className="orders-name">
    <Link to={`/orders/${order.id}`}>{orderTitle(order)}</Link>
    {order.clientOrderRef ? <span className="orders-ref">{order.clientOrderRef}</span> : null}
  </span>
);

type FilterProps = { readonly filters: Filters<(typeof NAMES)[number]> };

const OrderFilters = ({ filters }: FilterProps) => (
  <FilterBar filters={filters} list="orders">
    <TextFilter filters={filters} name="q" label="Search" placeholder="Title, ID or reference" />
    <ChoiceFilter filters={filters} name="status" label="Status" options={STATUSES} />
    <UserPicker
      label="Buyer"
      placeholder="Any user"
      value={filters.values.buyerId ?? ''}
      onChange={(id) => filters.set('buyerId', id)}
    />
    <UserPicker
      label="Seller"
      placeholder="Any user"
      value={filters.values.sellerId ?? ''}
      onChange={(id) => filters.set('sellerId', id)}
    />
    <TextFilter filters={filters} name="clientOrderRef" label="Reference" placeholder="Exact match" />
    <RangeFilter filters={filters} bounds={CREATED} label="Created" />
  </FilterBar>
);

const NoOrders = ({ filters }: FilterProps) =>
  filters.isEmpty ? (
    <Empty title="No orders yet">
      Create one with “New order” or with <code>POST /orders</code>.
    </Empty>
  ) : (
    <Empty title="No matching orders" action={<Button onClick={filters.clear}>Clear filters</Button>}>
      The search matches any part of a title, the beginning of a reference, or a complete ID.
    </Empty>
  );
