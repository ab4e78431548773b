// The compared lines of a provider statement, with a filter by status.

import type { ProviderStatementLine } from '@holdfast/sdk';
import { STATEMENT_LINE_EXPORT } from '../../exports/provider-statements.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { Id } from '../../parts/id.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { ChoiceFilter, FilterBar, useFilters } from '../../parts/lists/filters.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { ExactAmount } from '../../parts/money/amount.tsx';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { LINE_STATUSES, LINE_TONES } from './words.ts';

const PAGE_ROWS = 100;

const COLUMNS: readonly Column<ProviderStatementLine>[] = [
  {
    name: 'Status',
    phone: 'under',
    cell: ({ status, reason }) => (
      <span className="statement-cell">
        <Status value={status} tone={LINE_TONES[status]} />
        {reason ? <span className="soft">{reason}</span> : null}
      </span>
    ),
  },
  { name: 'Row', align: 'end', cell: ({ row }) => row ?? <span className="soft">–</span> },
  { name: 'Date', phone: 'time', cell: ({ date }) => <Time value={date} exact /> },
  {
    name: 'Reference',
    phone: 'title',
    cell: ({ reference, description, type }) => (
      <span className="statement-cell">
        <Id value={reference} link={false} />
        {type || description ? (
          <span className="soft">{isolateBidi([type, description].filter(Boolean).join(' · '))}</span>
        ) : null}
      </span>
    ),
  },
  {
    name: 'Amount',
    phone: 'value',
    align: 'end',
    cell: ({ amount, currency }) => <ExactAmount value={amount} currency={currency} />,
  },
  { name: 'Difference', align: 'end', cell: ({ difference }) => <ExactAmount value={difference} signed /> },
  {
    name: 'Our record',
    cell: ({ record, suggestion }) =>
      suggestion ? (
        <span className="statement-cell">
          <span className="soft">Perhaps</span>
          <Id value={suggestion.id} />
        </span>
      ) : (
        <Id value={record?.id} />
      ),
  },
];

export const LinesPanel = ({ statementId }: { readonly statementId: string }) => {
  const client = useClient();
  const filters = useFilters(['status'] as const);
  const status = LINE_STATUSES.find((one) => one === filters.values.status);
  const paged = usePaged({
    queryKey: ['provider-statements', statementId, 'lines', status],
    list: (page) =>
      client.providerStatements.lines(statementId, { limit: PAGE_ROWS, ...page, ...(status ? { status } : {}) }),
  });
  return (
    <Panel title="Lines" flush actions={<ExportButton label="Lines" paged={paged} exported={STATEMENT_LINE_EXPORT} />}>
      <div className="panel-filters">
        <FilterBar filters={filters}>
          <ChoiceFilter filters={filters} name="status" label="Status" options={LINE_STATUSES} />
        </FilterBar>
      </div>
      <DataTable
        label="Lines"
        columns={COLUMNS}
        paged={paged}
        rowKey={({ id }) => id}
        empty={
          filters.isEmpty ? (
            <Empty title="No lines">The file and our records have nothing in this range.</Empty>
          ) : (
            <Empty title="No matching lines" action={<Button onClick={filters.clear}>Clear filters</Button>}>
              No line has this status.
            </Empty>
          )
        }
      />
    </Panel>
  );
};
