// The requests that wait for another actor, and those that were decided.

import '../../styles/inline-filters.css';
import '../../styles/operators.css';
import type { Approval, ListApprovalsQuery } from '@holdfast/sdk';
import { Link } from 'react-router';
import { APPROVAL_EXPORT } from '../../exports/operators.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Id } from '../../parts/id.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { ChoiceFilter, FilterBar, useFilters } from '../../parts/lists/filters.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { Amount } from '../../parts/money/amount.tsx';
import { Empty } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Panel } from '../../parts/panel.tsx';
import { SimulatedTime } from '../../parts/simulated-time.tsx';
import { Status, statusWords } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { ACTION_OPTIONS, approvalWords, whoWords } from './approval-words.ts';

const DECIDED = ['APPROVING', 'APPROVED', 'FAILED', 'REJECTED', 'CANCELED', 'EXPIRED'];
const ALL = 'all';
const STATUSES = [{ value: ALL, name: 'All' }, ...DECIDED.map((value) => ({ value, name: statusWords(value) }))];

export const Component = () => {
  const client = useClient();
  const filters = useFilters(['status', 'action'] as const);
  const { status = 'PENDING', action } = filters.values;
  const asked = { ...(status === ALL ? {} : { status }), ...(action ? { action } : {}) } as ListApprovalsQuery;
  const paged = usePaged({
    queryKey: ['approvals', 'list', asked],
    list: (page) => client.approvals.list({ ...asked, ...page }),
  });
  return (
    <>
      <PageHeader
        title="Approvals"
        text="Requests that wait for another person. A rule of the marketplace decides which ones."
        actions={
          <Link className="button" to="/approvals/rules">
            Rules
          </Link>
        }
      />
      <Panel
        title="Requests"
        flush
        actions={
          <>
            <div className="inline-filters">
              <FilterBar filters={filters}>
                <ChoiceFilter filters={filters} name="status" label="Status" options={STATUSES} all="Waiting" />
                <ChoiceFilter filters={filters} name="action" label="Action" options={ACTION_OPTIONS} />
              </FilterBar>
            </div>
            <ExportButton label="Requests" paged={paged} exported={APPROVAL_EXPORT} />
          </>
        }
      >
        <DataTable
          label="Requests"
          columns={COLUMNS}
          paged={paged}
          rowKey={({ id }) => id}
          rowTo={({ id }) => `/approvals/${id}`}
          empty={
            <Empty title={status === 'PENDING' ? 'Nothing waits for approval' : 'No matching requests'}>
              {status === 'PENDING'
                ? 'Requests that a rule binds appear here at once.'
                : 'Try another status or action.'}
            </Empty>
          }
        />
      </Panel>
    </>
  );
};

const COLUMNS: readonly Column<Approval>[] = [
  { name: 'Action', cell: ({ id, action }) => <Link to={`/approvals/${id}`}>{approvalWords(action)}</Link> },
  {
    name: 'Amount',
    phone: 'value',
    align: 'end',
    cell: ({ amount, currency }) => <Amount value={amount ?? undefined} {...(currency ? { currency } : {})} />,
  },
  { name: 'About', cell: ({ orderId, userId }) => <Id value={orderId ?? userId} /> },
  { name: 'Requested by', phone: 'under', cell: ({ requestedBy }) => isolateBidi(whoWords(requestedBy)) },
  { name: 'Requested', phone: 'time', cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    name: 'Expires',
    cell: ({ status, expiresAt }) => <SimulatedTime value={status === 'PENDING' ? expiresAt : null} />,
  },
  { name: 'Status', phone: 'under', cell: ({ status }) => <Status value={status} /> },
];
