// The operations of orders at the providers: running, stuck, failed and done.

import type { ListOperationsQuery, OperationRecord } from '@holdfast/sdk';
import { OPERATION_EXPORT } from '../../exports/orders.ts';
import { CorrectButton } from '../../parts/corrections/correct-button.tsx';
import { offersForOperation } from '../../parts/corrections/correction-kinds.ts';
import { Id } from '../../parts/id.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { ChoiceFilter, FilterBar, TextFilter, useFilters } from '../../parts/lists/filters.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { RangeFilter } from '../../parts/lists/range-filter.tsx';
import { CREATED, CREATED_NAMES, withMoments } from '../../parts/lists/ranges.ts';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';

const KINDS: Readonly<Record<OperationRecord['kind'], string>> = {
  'create-escrow': 'Create escrow',
  'fund-escrow': 'Fund escrow',
  release: 'Release to seller',
  refund: 'Refund buyer',
  'resolve-dispute': 'Resolve dispute',
  'release-milestone': 'Release milestone',
  'refund-milestone': 'Refund milestone',
};
const KIND_OPTIONS = Object.entries(KINDS).map(([value, name]) => ({ value, name }));
const STATES = [
  { value: 'RUNNING', name: 'Running or stuck' },
  { value: 'FAILED', name: 'Failed' },
  { value: 'DONE', name: 'Done' },
];
/** A retry emits no event. */
const POLL_MS = 10_000;

export const OperationPanel = () => {
  const client = useClient();
  const filters = useFilters(['state', 'kind', 'orderId', ...CREATED_NAMES] as const);
  const query = { state: 'RUNNING', ...withMoments(filters.values, CREATED) } as ListOperationsQuery;
  const isRunning = query.state === 'RUNNING';
  const paged = usePaged({
    queryKey: ['operations', 'list', query],
    everyMs: POLL_MS,
    list: (page) => client.operations.list({ ...query, ...page }),
  });
  return (
    <Panel
      title="Operations"
      flush
      actions={<ExportButton label="Operations" paged={paged} exported={OPERATION_EXPORT} />}
    >
      <div className="panel-filters">
        <FilterBar filters={filters} list="operations">
          <ChoiceFilter filters={filters} name="state" label="Status" options={STATES.slice(1)} all={STATES[0]!.name} />
          <ChoiceFilter filters={filters} name="kind" label="Kind" options={KIND_OPTIONS} />
          <TextFilter filters={filters} name="orderId" label="Order" placeholder="ord_…" />
          <RangeFilter filters={filters} bounds={CREATED} label="Started" />
        </FilterBar>
      </div>
      <DataTable
        label="Operations"
        columns={[
          { name: 'Order', phone: 'under', cell: ({ orderId }) => <Id value={orderId} /> },
          { name: 'Operation', phone: 'title', cell: ({ kind }) => KINDS[kind] },
          { name: 'Status', phone: 'value', cell: (operation) => <State operation={operation} /> },
          { name: 'Retries', align: 'end', cell: ({ attempts }) => <span className="amount">{attempts}</span> },
          { name: 'Started', phone: 'time', cell: ({ startedAt }) => <Time value={startedAt} /> },
          isRunning
            ? { name: 'Next retry', cell: ({ nextAttemptAt }) => <Time value={nextAttemptAt} /> }
            : { name: 'Ended', cell: ({ endedAt }) => <Time value={endedAt} /> },
          { name: 'Last error', cell: ({ lastProblem }) => <Problem text={lastProblem} /> },
          { name: 'Actions', align: 'end', cell: (operation) => <OperationActions operation={operation} /> },
        ]}
        paged={paged}
        rowKey={({ id }) => id}
        empty={
          <Empty title={isRunning ? 'No running operations' : 'No matching operations'}>
            {isRunning
              ? 'Operations appear here while the service waits for a provider.'
              : 'Try another status or kind.'}
          </Empty>
        }
      />
    </Panel>
  );
};

const LABELS: Readonly<Record<string, string>> = { 'retry-operation': 'Retry…', 'abandon-operation': 'Abandon…' };

const OperationActions = ({ operation }: { readonly operation: OperationRecord }) => (
  <span className="row">
    {offersForOperation(operation).map((offer) => (
      <CorrectButton
        key={offer.kind}
        offers={[offer]}
        label={LABELS[offer.kind]!}
        of={`${operation.kind} of ${operation.orderId}`}
      />
    ))}
  </span>
);

/** An operation is stuck when it is running and was retried at least once. */
const State = ({ operation: { state, attempts } }: { readonly operation: OperationRecord }) =>
  state === 'RUNNING' && attempts > 0 ? <Status value="STUCK" tone="warn" words="Stuck" /> : <Status value={state} />;

const Problem = ({ text }: { readonly text: string | null }) =>
  text ? <span className="health-problem">{text}</span> : <span className="soft">–</span>;
