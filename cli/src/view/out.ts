// The output of a command. Results go to standard output, as tables or as JSON. Everything else goes to standard error, so that a
// program that reads the output reads only the result.

import { type Paint, paintFor, wantsColour } from './paint.ts';
import { type Column, factsOf, tableOf } from './table.ts';

export type Out = {
  /** Whether the output is JSON, for a program. */
  readonly isJson: boolean;
  /** Whether only ids are printed. */
  readonly onlyIds: boolean;
  /** Colours of standard output. */
  readonly paint: Paint;
  /** Colours of standard error. */
  readonly notePaint: Paint;
  /** Width of the terminal; null when the output is a pipe. */
  readonly room: number | null;
  /** Whether standard error is a terminal, where a line can be redrawn. */
  readonly canRedraw: boolean;
  line(text: string): void;
  lines(texts: readonly string[]): void;
  json(value: unknown): void;
  /** One JSON value on one line; for streams. */
  jsonLine(value: unknown): void;
  note(text: string): void;
  /** Redraws the current line of standard error; for progress. */
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
    isJson: isJson || onlyIds,
    onlyIds,
    paint,
    notePaint,
    room,
    line,
    lines,
    canRedraw: stderr.isTTY === true,
    json(value) {
      // Without ids nothing is printed: any text would be read as an id.
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
