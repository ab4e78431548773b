// The disputes desk: what waits for a decision, the oldest first.

import '../styles/disputes.css';
import type { Dispute, DisputeStatus } from '@holdfast/sdk';
import { Link } from 'react-router';
import { Amount } from '../parts/amount.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { useFilters } from '../parts/filters.tsx';
import { orderTitle, UserName, useOrderSummary } from '../parts/names.tsx';
import { Empty, Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { useReason } from '../parts/rights.ts';
import { Status, statusWords } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { QUEUE_MAX, useQueue, useResolved } from './disputes/queue.ts';

const TABS: readonly { readonly status: DisputeStatus; readonly name: string; readonly title: string }[] = [
  { status: 'OPEN', name: 'Open', title: 'Nobody has taken these up, the oldest first' },
  { status: 'UNDER_REVIEW', name: 'Under review', title: 'Somebody looks into these, the oldest first' },
  { status: 'RESOLVED', name: 'Resolved', title: 'Decided, the newest first' },
];

export const Component = () => {
  const filters = useFilters(['status'] as const);
  const tab = TABS.find(({ status }) => status === filters.values.status) ?? TABS[0]!;
  const mayDecide = useReason('support');
  return (
    <>
      <PageHeader
        title="Disputes"
        text="Where buyer and seller disagree, and the money waits in escrow for a decision."
      />
      {mayDecide ? (
        <Notice title="You can look, but not decide" tone="warn">
          <p>{mayDecide}</p>
        </Notice>
      ) : null}
      <nav className="disputes-tabs" aria-label="Disputes by state">
        {TABS.map(({ status, name }) => (
          <Link key={status} to={`?status=${status}`} replace aria-current={status === tab.status ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      {tab.status === 'RESOLVED' ? <Resolved title={tab.title} /> : <Queue key={tab.status} {...tab} />}
    </>
  );
};

const COLUMNS: readonly Column<Dispute>[] = [
  { name: 'Dispute about', cell: (dispute) => <About dispute={dispute} /> },
  { name: 'Reason', cell: (dispute) => `${statusWords(dispute.reason)}, by the ${dispute.openedBy.toLowerCase()}` },
  { name: 'Parties', cell: (dispute) => <Parties orderId={dispute.orderId} /> },
  { name: 'Evidence', align: 'end', cell: (dispute) => dispute.evidence?.length ?? 0 },
  { name: 'In dispute', align: 'end', cell: (dispute) => <Disputed orderId={dispute.orderId} /> },
];

const AGE: Column<Dispute> = { name: 'Opened', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> };
const WHO: Column<Dispute> = { name: 'With', cell: ({ assignedTo }) => assignedTo };
const DECIDED: readonly Column<Dispute>[] = [
  { name: 'Decision', cell: ({ resolutionDecision }) => <Status value={resolutionDecision ?? ''} tone="calm" /> },
  { name: 'Decided', align: 'end', cell: ({ resolvedAt }) => <Time value={resolvedAt} /> },
];

const common = {
  label: 'Disputes',
  rowKey: ({ id }: Dispute) => id,
  rowTo: ({ id }: Dispute) => `/disputes/${id}`,
};

const Queue = ({ status, title }: { readonly status: DisputeStatus; readonly title: string }) => {
  const { paged, isCut } = useQueue(status);
  const columns = status === 'OPEN' ? [...COLUMNS, AGE] : [...COLUMNS, WHO, AGE];
  return (
    <>
      {isCut ? (
        <Notice title={`There are more than ${QUEUE_MAX}`} tone="warn">
          <p>
            The newest {QUEUE_MAX} are shown, the oldest of them first. Even older ones appear as these are decided.
          </p>
        </Notice>
      ) : null}
      <Panel title={title} flush>
        <DataTable
          {...common}
          columns={columns}
          paged={paged}
          empty={
            status === 'OPEN' ? (
              <Empty title="No dispute waits to be taken up">
                A dispute is opened on the page of an order in progress. It appears here at once.
              </Empty>
            ) : (
              <Empty title="Nobody looks into a dispute now">
                Take one up under <Link to="?status=OPEN">Open</Link>: it then waits here for a decision.
              </Empty>
            )
          }
        />
      </Panel>
    </>
  );
};

const Resolved = ({ title }: { readonly title: string }) => (
  <Panel title={title} flush>
    <DataTable
      {...common}
      columns={[...COLUMNS, ...DECIDED]}
      paged={useResolved()}
      empty={<Empty title="No dispute has been decided yet">What was decided, and for whom, is kept here.</Empty>}
    />
  </Panel>
);

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
