// The list of users with their balances; searched by external ID, e-mail address or user ID.

import { USER_EXPORT } from '../exports/users.ts';
import { ExportButton } from '../parts/lists/export-button.tsx';
import { RangeFilter } from '../parts/lists/range-filter.tsx';
import { CREATED, CREATED_NAMES, withMoments } from '../parts/lists/ranges.ts';
import '../styles/users.css';
import { USER_STATUSES, USER_TYPES, type User } from '@holdfast/sdk';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../parts/button.tsx';
import { Id } from '../parts/id.tsx';
import { Breakable } from '../parts/lists/breakable.tsx';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, TextFilter, useFilters } from '../parts/lists/filters.tsx';
import { usePaged } from '../parts/lists/paged.ts';
import { Amount } from '../parts/money/amount.tsx';
import { Empty } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { Status, statusWords } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useClient, useDenial } from '../session.tsx';
import { CreateUser } from './users/create-user.tsx';

const COLUMNS: readonly Column<User>[] = [
  {
    name: 'User',
    cell: ({ id, name, externalUserId }) => (
      <span className="users-title">
        <Link to={`/users/${id}`}>
          <Breakable text={name ?? externalUserId} />
        </Link>
        {name ? (
          <span className="soft">
            <Breakable text={externalUserId} />
          </span>
        ) : null}
      </span>
    ),
  },
  { name: 'ID', cell: ({ id }) => <Id value={id} link={false} /> },
  {
    name: 'E-mail',
    phone: 'under',
    cell: ({ email }) => (email ? <Breakable text={email} /> : <span className="soft dash">–</span>),
  },
  { name: 'Type', cell: ({ type }) => statusWords(type) },
  { name: 'Status', phone: 'under', cell: ({ status }) => <Status value={status} /> },
  {
    name: 'Available',
    phone: 'value',
    align: 'end',
    cell: ({ balance }) => <Amount value={balance.available} currency={balance.currency} />,
  },
  {
    name: 'Reserved',
    align: 'end',
    cell: ({ balance }) => <Amount value={balance.reserved} currency={balance.currency} />,
  },
  { name: 'Created', phone: 'time', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export const Component = () => {
  const client = useClient();
  const writeDenial = useDenial('write');
  const [isMaking, setMaking] = useState(false);
  const filters = useFilters(['q', 'status', 'type', ...CREATED_NAMES] as const);
  const { q, status, type, ...created } = withMoments(filters.values, CREATED);
  const knownStatus = USER_STATUSES.find((one) => one === status);
  const knownType = USER_TYPES.find((one) => one === type);
  const ask = {
    ...(q ? { q } : {}),
    ...(knownStatus ? { status: knownStatus } : {}),
    ...(knownType ? { type: knownType } : {}),
    ...created,
  };
  const paged = usePaged({
    queryKey: ['users', 'list', ask],
    list: (page) => client.users.list({ ...ask, ...page }),
  });
  return (
    <>
      <PageHeader
        title="Users"
        text="Buyers and sellers with their balances and wallets."
        actions={
          <Button tone="accent" icon="users" reason={writeDenial} onClick={() => setMaking(true)}>
            New user
          </Button>
        }
      />
      <FilterBar filters={filters} list="users">
        <TextFilter filters={filters} name="q" label="Search" placeholder="External ID, e-mail or usr_…" />
        <ChoiceFilter filters={filters} name="status" label="Status" options={USER_STATUSES} />
        <ChoiceFilter filters={filters} name="type" label="Type" options={USER_TYPES} />
        <RangeFilter filters={filters} bounds={CREATED} label="Created" />
      </FilterBar>
      <Panel
        title={filters.isEmpty ? 'All users, newest first' : 'Matching users, newest first'}
        flush
        actions={<ExportButton label="Users" paged={paged} exported={USER_EXPORT} />}
      >
        <DataTable
          label="Users"
          columns={COLUMNS}
          paged={paged}
          rowKey={({ id }) => id}
          rowTo={({ id }) => `/users/${id}`}
          empty={
            filters.isEmpty ? (
              <Empty title="No users yet">Create one with “New user”. A wallet is created automatically.</Empty>
            ) : (
              <Empty title="No matching users" action={<Button onClick={filters.clear}>Clear filters</Button>}>
                The search matches the beginning of the external ID or e-mail address, or a complete user ID.
              </Empty>
            )
          }
        />
      </Panel>
      <CreateUser isOpen={isMaking} onClose={() => setMaking(false)} />
    </>
  );
};
