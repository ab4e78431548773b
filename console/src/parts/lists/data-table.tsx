// A list: a table on a wide screen, rows of two lines on a narrow one. It shows the loading state, an empty state and an error
// with advice. A button loads more rows, so that the end of the page stays reachable.

import '../../styles/table.css';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../button.tsx';
import { ErrorNotice, Skeleton } from '../notice.tsx';
import type { Paged } from './paged.ts';

export type Column<Row> = {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  readonly align?: 'end';
  /** The place in the compact row of a narrow screen. The first column is the title; others are hidden unless they say so. */
  readonly phone?: PhonePlace;
};

/**
 * `title` and `value` are the first line of a compact row, `under` (up to three) and `time` the second. What is `hidden` is on the page of
 * the record, or appears when the row is opened.
 */
type PhonePlace = 'title' | 'value' | 'under' | 'time' | 'hidden';

const phonePlaces = <Row,>(columns: readonly Column<Row>[]): readonly PhonePlace[] => {
  const hasTitle = columns.some(({ phone }) => phone === 'title');
  return columns.map(({ phone }, at) => phone ?? (at === 0 && !hasTitle ? 'title' : 'hidden'));
};

type Props<Row> = {
  /** The name of the rows, plural and capitalised: `Orders`. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly paged: Paged<Row>;
  readonly rowKey: (row: Row) => string;
  /** The target of a click on the row. The first cell has the same link, for the keyboard. */
  readonly rowTo?: (row: Row) => string | null;
  /** An `<Empty>` with advice. */
  readonly empty: ReactNode;
};

const SKELETON_ROWS = 6;

export const DataTable = <Row,>({ label, columns, paged, rowKey, rowTo, empty }: Props<Row>) => {
  const navigate = useNavigate();
  if (paged.error && paged.rows === null) {
    return (
      <div className="panel-body">
        <ErrorNotice title={`${label} could not be loaded`} error={paged.error} again={paged.again} />
      </div>
    );
  }
  if (paged.rows?.length === 0) return empty;

  const open = (row: Row, target: EventTarget): void => {
    const to = rowTo?.(row);
    // Links and buttons in the row keep their own action, and text stays selectable.
    if (!to || (target as Element).closest('a, button, input') || window.getSelection()?.toString()) return;
    void navigate(to);
  };

  const places = phonePlaces(columns);
  return (
    <>
      <div className="table-box">
        <table className="table" data-compact aria-busy={paged.rows === null}>
          <caption className="hidden-text">{label}</caption>
          <thead>
            <tr>
              {columns.map(({ name, align }) => (
                <th key={name} scope="col" data-align={align}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {paged.rows === null
              ? Array.from({ length: SKELETON_ROWS }, (_, at) => (
                  <tr key={String(at)}>
                    <Cells columns={columns} places={places} show={() => <Skeleton />} />
                  </tr>
                ))
              : paged.rows.map((row) => (
                  <TableRow
                    key={rowKey(row)}
                    isLink={Boolean(rowTo?.(row))}
                    canOpen={places.includes('hidden') && !rowTo?.(row)}
                    onClick={(target) => open(row, target)}
                  >
                    <Cells columns={columns} places={places} show={({ cell }) => cell(row)} />
                  </TableRow>
                ))}
          </tbody>
        </table>
      </div>
      <TableFoot label={label} paged={paged} />
    </>
  );
};

type CellsProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly places: readonly PhonePlace[];
  readonly show: (column: Column<Row>) => ReactNode;
};

const Cells = <Row,>({ columns, places, show }: CellsProps<Row>) =>
  columns.map((column, at) => (
    <td key={column.name} data-align={column.align} data-label={column.name} data-phone={places[at]}>
      {show(column)}
    </td>
  ));

type TableRowProps = {
  readonly isLink: boolean;
  /** On a narrow screen a button shows the hidden values of a row that has no page. */
  readonly canOpen: boolean;
  readonly onClick: (target: EventTarget) => void;
  readonly children: ReactNode;
};

const TableRow = ({ isLink, canOpen, onClick, children }: TableRowProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <tr data-link={isLink || undefined} data-open={isOpen || undefined} onClick={({ target }) => onClick(target)}>
      {children}
      {canOpen ? (
        <td className="table-more">
          <Button
            tone="plain"
            icon="down"
            aria-label={isOpen ? 'Show less' : 'Show more'}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        </td>
      ) : null}
    </tr>
  );
};

const TableFoot = <Row,>({ label, paged }: { readonly label: string; readonly paged: Paged<Row> }) => {
  if (paged.rows === null || (paged.rows.length < 10 && !paged.more)) return null;
  return (
    <div className="table-foot">
      <span role="status">
        {paged.rows.length} {label.toLowerCase()}
        {paged.more ? ' so far' : ''}
      </span>
      {paged.more ? (
        <Button onClick={paged.more} isBusy={paged.isLoadingMore}>
          Load more
        </Button>
      ) : null}
    </div>
  );
};
