// Withdrawals: money out, through the payment provider or over the ledger, newest first.

import '../styles/payments.css';
import { WITHDRAWAL_STATUSES } from '@holdfast/sdk';
import { Button } from '../parts/button.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { ChoiceFilter, DayFilter, FilterBar, useFilters } from '../parts/filters.tsx';
import { Empty } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { usePaged } from '../parts/paged.ts';
import { Panel } from '../parts/panel.tsx';
import { useReason } from '../parts/rights.ts';
import { UserPicker } from '../parts/user-picker.tsx';
import { useClient } from '../session.tsx';
import { useMaking } from './payments/making.ts';
import { CreateWithdrawal } from './withdrawals/create-withdrawal.tsx';
import { WITHDRAWAL_COLUMNS } from './withdrawals/withdrawal-columns.tsx';

export const Component = () => {
  const client = useClient();
  const mayWrite = useReason('write');
  const making = useMaking();
  const filters = useFilters(['userId', 'status', 'createdAfter', 'createdBefore'] as const);
  const { status, ...rest } = filters.values;
  const known = WITHDRAWAL_STATUSES.find((one) => one === status);
  const ask = { ...rest, ...(known ? { status: known } : {}) };
  const paged = usePaged({
    queryKey: ['withdrawals', 'list', ask],
    list: (cursor) => client.withdrawals.list({ ...ask, ...(cursor ? { cursor } : {}) }),
  });
  return (
    <>
      <PageHeader
        title="Withdrawals"
        text="Money that goes out. It is set aside when a withdrawal is made, and leaves when whoever pays it says that it was paid."
        actions={
          <Button tone="accent" icon="withdrawals" reason={mayWrite} onClick={making.begin}>
            New withdrawal
          </Button>
        }
      />
      <FilterBar filters={filters}>
        <UserPicker
          label="User"
          value={filters.values.userId ?? ''}
          onChange={(id) => filters.set('userId', id)}
          placeholder="Anybody"
        />
        <ChoiceFilter filters={filters} name="status" label="Status" options={WITHDRAWAL_STATUSES} />
        <DayFilter filters={filters} name="createdAfter" label="Created from" />
        <DayFilter filters={filters} name="createdBefore" label="Created until" end />
      </FilterBar>
      <Panel title={filters.isEmpty ? 'All withdrawals, newest first' : 'Withdrawals found, newest first'} flush>
        <DataTable
          label="Withdrawals"
          columns={WITHDRAWAL_COLUMNS}
          paged={paged}
          rowKey={({ id }) => id}
          rowTo={({ id }) => `/withdrawals/${id}`}
          empty={
            filters.isEmpty ? (
              <Empty title="No withdrawals yet">
                Make one with “New withdrawal”; it is paid out when it is committed.
              </Empty>
            ) : (
              <Empty
                title="No withdrawal fits these filters"
                action={<Button onClick={filters.clear}>Clear them</Button>}
              >
                Try another state or another range of days.
              </Empty>
            )
          }
        />
      </Panel>
      <CreateWithdrawal isOpen={making.isOpen} onClose={making.end} userId={filters.values.userId ?? ''} />
    </>
  );
};
