// The reservations of a user: the order or withdrawal of each, and the remaining amount.

import type { Reservation } from '@holdfast/sdk';
import { RESERVATION_EXPORT } from '../../exports/users.ts';
import { Id } from '../../parts/id.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { ChoiceFilter, FilterBar, useFilters } from '../../parts/lists/filters.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { Amount } from '../../parts/money/amount.tsx';
import { CURRENCIES } from '../../parts/money/balances.ts';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';

const COLUMNS: readonly Column<Reservation>[] = [
  {
    name: 'For',
    cell: ({ orderId }) => (orderId ? <Id value={orderId} /> : <span className="soft">No order</span>),
  },
  {
    name: 'Status',
    phone: 'under',
    cell: ({ active }) => (
      <Status value={active ? 'ACTIVE' : 'OVER'} tone={active ? 'busy' : 'calm'} words={active ? 'Active' : 'Used'} />
    ),
  },
  {
    name: 'Reserved in total',
    align: 'end',
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  {
    name: 'Remaining',
    phone: 'value',
    align: 'end',
    cell: ({ remaining, currency }) => <Amount value={remaining} currency={currency} />,
  },
  { name: 'Created', phone: 'time', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { name: 'Updated', align: 'end', cell: ({ updatedAt }) => <Time value={updatedAt} /> },
];

export const ReservationsPanel = ({ userId }: { readonly userId: string }) => {
  const client = useClient();
  const filters = useFilters(['active', 'currency'] as const);
  const currency = CURRENCIES.find((one) => one === filters.values.currency);
  const ask = {
    ...(filters.values.active ? { active: filters.values.active === 'true' } : {}),
    ...(currency ? { currency } : {}),
  };
  const paged = usePaged({
    queryKey: ['users', userId, 'reservations', ask],
    list: (page) => client.users.reservations(userId, { ...ask, ...page }),
  });
  return (
    <Panel
      title="Reservations"
      flush
      actions={<ExportButton label="Reservations" paged={paged} exported={RESERVATION_EXPORT} />}
    >
      <div className="users-filters">
        <FilterBar filters={filters} list="reservations">
          <ChoiceFilter
            filters={filters}
            name="active"
            label="Status"
            options={[
              { value: 'true', name: 'Active' },
              { value: 'false', name: 'Used' },
            ]}
          />
          <ChoiceFilter
            filters={filters}
            name="currency"
            label="Currency"
            options={CURRENCIES.map((value) => ({ value, name: value }))}
          />
        </FilterBar>
      </div>
      <DataTable
        label="Reservations"
        columns={COLUMNS}
        paged={paged}
        rowKey={({ orderId, currency: of }) => `${orderId} ${of}`}
        empty={<Empty title="No reservations">Funds are reserved for orders and withdrawals.</Empty>}
      />
    </Panel>
  );
};
