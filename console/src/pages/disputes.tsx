// The list of disputes: unresolved ones oldest first, resolved ones newest first.

import { DISPUTE_EXPORT } from '../exports/orders.ts';
import { ExportButton } from '../parts/lists/export-button.tsx';
import { RangeFilter } from '../parts/lists/range-filter.tsx';
import { CREATED, CREATED_NAMES, withMoments } from '../parts/lists/ranges.ts';
import '../styles/disputes.css';
import type { Dispute, DisputeStatus } from '@holdfast/sdk';
import { Link, useSearchParams } from 'react-router';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { FilterBar, useFilters } from '../parts/lists/filters.tsx';
import { Amount } from '../parts/money/amount.tsx';
import { orderTitle, UserName, useOrderSummary } from '../parts/names.tsx';
import { Empty, Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { Status, statusWords } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useDenial } from '../session.tsx';
import { type DisputeAsk, QUEUE_MAX, useQueue, useResolved } from './disputes/queue.ts';

const TABS: readonly { readonly status: DisputeStatus; readonly name: string; readonly title: string }[] = [
  { status: 'OPEN', name: 'Open', title: 'Unassigned, oldest first' },
  { status: 'UNDER_REVIEW', name: 'Under review', title: 'Under review, oldest first' },
  { status: 'RESOLVED', name: 'Resolved', title: 'Resolved, newest first' },
];

export const Component = () => {
  const filters = useFilters(['status', ...CREATED_NAMES] as const);
  const [search] = useSearchParams();
  const { createdAfter, createdBefore } = withMoments(filters.values, CREATED);
  const tab = TABS.find(({ status }) => status === filters.values.status) ?? TABS[0]!;
  const ask = {
    status: tab.status,
    ...(createdAfter ? { createdAfter } : {}),
    ...(createdBefore ? { createdBefore } : {}),
  };
  const placeOf = (status: DisputeStatus): string => {
    const next = new URLSearchParams(search);
    next.set('status', status);
    return `?${next}`;
  };
  const supportDenial = useDenial('support');
  return (
    <>
      <PageHeader title="Disputes" text="Orders in dispute. The money stays in escrow until the dispute is resolved." />
      {supportDenial ? (
        <Notice title="You can view disputes but not resolve them" tone="warn">
          <p>{supportDenial}</p>
        </Notice>
      ) : null}
      <nav className="disputes-tabs" aria-label="Disputes by status">
        {TABS.map(({ status, name }) => (
          <Link key={status} to={placeOf(status)} replace aria-current={status === tab.status ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <FilterBar filters={filters} list="disputes">
        <RangeFilter filters={filters} bounds={CREATED} label="Opened" />
      </FilterBar>
      {tab.status === 'RESOLVED' ? (
        <Resolved title={tab.title} ask={ask} />
      ) : (
        <Queue key={tab.status} title={tab.title} ask={ask} />
      )}
    </>
  );
};

const COLUMNS: readonly Column<Dispute>[] = [
  { name: 'Dispute', cell: (dispute) => <About dispute={dispute} /> },
  {
    name: 'Reason',
    phone: 'under',
    cell: (dispute) => `${statusWords(dispute.reason)}, by the ${dispute.openedBy.toLowerCase()}`,
  },
  { name: 'Parties', cell: (dispute) => <Parties orderId={dispute.orderId} /> },
  { name: 'Evidence', align: 'end', cell: (dispute) => dispute.evidence?.length ?? 0 },
  { name: 'Amount', phone: 'value', align: 'end', cell: (dispute) => <Disputed orderId={dispute.orderId} /> },
];

const AGE: Column<Dispute> = {
  name: 'Opened',
  phone: 'time',
  align: 'end',
  cell: ({ createdAt }) => <Time value={createdAt} />,
};
const WHO: Column<Dispute> = { name: 'Assigned to', cell: ({ assignedTo }) => assignedTo };
const DECIDED: readonly Column<Dispute>[] = [
  { name: 'Decision', cell: ({ resolutionDecision }) => <Status value={resolutionDecision ?? ''} tone="calm" /> },
  { name: 'Resolved', phone: 'time', align: 'end', cell: ({ resolvedAt }) => <Time value={resolvedAt} /> },
];

type ListProps = { readonly ask: DisputeAsk; readonly title: string };

const common = {
  label: 'Disputes',
  rowKey: ({ id }: Dispute) => id,
  rowTo: ({ id }: Dispute) => `/disputes/${id}`,
};

const Queue = ({ ask, title }: ListProps) => {
  const { status } = ask;
  const { paged, isCut } = useQueue(ask);
  const columns = status === 'OPEN' ? [...COLUMNS, AGE] : [...COLUMNS, WHO, AGE];
  return (
    <>
      {isCut ? (
        <Notice title={`More than ${QUEUE_MAX} disputes`} tone="warn">
          <p>The list shows the newest {QUEUE_MAX}, oldest first. Older disputes appear as these are resolved.</p>
        </Notice>
      ) : null}
      <Panel title={title} flush actions={<ExportButton label="Disputes" paged={paged} exported={DISPUTE_EXPORT} />}>
        <DataTable
          {...common}
          columns={columns}
          paged={paged}
          empty={
            status === 'OPEN' ? (
              <Empty title="No unassigned disputes">
                Disputes are opened on the page of an order in progress and appear here at once.
              </Empty>
            ) : (
              <Empty title="No disputes under review">
                Assign a dispute under <Link to="?status=OPEN">Open</Link> to move it here.
              </Empty>
            )
          }
        />
      </Panel>
    </>
  );
};

const Resolved = ({ ask, title }: ListProps) => {
  const paged = useResolved(ask);
  return (
    <Panel title={title} flush actions={<ExportButton label="Disputes" paged={paged} exported={DISPUTE_EXPORT} />}>
      <DataTable
        {...common}
        columns={[...COLUMNS, ...DECIDED]}
        paged={paged}
        empty={<Empty title="No resolved disputes">Resolved disputes and their outcome appear here.</Empty>}
      />
    </Panel>
  );
};

const About = ({ dispute }: { readonly dispute: Dispute }) => {
  const order = useOrderSummary(dispute.orderId);
  return <Link to={`/disputes/${dispute.id}`}>{orderTitle(order ?? { id: dispute.orderId, title: '' })}</Link>;
};

const Parties = ({ orderId }: { readonly orderId: string }) => {
  const order = useOrderSummary(orderId);
  if (!order) return null;
  return (
    <span>
      <UserName id={order.buyerId} /> <span className="soft">pays</span> <UserName id={order.sellerId} />
    </span>
  );
};

const Disputed = ({ orderId }: { readonly orderId: string }) => {
  const order = useOrderSummary(orderId);
  return order ? <Amount value={order.amount} currency={order.currency} /> : null;
};
