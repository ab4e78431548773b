// Tables: aligned columns, amounts to the right, and no wider than the terminal. Output into a pipe is never cut.

import { cut, cutMiddle, harmless, widthOf } from './paint.ts';

export type Column<Row> = {
  readonly title: string;
  of(row: Row): string | null;
  readonly align?: 'right';
  /** May be cut when the terminal is too narrow. */
  readonly flexible?: true;
  /** May be left out when the terminal is still too narrow. */
  readonly minor?: true;
  paint?(text: string, row: Row): string;
};

const GAP = '  ';
const FLEXIBLE_MIN = 6;

const pad = (text: string, { width, align }: { width: number; align: 'right' | undefined }): string => {
  const blank = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? blank + text : text + blank;
};

const ID = /^[a-z]{2,5}_[0-9A-Za-z]{20,}$/;
/** Enough of both ends to distinguish two ids. */
const ID_WIDTH_MIN = 13;

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);

/** Shrinks the widest flexible column until everything fits, or no column can shrink further. */
const squeeze = (widths: number[], { flexible, room }: { flexible: readonly boolean[]; room: number }): void => {
  while (totalOf(widths) > room) {
    const widest = widths.reduce(
      (best, width, at) => (flexible[at] && width > FLEXIBLE_MIN && width > (widths[best] ?? 0) ? at : best),
      -1,
    );
    if (widest < 0) return;
    widths[widest]! -= 1;
  }
};

type Laid<Row> = { readonly column: Column<Row>; readonly width: number; readonly isId: boolean };

/** Cuts the flexible columns, then drops the minor ones, then shortens ids, the first column last. */
const layOut = <Row>(laid: readonly Laid<Row>[], room: number): readonly Laid<Row>[] => {
  const widths = laid.map(({ width }) => width);
  squeeze(widths, { flexible: laid.map(({ column }) => column.flexible === true), room });
  if (totalOf(widths) <= room) return laid.map((each, at) => ({ ...each, width: widths[at]! }));
  const minor = laid.findLastIndex(({ column }) => column.minor);
  if (minor >= 0) return layOut(laid.toSpliced(minor, 1), room);
  for (let at = laid.length - 1; at >= 0; at--) {
    const excess = Math.max(0, totalOf(widths) - room);
    if (laid[at]!.isId) widths[at] = Math.max(Math.min(ID_WIDTH_MIN, widths[at]!), widths[at]! - excess);
  }
  return laid.map((each, at) => ({ ...each, width: widths[at]! }));
};

const laidOf = <Row>(rows: readonly Row[], column: Column<Row>): Laid<Row> => {
  const cells = rows.map((row) => textOf(row, column));
  return {
    column,
    width: Math.max(widthOf(column.title), ...cells.map(widthOf)),
    isId: cells.some((cell) => ID.test(cell)) && cells.every((cell) => ID.test(cell) || cell === NONE),
  };
};

const NONE = '–';

const textOf = <Row>(row: Row, column: Column<Row>): string => harmless(column.of(row) ?? NONE);

export const tableOf = <Row>(
  rows: readonly Row[],
  { columns, room, head }: { columns: readonly Column<Row>[]; room: number | null; head(text: string): string },
): string[] => {
  const all = columns.map((column) => laidOf(rows, column));
  const laid = room === null ? all : layOut(all, room);
  const cell = (text: string, { column, width, isId }: Laid<Row>): string =>
    pad((isId ? cutMiddle : cut)(text, width), { width, align: column.align });
  return [
    laid.map((each) => head(cell(each.column.title, each))),
    ...rows.map((row) =>
      laid.map((each) => {
        const text = cell(textOf(row, each.column), each);
        return each.column.paint?.(text, row) ?? text;
      }),
    ),
  ].map((line) => line.join(GAP).trimEnd());
};

/** Names and values, one pair per line. */
export const factsOf = (
  facts: readonly (readonly [string, string | null])[],
  dim: (text: string) => string,
): string[] => {
  const width = Math.max(...facts.map(([name]) => widthOf(name)));
  return facts
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${dim(name.padEnd(width))}  ${harmless(value!)}`);
};
