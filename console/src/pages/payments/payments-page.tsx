// The pages of top-ups and of withdrawals: the list, newest first, its filters in the URL, and the form for a new one.

import { ExportButton } from '../../parts/lists/export-button.tsx';
import type { Exported } from '../../parts/lists/export-rows.ts';
import { RangeFilter } from '../../parts/lists/range-filter.tsx';
import { CREATED, CREATED_NAMES, withMoments } from '../../parts/lists/ranges.ts';
import '../../styles/payments.css';
import type { List } from '@holdfast/sdk';
import type { ComponentType } from 'react';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, useFilters } from '../../parts/lists/filters.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { Empty } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Panel } from '../../parts/panel.tsx';
import { UserPicker } from '../../parts/user-picker.tsx';
import { useDenial } from '../../session.tsx';

type ListQuery<Status> = {
  userId?: string;
  createdAfter?: string;
  createdBefore?: string;
  status?: Status;
  cursor?: string;
  limit?: number;
};

type Props<Row, Status extends string> = {
  /** Also the first part of the path, and the icon. */
  readonly kind: 'topups' | 'withdrawals';
  /** Singular: `top-up`. */
  readonly word: string;
  /** `Top-ups` */
  readonly title: string;
  readonly text: string;
  /** The step after the creation, shown in an empty list. */
  readonly next: string;
  readonly statuses: readonly Status[];
  readonly columns: readonly Column<Row>[];
  readonly exported: Exported<Row>;
  readonly list: (ask: ListQuery<Status>) => List<Row>;
  readonly form: ComponentType<{ isOpen: boolean; onClose: () => void; userId: string }>;
};

export const PaymentsPage = <Row extends { id: string }, Status extends string>(props: Props<Row, Status>) => {
  const { kind, word, title, statuses, form: Form } = props;
  const createDenial = useDenial(kind === 'withdrawals' ? 'payout' : 'write');
  const createForm = useCreateForm();
  const filters = useFilters(['userId', 'status', ...CREATED_NAMES] as const);
  const { status, ...rest } = withMoments(filters.values, CREATED);
  const known = statuses.find((one) => one === status);
  const ask: ListQuery<Status> = { ...rest, ...(known ? { status: known } : {}) };
  const paged = usePaged({
    queryKey: [kind, 'list', ask],
    list: (page) => props.list({ ...ask, ...page }),
  });
  return (
    <>
      <PageHeader
        title={title}
        text={props.text}
        actions={
          <Button tone="accent" icon={kind} reason={createDenial} onClick={createForm.open}>
            New {word}
          </Button>
        }
      />
      <FilterBar filters={filters} list={kind}>
        <UserPicker
          label="User"
          value={filters.values.userId ?? ''}
          onChange={(id) => filters.set('userId', id)}
          placeholder="Any user"
        />
        <ChoiceFilter filters={filters} name="status" label="Status" options={statuses} />
        <RangeFilter filters={filters} bounds={CREATED} label="Created" />
      </FilterBar>
      <Panel
        title={filters.isEmpty ? `All ${word}s, newest first` : `Matching ${word}s, newest first`}
        flush
        actions={<ExportButton label={title} paged={paged} exported={props.exported} />}
      >
        <DataTable
          label={title}
          columns={props.columns}
          paged={paged}
          rowKey={({ id }) => id}
          rowTo={({ id }) => `/${kind}/${id}`}
          empty={
            filters.isEmpty ? (
              <Empty title={`No ${word}s yet`}>
                Create one with “New {word}”; {props.next}
              </Empty>
            ) : (
              <Empty title={`No matching ${word}s`} action={<Button onClick={filters.clear}>Clear filters</Button>}>
                Try another status or date range.
              </Empty>
            )
          }
        />
      </Panel>
      <Form isOpen={createForm.isOpen} onClose={createForm.close} userId={filters.values.userId ?? ''} />
    </>
  );
};

/** Whether the form for a new record is open. It is kept in the URL, so that other pages can link to it. */
const useCreateForm = () => {
  const { isEmpty, set, clear } = useFilters(['new']);
  return { isOpen: !isEmpty, open: () => set('new', 'true'), close: clear };
};
