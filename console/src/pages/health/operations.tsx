// What is under way with the outside systems on behalf of orders, and what is stuck there.

import '../../styles/inline-filters.css';
import type { ListOperationsQuery, OperationRecord } from '@holdfast/sdk';
import { DataTable } from '../../parts/data-table.tsx';
import { ChoiceFilter, FilterBar, useFilters } from '../../parts/filters.tsx';
import { Id } from '../../parts/id.tsx';
import { Empty } from '../../parts/notice.tsx';
import { usePaged } from '../../parts/paged.ts';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';

const KINDS: Readonly<Record<OperationRecord['kind'], string>> = {
  'create-escrow': 'Create the escrow',
  'fund-escrow': 'Pay into escrow',
  release: 'Release to the seller',
  refund: 'Refund the buyer',
  'resolve-dispute': 'Carry out a decision',
};
const KIND_OPTIONS = Object.entries(KINDS).map(([value, name]) => ({ value, name }));
const STATES = [
  { value: 'RUNNING', name: 'Under way or stuck' },
  { value: 'FAILED', name: 'Failed' },
  { value: 'DONE', name: 'Done' },
];
/** A step that is put off has no event. */
const LOOK_EVERY_MS = 10_000;

export const OperationPanel = () => {
  const client = useClient();
  const filters = useFilters(['state', 'kind', 'orderId'] as const);
  const asked = { state: 'RUNNING', ...filters.values } as ListOperationsQuery;
  const isUnderWay = asked.state === 'RUNNING';
  const paged = usePaged({
    queryKey: ['operations', 'list', asked],
    everyMs: LOOK_EVERY_MS,
    list: (cursor) => client.operations.list({ ...asked, ...(cursor ? { cursor } : {}) }),
  });
  return (
    <Panel
      title="Operations"
      flush
      actions={
        <div className="inline-filters">
          <FilterBar filters={filters}>
            <ChoiceFilter
              filters={filters}
              name="state"
              label="State"
              options={STATES.slice(1)}
              all={STATES[0]!.name}
            />
            <ChoiceFilter filters={filters} name="kind" label="Kind" options={KIND_OPTIONS} />
          </FilterBar>
        </div>
      }
    >
      <DataTable
        label="Operations"
        columns={[
          { name: 'Order', cell: ({ orderId }) => <Id value={orderId} /> },
          { name: 'What', cell: ({ kind }) => KINDS[kind] },
          { name: 'State', cell: (operation) => <State operation={operation} /> },
          { name: 'Put off', align: 'end', cell: ({ attempts }) => <span className="amount">{attempts} ×</span> },
          { name: 'Asked for', cell: ({ startedAt }) => <Time value={startedAt} /> },
          isUnderWay
            ? { name: 'Next try', cell: ({ nextAttemptAt }) => <Time value={nextAttemptAt} /> }
            : { name: 'Ended', cell: ({ endedAt }) => <Time value={endedAt} /> },
          { name: 'Problem', cell: ({ lastProblem }) => <Problem text={lastProblem} /> },
        ]}
        paged={paged}
        rowKey={({ id }) => id}
        empty={
          <Empty title={isUnderWay ? 'Nothing is under way and nothing is stuck' : 'None is in this state'}>
            {isUnderWay
              ? 'While the service talks with an outside system about an order, it is listed here.'
              : 'Choose another state, or another kind.'}
          </Empty>
        }
      />
    </Panel>
  );
};

/** Put off at least once and still running: that is what open work calls stuck. */
const State = ({ operation: { state, attempts } }: { readonly operation: OperationRecord }) =>
  state === 'RUNNING' && attempts > 0 ? <Status value="STUCK" tone="warn" words="Stuck" /> : <Status value={state} />;

const Problem = ({ text }: { readonly text: string | null }) =>
  text ? <span className="health-problem">{text}</span> : <span className="soft">–</span>;
