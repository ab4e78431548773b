// The audit page: who changed what, when, the state before, and the check that the trail itself is unchanged.

import { AUDIT_EXPORT } from '../exports/service.ts';
import { ExportButton } from '../parts/lists/export-button.tsx';
import { RangeFilter } from '../parts/lists/range-filter.tsx';
import { HAPPENED, HAPPENED_NAMES, withMoments } from '../parts/lists/ranges.ts';
import '../styles/audit.css';
import type { AuditEntry, ListAuditEntriesQuery } from '@holdfast/sdk';
import { useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { WithAside } from '../parts/aside.tsx';
import { Button } from '../parts/button.tsx';
import { Id } from '../parts/id.tsx';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, TextFilter, useFilters } from '../parts/lists/filters.tsx';
import { usePaged } from '../parts/lists/paged.ts';
import { Empty, Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useClient } from '../session.tsx';
import { ArchivesPanel } from './audit/archives.tsx';
import { AUDIT_ACTIONS, AUDIT_RESOURCES, actionWords, resourceWords } from './audit/audit-names.ts';
import { ChainPanel } from './audit/chain.tsx';
import { Actor, EntryDetails } from './audit/entry-details.tsx';

const NAMES = ['resourceType', 'resourceId', 'action', 'userId', ...HAPPENED_NAMES] as const;
const PAGE_SIZE = 50;

export const Component = () => {
  const client = useClient();
  const filters = useFilters(NAMES);
  const choice = useFilters(['entry'] as const);
  const [search] = useSearchParams();
  const list = useRef<HTMLDivElement>(null);
  const query = withMoments(filters.values, HAPPENED) as ListAuditEntriesQuery;
  const paged = usePaged({
    queryKey: ['audit', 'list', query],
    list: (page) => client.audit.logs({ ...query, limit: PAGE_SIZE, ...page }),
  });
  const chosenId = choice.values.entry;
  const chosen = paged.rows?.find((entry) => entry.id === chosenId);

  const placeOf = ({ id }: AuditEntry): string => {
    const next = new URLSearchParams(search);
    next.set('entry', id);
    return `?${next}`;
  };
  const close = (): void => {
    choice.clear();
    list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus({ preventScroll: true });
  };

  return (
    <>
      <PageHeader title="Audit" text="Every change with its actor, chained by hashes." />
      <ChainPanel />
      <ArchivesPanel />
      <div className="audit-filters">
        <FilterBar filters={filters} list="audit">
          <ChoiceFilter filters={filters} name="resourceType" label="Resource" options={AUDIT_RESOURCES} />
          <ChoiceFilter filters={filters} name="action" label="Action" options={AUDIT_ACTIONS} />
          <TextFilter filters={filters} name="resourceId" label="Resource ID" placeholder="ord_… or another ID" />
          <TextFilter filters={filters} name="userId" label="User ID" placeholder="usr_…" />
          <RangeFilter filters={filters} bounds={HAPPENED} label="Time" />
        </FilterBar>
      </div>
      {chosenId && paged.rows && !chosen ? <NotHere onClose={choice.clear} /> : null}
      <WithAside
        aside={
          chosen ? <EntryDetails entry={chosen} among={paged.rows ?? []} placeOf={placeOf} onClose={close} /> : null
        }
      >
        <div ref={list}>
          <Panel title="Entries" flush actions={<ExportButton label="Entries" paged={paged} exported={AUDIT_EXPORT} />}>
            <DataTable
              label="Entries"
              columns={columnsOf({ placeOf, chosenId, isNarrow: chosen !== undefined })}
              paged={paged}
              rowKey={(entry) => entry.id}
              rowTo={placeOf}
              empty={<NoEntries isFiltered={!filters.isEmpty} />}
            />
          </Panel>
        </div>
      </WithAside>
    </>
  );
};

type ColumnOptions = {
  readonly placeOf: (entry: AuditEntry) => string;
  readonly chosenId: string | undefined;
  readonly isNarrow: boolean;
};

const columnsOf = ({ placeOf, chosenId, isNarrow }: ColumnOptions): readonly Column<AuditEntry>[] => [
  {
    name: 'Action',
    cell: (entry) => (
      <Link
        to={placeOf(entry)}
        replace
        preventScrollReset
        aria-current={entry.id === chosenId || undefined}
        className="audit-action"
      >
        {actionWords(entry.action)}
      </Link>
    ),
  },
  { name: 'Resource', phone: 'under', cell: (entry) => <About entry={entry} /> },
  ...(isNarrow ? [] : MORE_COLUMNS),
  { name: 'Time', phone: 'time', cell: (entry) => <Time value={entry.occurredAt} /> },
  { name: 'Sequence', align: 'end', cell: (entry) => <span className="amount">{entry.sequence}</span> },
];

/** Hidden while the details of one entry are open beside the list. */
const MORE_COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'Actor', phone: 'value', cell: (entry) => <Actor entry={entry} /> },
  { name: 'Result', cell: (entry) => <Status value={entry.result} /> },
];

const About = ({ entry }: { readonly entry: AuditEntry }) => (
  <span className="audit-about">
    <span className="soft">{resourceWords(entry.resourceType)}</span> <Id value={entry.resourceId} />
  </span>
);

const NoEntries = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No matching entries">
      Clear a filter. IDs must be complete: copy the ID from its page, or press / to search for it.
    </Empty>
  ) : (
    <Empty title="No entries yet">Changes in this marketplace appear here.</Empty>
  );

const NotHere = ({ onClose }: { readonly onClose: () => void }) => (
  <Notice title="The linked entry is not loaded" tone="warn">
    <p>Load more entries, or filter by resource.</p>
    <Button onClick={onClose}>Dismiss</Button>
  </Notice>
);
