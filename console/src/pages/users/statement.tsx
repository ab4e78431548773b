// The statement of a user: opening balance, every posting with the balance after it, and closing balance; also as CSV and PDF.

import '../../styles/table.css';
import type { Statement, StatementLine } from '@holdfast/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Id } from '../../parts/id.tsx';
import { ChoiceFilter, FilterBar, type Filters, useFilters } from '../../parts/lists/filters.tsx';
import { RangeFilter } from '../../parts/lists/range-filter.tsx';
import { HAPPENED, HAPPENED_NAMES, withMoments } from '../../parts/lists/ranges.ts';
import { Amount } from '../../parts/money/amount.tsx';
import { CURRENCIES } from '../../parts/money/balances.ts';
import { Empty, ErrorNotice, Skeleton } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { CSV_TYPE, saveFile } from '../../parts/save-file.ts';
import { statusWords } from '../../parts/status.tsx';
import { exactTime, Time } from '../../parts/time.tsx';
import { plural } from '../../plural.ts';
import { useClient } from '../../session.tsx';
import { statementAsText } from './statement-text.ts';

const LINES_AT_ONCE = 100;

export const StatementPanel = ({ userId }: { readonly userId: string }) => {
  const client = useClient();
  const filters = useFilters(['currency', ...HAPPENED_NAMES] as const);
  const currency = CURRENCIES.find((one) => one === filters.values.currency) ?? 'USD';
  const { from, to } = withMoments(filters.values, HAPPENED);
  const range = { currency, ...(from ? { from } : {}), ...(to ? { to } : {}) };
  const query = useInfiniteQuery({
    queryKey: ['users', userId, 'statement', range],
    // A cursor contains its range.
    queryFn: ({ pageParam: cursor }) =>
      client.users.statement(userId, { ...(cursor ? { currency, cursor } : range), limit: LINES_AT_ONCE }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Statement) => page.nextCursor ?? undefined,
  });
  const save = useAction({
    run: () => statementAsText(client, { userId, range }),
    done: ({ lines }) => ({
      title: 'Statement downloaded',
      text: `${plural(lines, 'line')} of CSV.`,
    }),
    failed: 'The statement could not be downloaded',
    onDone: ({ text }) => saveFile({ name: `statement-${userId}-${currency}.csv`, parts: [text], type: CSV_TYPE }),
  });
  const savePdf = useAction({
    run: () => client.users.statementFile(userId, { ...range, format: 'pdf' }),
    done: () => ({ title: 'Statement downloaded' }),
    failed: 'The statement could not be downloaded',
    onDone: (bytes) =>
      saveFile({
        name: `statement-${userId}-${currency}.pdf`,
        parts: [bytes as Uint8Array<ArrayBuffer>],
        type: 'application/pdf',
      }),
  });
  const pages = query.data?.pages ?? [];
  const first = pages[0];
  const last = pages.at(-1);
  return (
    <Panel
      title="Statement"
      flush
      actions={
        <>
          <Button icon="topups" isBusy={savePdf.isPending} onClick={() => savePdf.mutate()}>
            Download PDF
          </Button>
          <Button icon="topups" isBusy={save.isPending} onClick={() => save.mutate()}>
            Download CSV
          </Button>
        </>
      }
    >
      <StatementFilters filters={filters} period={first} />
      {query.isError && !first ? (
        <div className="panel-body">
          <ErrorNotice title="Statement could not be loaded" error={query.error} again={() => void query.refetch()} />
        </div>
      ) : first && last ? (
        <StatementTable
          opening={first.opening}
          lines={pages.flatMap((page) => page.lines)}
          closing={last.closing}
          isWhole={!last.hasMore}
        />
      ) : (
        <div className="panel-body" role="status" aria-label="Statement is loading">
          <Skeleton />
        </div>
      )}
      {query.hasNextPage ? (
        <div className="table-foot">
          <span>There are more lines in this range.</span>
          <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
    </Panel>
  );
};

type FilterProps = {
  readonly filters: Filters<'currency' | (typeof HAPPENED_NAMES)[number]>;
  /** The period of the loaded statement. */
  readonly period: Pick<Statement, 'from' | 'to'> | undefined;
};

const StatementFilters = ({ filters, period }: FilterProps) => (
  <div className="users-filters">
    <FilterBar filters={filters} list="statement">
      <ChoiceFilter
        filters={filters}
        name="currency"
        label="Currency"
        all="USD"
        options={CURRENCIES.slice(1).map((value) => ({ value, name: value }))}
      />
      <RangeFilter filters={filters} bounds={HAPPENED} label="Time" all="The last 30 days" />
    </FilterBar>
    {period ? (
      <p className="soft">
        {exactTime(period.from)} to {exactTime(period.to)}
        {filters.values.from || filters.values.range ? '' : ', the last 30 days'}
      </p>
    ) : null}
  </div>
);

type TableProps = {
  readonly opening: Statement['opening'];
  readonly lines: readonly StatementLine[];
  readonly closing: Statement['closing'];
  readonly isWhole: boolean;
};

const StatementTable = ({ opening, lines, closing, isWhole }: TableProps) => (
  <div className="table-box">
    <table className="table users-statement" data-compact>
      <caption className="hidden-text">Statement, oldest first</caption>
      <thead>
        <tr>
          <th scope="col">Time</th> <th scope="col">Description</th> <th scope="col">Reference</th>{' '}
          <th scope="col">Account</th>
          <th scope="col" data-align="end">
            Amount
          </th>
          <th scope="col" data-align="end">
            Balance after
          </th>
        </tr>
      </thead>
      <tbody>
        <BalanceRow name="Opening balance" balances={opening} />
        {lines.map((line, at) => (
          <LineRow key={`${line.time} ${line.account} ${String(at)}`} line={line} />
        ))}
        {isWhole ? <BalanceRow name="Closing balance" balances={closing} /> : null}
      </tbody>
    </table>
    {lines.length === 0 ? (
      <Empty title="No postings in this period">Choose an earlier date, or another currency.</Empty>
    ) : null}
  </div>
);

const BalanceRow = ({ name, balances }: { readonly name: string; readonly balances: Statement['opening'] }) => (
  <tr className="users-balance-row">
    <td colSpan={4} data-phone="title">
      {name}
    </td>
    <td data-label="Available and reserved" data-align="end" data-phone="under">
      <span>
        <Amount value={balances.available} /> + <Amount value={balances.reserved} />
      </span>
    </td>
    <td data-label="Total" data-align="end" data-phone="value">
      <strong>
        <Amount value={balances.total} />
      </strong>
    </td>
  </tr>
);

const LineRow = ({ line }: { readonly line: StatementLine }) => (
  <tr>
    <td data-label="Time" data-phone="time">
      <Time value={line.time} exact />
    </td>
    <td data-label="Description" data-phone="title">
      <span>
        {statusWords(line.move)}
        {line.counterparty === 'own_balance' ? null : (
          <span className="soft"> · {statusWords(line.counterparty).toLowerCase()}</span>
        )}
        {line.description ? <span className="users-why">{line.description}</span> : null}
      </span>
    </td>
    <td data-label="Reference" data-phone="under">
      <Id value={line.reference} copy={false} />
    </td>
    <td data-label="Account" data-phone="under">
      {statusWords(line.account)}
    </td>
    <td data-label="Amount" data-align="end" data-phone="value">
      <Amount value={line.amount} signed />
    </td>
    <td data-label="Balance after" data-align="end" data-phone="hidden">
      <Amount value={line.balanceAfter} />
    </td>
  </tr>
);
