// The orders, top-ups and withdrawals of one user.

import type { Order } from '@holdfast/sdk';
import { Link } from 'react-router';
import { Id } from '../../parts/id.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { Amount } from '../../parts/money/amount.tsx';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { TOPUP_COLUMNS, WITHDRAWAL_COLUMNS } from '../payments/columns.tsx';

type Props = { readonly userId: string };

const isNotUser = ({ name }: { readonly name: string }): boolean => name !== 'User';

const orderColumns = (userId: string): readonly Column<Order>[] => [
  { name: 'Order', cell: ({ id }) => <Id value={id} /> },
  { name: 'Title', cell: ({ title }) => title || <span className="soft">–</span> },
  { name: 'Role', cell: ({ buyerId }) => (buyerId === userId ? 'Buyer' : 'Seller') },
  {
    name: 'Counterparty',
    cell: ({ buyerId, sellerId }) => <Id value={buyerId === userId ? sellerId : buyerId} copy={false} />,
  },
  { name: 'Status', cell: ({ status, finalStatus }) => <Status value={finalStatus ?? status} /> },
  { name: 'Amount', align: 'end', cell: ({ amount, currency }) => <Amount value={amount} currency={currency} /> },
  { name: 'Created', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export const OrdersOf = ({ userId }: Props) => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['orders', 'list', { q: userId }],
    // The search matches both parties of an order.
    list: (cursor) => client.orders.list({ q: userId, ...(cursor ? { cursor } : {}) }),
  });
  return (
    <Panel title="Orders" flush>
      <DataTable
        label="Orders"
        columns={orderColumns(userId)}
        paged={paged}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/orders/${id}`}
        empty={<Empty title="No orders">Orders with this user as buyer or seller appear here.</Empty>}
      />
    </Panel>
  );
};

export const TopupsOf = ({ userId }: Props) => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['topups', 'list', { userId }],
    list: (cursor) => client.topups.list({ userId, ...(cursor ? { cursor } : {}) }),
  });
  return (
    <Panel title="Top-ups" flush>
      <DataTable
        label="Top-ups"
        columns={TOPUP_COLUMNS.filter(isNotUser)}
        paged={paged}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/topups/${id}`}
        empty={
          <Empty title="No top-ups" action={<Link to={`/topups?userId=${userId}&new=true`}>Create top-up</Link>}>
            A top-up adds money through the payment provider.
          </Empty>
        }
      />
    </Panel>
  );
};

export const WithdrawalsOf = ({ userId }: Props) => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['withdrawals', 'list', { userId }],
    list: (cursor) => client.withdrawals.list({ userId, ...(cursor ? { cursor } : {}) }),
  });
  return (
    <Panel title="Withdrawals" flush>
      <DataTable
        label="Withdrawals"
        columns={WITHDRAWAL_COLUMNS.filter(isNotUser)}
        paged={paged}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/withdrawals/${id}`}
        empty={
          <Empty
            title="No withdrawals"
            action={<Link to={`/withdrawals?userId=${userId}&new=true`}>Create withdrawal</Link>}
          >
            A withdrawal pays out to a bank account, a payment account or a ledger address.
          </Empty>
        }
      />
    </Panel>
  );
};
