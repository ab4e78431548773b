// Where words go. Results to standard output, as tables or as JSON; everything else to standard error, so that a program
// that reads the output reads nothing but the result.

import { type Paint, paintFor, wantsColour } from './paint.ts';
import { type Column, factsOf, tableOf } from './table.ts';

export type Out = {
  /** Whether a program reads it. */
  readonly isJson: boolean;
  /** Whether only ids are wanted. */
  readonly onlyIds: boolean;
  /** For standard output. */
  readonly paint: Paint;
  /** For standard error. */
  readonly notePaint: Paint;
  /** Null into a pipe. */
  readonly room: number | null;
  /** Whether standard error is a terminal, where a line can be drawn again. */
  readonly canRedraw: boolean;
  line(text: string): void;
  lines(texts: readonly string[]): void;
  json(value: unknown): void;
  /** One JSON value in one line; for streams. */
  jsonLine(value: unknown): void;
  note(text: string): void;
  /** Draws the present line of standard error again; for progress. */
  redraw(text: string): void;
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void;
  facts(facts: readonly (readonly [string, string | null])[]): void;
};

const ROOM_MIN = 40;

/** The ids in a result. */
const idsOf = (value: unknown): string[] => {
  const { id, items } = value as { id?: unknown; items?: { id?: unknown }[] };
  return [id, ...(Array.isArray(items) ? items.map((each) => each.id) : [])].filter((each) => typeof each === 'string');
};

export const createOut = ({ isJson, onlyIds = false }: { isJson: boolean; onlyIds?: boolean }): Out => {
  const { stdout, stderr, env } = process;
  const paint = paintFor(wantsColour(stdout, env));
  const notePaint = paintFor(wantsColour(stderr, env));
  const room = stdout.isTTY ? Math.max(ROOM_MIN, stdout.columns ?? 80) : null;
  const line = (text: string): void => void stdout.write(`${text}\n`);
  const lines = (texts: readonly string[]): void => {
    if (texts.length > 0) line(texts.join('\n'));
  };
  return {
    ...{ isJson: isJson || onlyIds, onlyIds, paint, notePaint, room, line, lines },
    canRedraw: stderr.isTTY === true,
    json(value) {
      // No ids are no lines: anything else would be taken for one.
      if (onlyIds) lines(idsOf(value));
      else line(JSON.stringify(value, null, 2));
    },
    jsonLine: (value) => line(JSON.stringify(value)),
    note: (text) => void stderr.write(`${text}\n`),
    redraw: (text) => void stderr.write(`\r\u001b[2K${text}`),
    table: (rows, columns) => lines(tableOf(rows, { columns, room, head: paint.dim })),
    facts: (facts) => lines(factsOf(facts, paint.dim)),
  };
};
