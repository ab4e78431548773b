// Tables for people: columns aligned, amounts to the right, and no wider than the terminal. Into a pipe nothing is cut.

import { harmless, widthOf } from './paint.ts';

export type Column<Row> = {
  readonly title: string;
  of(row: Row): string | null;
  readonly align?: 'right';
  /** May be cut when there is too little room. */
  readonly flexible?: true;
  paint?(text: string, row: Row): string;
};

const GAP = '  ';
const FLEXIBLE_MIN = 6;

const pad = (text: string, { width, align }: { width: number; align: 'right' | undefined }): string => {
  const blank = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? blank + text : text + blank;
};

const cut = (text: string, width: number): string =>
  widthOf(text) <= width ? text : `${[...text].slice(0, Math.max(0, width - 1)).join('')}…`;

/** Takes from the widest flexible column until everything fits, or nothing more can be taken. */
const fit = (widths: number[], { flexible, room }: { flexible: readonly boolean[]; room: number }): void => {
  const total = (): number => widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
  while (total() > room) {
    const widest = widths.reduce(
      (best, width, at) => (flexible[at] && width > FLEXIBLE_MIN && width > (widths[best] ?? 0) ? at : best),
      -1,
    );
    if (widest < 0) return;
    widths[widest]! -= 1;
  }
};

export const tableOf = <Row>(
  rows: readonly Row[],
  { columns, room, head }: { columns: readonly Column<Row>[]; room: number | null; head(text: string): string },
): string[] => {
  const cells = rows.map((row) => columns.map((column) => harmless(column.of(row) ?? '–')));
  const widths = columns.map((column, at) =>
    Math.max(widthOf(column.title), ...cells.map((line) => widthOf(line[at]!))),
  );
  if (room !== null) fit(widths, { flexible: columns.map((column) => column.flexible === true), room });
  const lineOf = (line: readonly string[], painted: (text: string, at: number) => string): string =>
    line
      .map((text, at) => painted(pad(cut(text, widths[at]!), { width: widths[at]!, align: columns[at]!.align }), at))
      .join(GAP)
      .trimEnd();
  return [
    lineOf(
      columns.map((column) => column.title),
      head,
    ),
    ...cells.map((line, index) => lineOf(line, (text, at) => columns[at]!.paint?.(text, rows[index]!) ?? text)),
  ];
};

/** Names and values below each other. */
export const factsOf = (
  facts: readonly (readonly [string, string | null])[],
  dim: (text: string) => string,
): string[] => {
  const width = Math.max(...facts.map(([name]) => widthOf(name)));
  return facts
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${dim(name.padEnd(width))}  ${harmless(value!)}`);
};
