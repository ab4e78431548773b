// Who changed what, when, and what it was before; and the proof that nobody has changed the record of it.

import '../styles/audit.css';
import type { AuditEntry, ListAuditEntriesQuery } from '@holdfast/sdk';
import { useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { WithAside } from '../parts/aside.tsx';
import { Button } from '../parts/button.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ChoiceFilter, DayFilter, FilterBar, TextFilter, useFilters } from '../parts/filters.tsx';
import { Id } from '../parts/id.tsx';
import { Empty, Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { usePaged } from '../parts/paged.ts';
import { Panel } from '../parts/panel.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useClient } from '../session.tsx';
import { Actor } from './audit/actor.tsx';
import { AUDIT_ACTIONS, AUDIT_RESOURCES, actionWords, resourceWords } from './audit/audit-words.ts';
import { ChainPanel } from './audit/chain.tsx';
import { EntryDetails } from './audit/entry-details.tsx';

const NAMES = ['resourceType', 'resourceId', 'action', 'userId', 'from', 'to'] as const;
const PAGE_SIZE = 50;

export const Component = () => {
  const client = useClient();
  const filters = useFilters(NAMES);
  const choice = useFilters(['entry'] as const);
  const [search] = useSearchParams();
  const list = useRef<HTMLDivElement>(null);
  const paged = usePaged({
    queryKey: ['audit', 'list', filters.values],
    list: (cursor) =>
      client.audit.logs({
        ...(filters.values as ListAuditEntriesQuery),
        limit: PAGE_SIZE,
        ...(cursor ? { cursor } : {}),
      }),
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
      <PageHeader title="Audit" text="Every change of state with who made it, chained by hashes." />
      <ChainPanel />
      <div className="audit-filters">
        <FilterBar filters={filters}>
          <ChoiceFilter filters={filters} name="resourceType" label="Resource" options={AUDIT_RESOURCES} />
          <ChoiceFilter filters={filters} name="action" label="Action" options={AUDIT_ACTIONS} />
          <TextFilter filters={filters} name="resourceId" label="About the id" placeholder="ord_… or any other" />
          <TextFilter filters={filters} name="userId" label="Concerning the user" placeholder="usr_…" />
          <DayFilter filters={filters} name="from" label="From" />
          <DayFilter filters={filters} name="to" label="To" end />
        </FilterBar>
      </div>
      {chosenId && paged.rows && !chosen ? <NotHere onClose={choice.clear} /> : null}
      <WithAside
        aside={
          chosen ? <EntryDetails entry={chosen} among={paged.rows ?? []} placeOf={placeOf} onClose={close} /> : null
        }
      >
        <div ref={list}>
          <Panel title="Entries" flush>
            <DataTable
              label="Entries"
              columns={[
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
                { name: 'About', cell: (entry) => <About entry={entry} /> },
                ...(chosen ? [] : MORE_COLUMNS),
                { name: 'When', cell: (entry) => <Time value={entry.occurredAt} /> },
                { name: 'Number', align: 'end', cell: (entry) => <span className="amount">{entry.sequence}</span> },
              ]}
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

/** Left out while one entry is told whole beside the list. */
const MORE_COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'By', cell: (entry) => <Actor entry={entry} /> },
  { name: 'Result', cell: (entry) => <Status value={entry.result} /> },
];

const About = ({ entry }: { readonly entry: AuditEntry }) => (
  <span className="audit-about">
    <span className="soft">{resourceWords(entry.resourceType)}</span> <Id value={entry.resourceId} />
  </span>
);

const NoEntries = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No entry fits these filters">
      Clear one of them. An id must be whole: copy it from its page, or press / to find it.
    </Empty>
  ) : (
    <Empty title="Nothing has been written yet">The first change of anything in this marketplace appears here.</Empty>
  );

const NotHere = ({ onClose }: { readonly onClose: () => void }) => (
  <Notice title="The entry of this link is not among those loaded" tone="warn">
    <p>Load more, or filter by what it is about.</p>
    <Button onClick={onClose}>Forget it</Button>
  </Notice>
);
