// Reads the rows of a provider statement into lines. Every problem names its row, and a file with a problem gives no lines at all.

import { STATEMENT_COLUMNS } from '@holdfast/contract/api/provider-statements.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import { type Amount, parseExact } from '../../books/money.ts';
import { isInstant } from '../../http/validation/formats.ts';
import { Messages, validationError } from '../../http/validation/messages.ts';
import type { Table } from './read-file.ts';
import type { Columns, FileLine } from './statement.ts';

const FIELDS = [...STATEMENT_COLUMNS.needed, ...STATEMENT_COLUMNS.optional];

type Field = (typeof FIELDS)[number];

export type Reading = {
  /** The names that the caller gave. */
  readonly columns: Partial<Readonly<Record<Field, string>>>;
  /** Of lines without a currency. */
  readonly currency: string | null;
  /** Microseconds. */
  readonly from: number;
  readonly to: number;
};

type Places = Partial<Readonly<Record<Field, number>>>;

type FileLines = { readonly lines: readonly FileLine[]; readonly columns: Columns };

const DAY_MICROS = 86_400_000_000;
const NAMES_SHOWN = 20;
const LONGEST: Partial<Readonly<Record<Field, number>>> = {
  reference: LIMITS.referenceLength,
  type: LIMITS.nameLength,
  description: LIMITS.reasonLength,
};

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

const placesOf = (header: readonly string[], columns: Reading['columns']): Places => {
  const problems = new Messages('The file');
  const names = header.map((name) => name.toLowerCase());
  const places: Partial<Record<Field, number>> = {};
  for (const field of FIELDS) {
    const wanted = (columns[field] ?? field).trim();
    const place = names.indexOf(wanted.toLowerCase());
    if (place >= 0 && names.indexOf(wanted.toLowerCase(), place + 1) >= 0) {
      problems.add('', `has more than one column ${shown(wanted)}. Rename one of them.`);
    } else if (place >= 0) places[field] = place;
    else if (columns[field] !== undefined || (STATEMENT_COLUMNS.needed as readonly Field[]).includes(field)) {
      const own = header.slice(0, NAMES_SHOWN).map(shown).join(', ');
      problems.add('', `has no column ${shown(wanted)}. Its columns are ${own}. Name yours in columns.${field}.`);
    }
  }
  if (problems.list.length > 0) throw validationError(problems.list);
  return places;
};

/** A date alone is its first moment. Without a zone it is UTC. Null: it is neither a date nor a time. */
const momentOfCell = (cell: string): number | null => {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(cell);
  if (!match) return null;
  const [, date, minutes = '00:00', seconds = ':00', zone = 'Z'] = match;
  const text = `${date}T${minutes}${seconds}${zone}`;
  return isInstant(text) ? parseInstant(text) : null;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

type RowReader = {
  readonly cell: (field: Field) => string | null;
  readonly problem: (text: string) => void;
  readonly reading: Reading;
};

const readText = ({ cell, problem }: RowReader, field: Field): string | null => {
  const text = cell(field);
  const longest = LONGEST[field] ?? LIMITS.nameLength;
  if (text === null) return null;
  if (text.length > longest) problem(`${field} must have at most ${longest} characters`);
  if (CONTROL.test(text)) problem(`${field} contains a control character`);
  return text;
};

const readDate = ({ cell, problem, reading: { from, to } }: RowReader): string => {
  const text = cell('date') ?? '';
  const at = momentOfCell(text);
  if (at === null) {
    problem(`date must be a date such as 2026-11-15 or a time such as 2026-11-15T09:30:00Z, not ${shown(text)}`);
    return '';
  }
  // A day more on both sides: the outside system may use another time zone.
  if (at < from - DAY_MICROS || at >= to + DAY_MICROS) problem(`date ${text} is not in the range of the statement`);
  return formatInstant(at);
};

const AMOUNT_RULE = 'must be a decimal such as 25.00 or -25.00, with a point and at most seven places';

const readAmount = ({ cell, problem }: RowReader, field: 'amount' | 'fee'): Amount | null => {
  const text = cell(field);
  if (text === null && field === 'fee') return null;
  const amount = parseExact(text ?? '');
  if (amount === null) problem(`${field} ${AMOUNT_RULE}, not ${shown(text ?? '')}`);
  return amount;
};

const readCurrency = ({ cell, problem, reading }: RowReader): string => {
  const text = (cell('currency') ?? reading.currency ?? '').toUpperCase();
  if (/^[A-Z]{3,5}$/.test(text)) return text;
  problem(
    text === ''
      ? 'has no currency. Add a column currency, or send currency for all lines'
      : `currency must be a code such as USD, not ${shown(text)}`,
  );
  return '';
};

const readLine = (number: number, reader: RowReader): FileLine | null => {
  const amount = readAmount(reader, 'amount');
  const line = {
    number,
    at: readDate(reader),
    reference: readText(reader, 'reference'),
    currency: readCurrency(reader),
    type: readText(reader, 'type'),
    fee: readAmount(reader, 'fee'),
    description: readText(reader, 'description'),
  };
  return amount === null ? null : { ...line, amount };
};

/** Refuses with all problems of all rows, up to the limit of messages. */
export const readLines = ({ header, rows }: Table, reading: Reading): FileLines => {
  const places = placesOf(header, reading.columns);
  const problems = new Messages('The file');
  const lines: FileLine[] = [];
  for (const { number, cells } of rows) {
    const problem = (text: string): void => problems.add(`row ${number}:`, text);
    if (cells.length !== header.length) problem(`has ${cells.length} cells, and the header has ${header.length}`);
    const cell = (field: Field): string | null => {
      const place = places[field];
      const text = place === undefined ? '' : (cells[place] ?? '').trim();
      return text === '' ? null : text;
    };
    const line = readLine(number, { cell, problem, reading });
    if (line) lines.push(line);
    if (problems.isFull) break;
  }
  if (problems.list.length > 0) throw validationError(problems.list);
  const columns = Object.fromEntries(Object.entries(places).map(([field, place]) => [field, header[place]!]));
  return { lines, columns };
};
