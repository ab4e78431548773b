// The operations of orders at the providers: running, stuck, failed and done.

import { OPERATION_EXPORT } from '../../exports/orders.ts';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import '../../styles/inline-filters.css';
import type { ListOperationsQuery, OperationRecord } from '@holdfast/sdk';
import { Id } from '../../parts/id.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, useFilters } from '../../parts/lists/filters.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
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
  const filters = useFilters(['state', 'kind', 'orderId'] as const);
  const query = { state: 'RUNNING', ...filters.values } as ListOperationsQuery;
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
      actions={
        <>
          <div className="inline-filters">
            <FilterBar filters={filters} list="operations">
              <ChoiceFilter
                filters={filters}
                name="state"
                label="Status"
                options={STATES.slice(1)}
                all={STATES[0]!.name}
              />
              <ChoiceFilter filters={filters} name="kind" label="Kind" options={KIND_OPTIONS} />
            </FilterBar>
          </div>
          <ExportButton label="Operations" paged={paged} exported={OPERATION_EXPORT} />
        </>
      }
    >
      <DataTable
        label="Operations"
        columns={[
          { name: 'Order', cell: ({ orderId }) => <Id value={orderId} /> },
          { name: 'Operation', cell: ({ kind }) => KINDS[kind] },
          { name: 'Status', cell: (operation) => <State operation={operation} /> },
          { name: 'Retries', align: 'end', cell: ({ attempts }) => <span className="amount">{attempts}</span> },
          { name: 'Started', cell: ({ startedAt }) => <Time value={startedAt} /> },
          isRunning
            ? { name: 'Next retry', cell: ({ nextAttemptAt }) => <Time value={nextAttemptAt} /> }
            : { name: 'Ended', cell: ({ endedAt }) => <Time value={endedAt} /> },
          { name: 'Last error', cell: ({ lastProblem }) => <Problem text={lastProblem} /> },
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

/** An operation is stuck when it is running and was retried at least once. */
const State = ({ operation: { state, attempts } }: { readonly operation: OperationRecord }) =>
  state === 'RUNNING' && attempts > 0 ? <Status value="STUCK" tone="warn" words="Stuck" /> : <Status value={state} />;

const Problem = ({ text }: { readonly text: string | null }) =>
  text ? <span className="health-problem">{text}</span> : <span className="soft">–</span>;
