// The reconciliation page: the breaks, which are differences between the books and an external system. Nothing here
// moves money; each kind of break comes with advice.

import { BREAK_EXPORT } from '../exports/payments.ts';
import { ExportButton } from '../parts/lists/export-button.tsx';
import '../styles/breaks.css';
import { BREAK_KINDS, type Break } from '@holdfast/sdk';
import { useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { WithAside } from '../parts/aside.tsx';
import { Button } from '../parts/button.tsx';
import { Id } from '../parts/id.tsx';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, type Filters, TextFilter, useFilters } from '../parts/lists/filters.tsx';
import { usePaged } from '../parts/lists/paged.ts';
import { RangeFilter } from '../parts/lists/range-filter.tsx';
import { HAPPENED, HAPPENED_NAMES, withMoments } from '../parts/lists/ranges.ts';
import { Amount } from '../parts/money/amount.tsx';
import { Empty } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useClient } from '../session.tsx';
import { adviceOf, KIND_WORDS, OwnerLink } from './breaks/advice.tsx';
import { BreakDetails } from './breaks/break-details.tsx';
import { type Owner, useOwners } from './breaks/owners.ts';

const NAMES = ['show', 'kind', 'subject', ...HAPPENED_NAMES] as const;

/** Reconciliation emits no events. */
const POLL_MS = 15_000;

const TITLES: Readonly<Record<string, string>> = {
  open: 'Open, newest first',
  resolved: 'Resolved, newest first',
  all: 'All, newest first',
};

type ColumnOptions = {
  readonly ownerOf: (subject: string) => Owner;
  readonly placeOf: (one: Break) => string;
  readonly chosenId: string | undefined;
};

const BOTH_SIDES: readonly Column<Break>[] = [
  { name: 'Books', align: 'end', cell: ({ expected }) => <Amount value={expected} places={7} /> },
  { name: 'Actual', align: 'end', cell: ({ actual }) => <Amount value={actual} places={7} /> },
];

const adviceColumn = (ownerOf: ColumnOptions['ownerOf']): Column<Break> => ({
  name: 'Advice',
  cell: (one) => <span className="breaks-advice">{adviceOf(one, ownerOf(one.subject))}</span>,
});

/** Fewer columns while a break is open beside the list. */
const columnsWith = ({ ownerOf, placeOf, chosenId }: ColumnOptions): readonly Column<Break>[] => [
  {
    name: 'Break',
    cell: (one) => (
      <span className="breaks-what">
        <Link to={placeOf(one)} replace preventScrollReset aria-current={one.id === chosenId || undefined}>
          {KIND_WORDS[one.kind]}
        </Link>
        <OwnerLink owner={ownerOf(one.subject)} />
        <Id value={one.subject} link={false} />
      </span>
    ),
  },
  ...(chosenId ? [] : BOTH_SIDES),
  {
    name: 'Difference',
    phone: 'value',
    align: 'end',
    cell: ({ difference, isOpen }) => (
      <strong>
        <Amount value={difference} places={7} signed {...(isOpen ? { tone: 'bad' } : {})} />
      </strong>
    ),
  },
  {
    name: 'Status',
    phone: 'under',
    cell: ({ isOpen, firstSeenAt, resolvedAt }) => (
      <span className="breaks-state">
        <Status value={isOpen ? 'OPEN' : 'RESOLVED'} tone={isOpen ? 'bad' : 'good'} />
        <span className="soft">
          {isOpen ? 'since ' : 'resolved '}
          <Time value={isOpen ? firstSeenAt : resolvedAt} />
        </span>
      </span>
    ),
  },
  ...(chosenId ? [] : [adviceColumn(ownerOf)]),
];

export const Component = () => {
  const client = useClient();
  const filters = useFilters(NAMES);
  const { show = 'open', subject, from, to } = withMoments(filters.values, HAPPENED);
  const kind = BREAK_KINDS.find((one) => one === filters.values.kind);
  const ask = {
    ...(show === 'all' ? {} : { open: show !== 'resolved' }),
    ...(kind ? { kind } : {}),
    ...(subject ? { subject } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  };
  const paged = usePaged({
    queryKey: ['breaks', 'list', ask],
    list: (page) => client.reconciliation.breaks({ ...ask, ...page }),
    everyMs: POLL_MS,
  });
  const ownerOf = useOwners((paged.rows ?? []).map((one) => one.subject));
  const { chosen, placeOf, close, list } = useChosen(paged.rows ?? []);
  return (
    <>
      <PageHeader
        title="Reconciliation"
        text="Every ten minutes the service compares each wallet, each escrow contract and the payment provider’s balance with the books. A break is a difference that was found twice with no transfer pending."
        actions={
          <Button icon="refresh" onClick={paged.again}>
            Refresh
          </Button>
        }
      />
      <BreakFilters filters={filters} />
      <WithAside aside={chosen ? <BreakDetails one={chosen} owner={ownerOf(chosen.subject)} onClose={close} /> : null}>
        <div ref={list}>
          <Panel
            title={TITLES[show] ?? TITLES.open}
            flush
            actions={<ExportButton label="Breaks" paged={paged} exported={BREAK_EXPORT} />}
          >
            <DataTable
              label="Breaks"
              columns={columnsWith({ ownerOf, placeOf, chosenId: chosen?.id })}
              paged={paged}
              rowKey={({ id }) => id}
              empty={
                show === 'open' && !kind && !subject && !from && !to ? (
                  <Empty title="No open breaks">
                    The books match the external systems. Resolved breaks are listed under “Resolved”.
                  </Empty>
                ) : (
                  <Empty title="No matching breaks" action={<Button onClick={filters.clear}>Clear filters</Button>}>
                    Try another status, kind or date range.
                  </Empty>
                )
              }
            />
          </Panel>
        </div>
      </WithAside>
    </>
  );
};

/** The break whose details are open, by the URL. */
const useChosen = (rows: readonly Break[]) => {
  const choice = useFilters(['break'] as const);
  const [search] = useSearchParams();
  const list = useRef<HTMLDivElement>(null);
  const chosen = rows.find(({ id }) => id === choice.values.break);
  const placeOf = ({ id }: Break): string => {
    const next = new URLSearchParams(search);
    next.set('break', id);
    return `?${next}`;
  };
  const close = (): void => {
    choice.clear();
    list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus({ preventScroll: true });
  };
  return { chosen, placeOf, close, list };
};

const BreakFilters = ({ filters }: { readonly filters: Filters<(typeof NAMES)[number]> }) => (
  <FilterBar filters={filters} list="breaks">
    <ChoiceFilter
      filters={filters}
      name="show"
      label="Status"
      all="Open"
      options={[
        { value: 'resolved', name: 'Resolved' },
        { value: 'all', name: 'All' },
      ]}
    />
    <ChoiceFilter
      filters={filters}
      name="kind"
      label="Kind"
      options={BREAK_KINDS.map((value) => ({ value, name: KIND_WORDS[value] }))}
    />
    <TextFilter filters={filters} name="subject" label="Subject" placeholder="G…, C… or a webhook" />
    <RangeFilter filters={filters} bounds={HAPPENED} label="First seen" />
  </FilterBar>
);
