// Top-ups: money in through the payment provider, newest first.

import '../styles/payments.css';
import { TOPUP_STATUSES } from '@holdfast/sdk';
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
import { CreateTopup } from './topups/create-topup.tsx';
import { TOPUP_COLUMNS } from './topups/topup-columns.tsx';

export const Component = () => {
  const client = useClient();
  const mayWrite = useReason('write');
  const making = useMaking();
  const filters = useFilters(['userId', 'status', 'createdAfter', 'createdBefore'] as const);
  const { status, ...rest } = filters.values;
  const known = TOPUP_STATUSES.find((one) => one === status);
  const ask = { ...rest, ...(known ? { status: known } : {}) };
  const paged = usePaged({
    queryKey: ['topups', 'list', ask],
    list: (cursor) => client.topups.list({ ...ask, ...(cursor ? { cursor } : {}) }),
  });
  return (
    <>
      <PageHeader
        title="Top-ups"
        text="Money that comes in through the payment provider. A balance is credited when the provider says it was paid."
        actions={
          <Button tone="accent" icon="topups" reason={mayWrite} onClick={making.begin}>
            New top-up
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
        <ChoiceFilter filters={filters} name="status" label="Status" options={TOPUP_STATUSES} />
        <DayFilter filters={filters} name="createdAfter" label="Created from" />
        <DayFilter filters={filters} name="createdBefore" label="Created until" end />
      </FilterBar>
      <Panel title={filters.isEmpty ? 'All top-ups, newest first' : 'Top-ups found, newest first'} flush>
        <DataTable
          label="Top-ups"
          columns={TOPUP_COLUMNS}
          paged={paged}
          rowKey={({ id }) => id}
          rowTo={({ id }) => `/topups/${id}`}
          empty={
            filters.isEmpty ? (
              <Empty title="No top-ups yet">
                Make one with “New top-up”; the payer then confirms it at the payment provider.
              </Empty>
            ) : (
              <Empty title="No top-up fits these filters" action={<Button onClick={filters.clear}>Clear them</Button>}>
                Try another state or another range of days.
              </Empty>
            )
          }
        />
      </Panel>
      <CreateTopup isOpen={making.isOpen} onClose={making.end} userId={filters.values.userId ?? ''} />
    </>
  );
};
