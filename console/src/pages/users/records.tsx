// The orders, top-ups and withdrawals of one user.

import type { Order } from '@holdfast/sdk';
import { Link } from 'react-router';
import { ORDER_EXPORT } from '../../exports/orders.ts';
import { TOPUP_EXPORT, WITHDRAWAL_EXPORT } from '../../exports/payments.ts';
import { Id } from '../../parts/id.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
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
  { name: 'Order', phone: 'under', cell: ({ id }) => <Id value={id} /> },
  { name: 'Title', phone: 'title', cell: ({ title }) => title || <span className="soft">–</span> },
  { name: 'Role', phone: 'under', cell: ({ buyerId }) => (buyerId === userId ? 'Buyer' : 'Seller') },
  {
    name: 'Counterparty',
    cell: ({ buyerId, sellerId }) => <Id value={buyerId === userId ? sellerId : buyerId} copy={false} />,
  },
  { name: 'Status', phone: 'time', cell: ({ status, finalStatus }) => <Status value={finalStatus ?? status} /> },
  {
    name: 'Amount',
    phone: 'value',
    align: 'end',
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  { name: 'Created', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export const OrdersOf = ({ userId }: Props) => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['orders', 'list', { q: userId }],
    // The search matches both parties of an order.
    list: (page) => client.orders.list({ q: userId, ...page }),
  });
  return (
    <Panel title="Orders" flush actions={<ExportButton label="Orders" paged={paged} exported={ORDER_EXPORT} />}>
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
    list: (page) => client.topups.list({ userId, ...page }),
  });
  return (
    <Panel title="Top-ups" flush actions={<ExportButton label="Top-ups" paged={paged} exported={TOPUP_EXPORT} />}>
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
    list: (page) => client.withdrawals.list({ userId, ...page }),
  });
  return (
    <Panel
      title="Withdrawals"
      flush
      actions={<ExportButton label="Withdrawals" paged={paged} exported={WITHDRAWAL_EXPORT} />}
    >
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
