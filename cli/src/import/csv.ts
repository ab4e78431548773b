// Reads the CSV files of an import. Every problem names the file and the line; a file is read completely before anything is written.

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { failure } from '../failures.ts';
import { type ReadAmount, readAmount } from './amounts.ts';
import {
  hasEnded,
  IMPORT_LIMITS,
  type Source,
  type SourceBalance,
  type SourceMilestone,
  type SourceOrder,
  type SourceUser,
  type UserType,
} from './records.ts';

export type Files = { readonly users?: string; readonly balances?: string; readonly orders?: string };

type Columns = { readonly needed: readonly string[]; readonly possible: readonly string[] };

const USERS: Columns = { needed: ['externalUserId'], possible: ['email', 'name', 'type', 'status'] };
const BALANCES: Columns = { needed: ['externalUserId', 'currency', 'available'], possible: ['reserved'] };
const ORDERS: Columns = {
  needed: ['orderId', 'buyer', 'seller', 'amount', 'currency', 'status'],
  possible: ['clientOrderRef', 'title', 'description', 'platformFee', 'milestones'],
};

type Row = {
  readonly place: string;
  /** Empty when the column is missing or has no value. */
  cell(column: string): string;
};

const readText = async (file: string): Promise<string> => {
  const found = await stat(file).catch((error: Error) => {
    throw failure(`${file} cannot be read: ${error.message}`);
  });
  if (found.size > IMPORT_LIMITS.fileBytes) throw failure(`${file} is larger than ${IMPORT_LIMITS.fileBytes} bytes.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch {
    throw failure(`${file} is not a text file in UTF-8. Save it as "CSV UTF-8".`);
  }
};

const checkHeader = (header: readonly string[], { file, columns }: { file: string; columns: Columns }): void => {
  const { needed, possible } = columns;
  const known = [...needed, ...possible];
  const missing = needed.filter((each) => !header.includes(each));
  const unknown = header.filter((each, at) => !known.includes(each) || header.indexOf(each) < at);
  if (missing.length > 0) throw failure(`${file} has no column ${missing.join(', ')}. Columns: ${known.join(', ')}.`);
  if (unknown.length > 0)
    throw failure(`${file} has an unknown or repeated column "${unknown[0]}". Columns: ${known.join(', ')}.`);
};

type Parsed = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

const parseFile = (text: string, file: string): Parsed[] => {
  try {
    return parse(text, {
      bom: true,
      info: true,
      trim: true,
      skip_empty_lines: true,
      max_record_size: IMPORT_LIMITS.recordBytes,
      to: IMPORT_LIMITS.records + 2,
    }) as unknown as Parsed[];
  } catch (error) {
    throw failure(`${file} is not valid CSV: ${(error as Error).message}.`);
  }
};

const readRows = async (file: string, columns: Columns): Promise<Row[]> => {
  const name = path.basename(file);
  const [first, ...rest] = parseFile(await readText(file), name);
  if (!first) throw failure(`${name} is empty. Its first line names the columns: ${columns.needed.join(', ')}.`);
  if (rest.length > IMPORT_LIMITS.records) throw failure(`${name} has more than ${IMPORT_LIMITS.records} rows.`);
  checkHeader(first.record, { file: name, columns });
  return rest.map(({ record, info }) => ({
    place: `${name} line ${info.lines}`,
    cell: (column) => record[first.record.indexOf(column)]?.trim() ?? '',
  }));
};

/** Collects what is wrong, so that one run shows all of it. */
const createProblems = () => {
  const found: string[] = [];
  return {
    found,
    amount({ place, cell }: Row, column: string): bigint {
      const read: ReadAmount = readAmount(cell(column));
      if ('units' in read) return read.units;
      found.push(`${place}: ${column}: ${read.problem}.`);
      return 0n;
    },
  };
};

type Problems = ReturnType<typeof createProblems>;

const userOf = ({ place, cell }: Row): SourceUser => ({
  place,
  sourceId: null,
  externalUserId: cell('externalUserId'),
  email: cell('email') || null,
  name: cell('name') || null,
  type: (cell('type') || null) as UserType | null,
  status: cell('status') || 'ACTIVE',
  metadata: {},
});

const balanceOf = (row: Row, problems: Problems): SourceBalance => ({
  place: row.place,
  externalUserId: row.cell('externalUserId'),
  currency: row.cell('currency'),
  available: problems.amount(row, 'available'),
  reserved: row.cell('reserved') === '' ? 0n : problems.amount(row, 'reserved'),
});

/** `ref:amount:title`, separated by `|`. */
const milestonesOf = ({ place, cell }: Row, problems: Problems): SourceMilestone[] =>
  cell('milestones')
    .split('|')
    .filter((text) => text.trim() !== '')
    .flatMap((text) => {
      const [, ref = '', amount = '', title = ''] = /^([^:]+):([^:]+):(.+)$/.exec(text.trim()) ?? [];
      const read = readAmount(amount.trim());
      if (ref !== '' && 'units' in read) return [{ ref, title, amount: read.units }];
      problems.found.push(`${place}: milestones: "${text.trim()}" is not like draft:40.00:The first draft.`);
      return [];
    });

const orderOf = (row: Row, problems: Problems): SourceOrder => ({
  place: row.place,
  sourceId: row.cell('orderId'),
  clientOrderRef: row.cell('clientOrderRef') || null,
  buyer: row.cell('buyer'),
  seller: row.cell('seller'),
  amount: problems.amount(row, 'amount'),
  currency: row.cell('currency'),
  title: row.cell('title'),
  description: row.cell('description') || null,
  status: row.cell('status'),
  isRefunded: false,
  platformFee: row.cell('platformFee') || null,
  metadata: {},
  milestones: milestonesOf(row, problems),
});

export const readFiles = async (files: Files): Promise<Source> => {
  const problems = createProblems();
  const rows = async (file: string | undefined, columns: Columns) =>
    file === undefined ? [] : readRows(file, columns);
  const users = (await rows(files.users, USERS)).map(userOf);
  const balances = (await rows(files.balances, BALANCES)).map((row) => balanceOf(row, problems));
  const orders = (await rows(files.orders, ORDERS)).map((row) => orderOf(row, problems));
  return {
    name: Object.values(files)
      .filter((file) => file !== undefined)
      .map((file) => path.basename(file))
      .join(', '),
    users,
    balances,
    orders: orders.filter(({ status }) => !hasEnded(status)),
    closedOrders: orders.filter(({ status }) => hasEnded(status)).length,
    problems: problems.found,
  };
};
