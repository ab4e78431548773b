// A list: a table on a wide screen, cards on a narrow one. It shows the loading state, an empty state and an error with
// advice. A button loads more rows, so that the end of the page stays reachable.

import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../button.tsx';
import { ErrorNotice, Skeleton } from '../notice.tsx';
import type { Paged } from './paged.ts';

export type Column<Row> = {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  readonly align?: 'end';
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

  return (
    <>
      <div className="table-box">
        <table className="table" aria-busy={paged.rows === null}>
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
              ? Array.from({ length: SKELETON_ROWS }, (_, at) => <SkeletonRow key={String(at)} columns={columns} />)
              : paged.rows.map((row) => (
                  <tr
                    key={rowKey(row)}
                    data-link={rowTo?.(row) ? true : undefined}
                    onClick={(event) => open(row, event.target)}
                  >
                    {columns.map(({ name, cell, align }) => (
                      <td key={name} data-align={align} data-label={name}>
                        {cell(row)}
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
      <TableFoot label={label} paged={paged} />
    </>
  );
};

const SkeletonRow = <Row,>({ columns }: { readonly columns: readonly Column<Row>[] }) => (
  <tr>
    {columns.map(({ name, align }) => (
      <td key={name} data-align={align} data-label={name}>
        <Skeleton />
      </td>
    ))}
  </tr>
);

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
