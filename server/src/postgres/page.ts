// Pages of a list, newest first, with their conditions and cursors. Ids sort by time, so "before this id" is a stable cursor.

import type { IdKind } from '@holdfast/contract/ids.ts';
import type pg from 'pg';
import { parseInstant } from '../base/instant.ts';
import { CLOCKS_DIFFER_MS, numberedId } from '../base/ulid.ts';

export type PageRequest = { readonly marketplaceId: string; readonly limit: number; readonly cursor: string | null };

export type PageOf<Row> = { readonly rows: Row[]; readonly nextCursor: string | null };

/**
 * A condition with its parameter, which is written as `?`. `lead`: the column that it compares, for `byIndex`. Null: the condition leaves out
 * few of the rows that another one finds, so that one may lead as if it were alone.
 */
export type Filter = readonly [sql: string, value: unknown, lead?: string | null];

/** An equation whose column has an index of its own, with the marketplace before the column and the id after it. */
export const byIndex = (column: string, value: unknown): Filter => [`${column} = ?`, value, column];

type ColumnValue = readonly [column: string, value: string];

/** Two equations whose pair has an index of its own, because a pair of common values may be rare. */
export const byPair = (...[[one, a], [other, b]]: readonly [ColumnValue, ColumnValue]): Filter =>
  byIndex(`(${one} || ' ' || ${other})`, `${a} ${b}`);

/** The largest time that an id can have. */
const ID_TIME_MAX = 2 ** 48 - 1;

export type CreatedBetween = { readonly createdAfter?: string; readonly createdBefore?: string };

/** The first id of a time that is so much later than the given date or time. */
const idAt = (kind: IdKind, { text, laterMs }: { text: string | undefined; laterMs: number }): string | undefined => {
  if (text === undefined) return undefined;
  const micros = parseInstant(text) ?? parseInstant(`${text}T00:00:00Z`) ?? 0;
  const ms = Math.floor(micros / 1_000) + laterMs;
  return numberedId(kind, { ms: Math.min(Math.max(ms, 0), ID_TIME_MAX), number: 0n });
};

/**
 * Records created in a range of time. A page is in the order of the ids, so the ids are bounded as well: without these bounds a page of
 * old records would read all newer ones first. The time in an id differs from `created_at` by a day at most.
 */
export const createdBetween = (kind: IdKind, { createdAfter, createdBefore }: CreatedBetween): Filter[] => [
  ['t.created_at > ?', createdAfter],
  ['t.id >= ?', idAt(kind, { text: createdAfter, laterMs: -CLOCKS_DIFFER_MS })],
  ['t.created_at < ?', createdBefore],
  ['t.id < ?', idAt(kind, { text: createdBefore, laterMs: CLOCKS_DIFFER_MS })],
];

/** Bounds of the ids and times of a page, which every index of a list has at its end. */
const IS_BOUND = /^t\.(id|created_at) [<>]/;

/**
 * The column of the only condition of a list, where it has an index of its own. The condition becomes a range of one value, and the page
 * is in the order of the column and the id, which only this index has. A plan for any value does not know that a value is rare: where all
 * rows have the same one, an equation would read the whole list in the order of its ids to find none with another one.
 */
const leadOf = (given: readonly Filter[]): string | null => {
  const [first, ...more] = given.filter(([sql, , lead]) => lead !== null && !IS_BOUND.test(sql));
  return more.length === 0 ? (first?.[2] ?? null) : null;
};

/** Conditions of a query. A condition without a value is left out. */
export const conditions = (marketplaceId: string, filters: readonly Filter[]) => {
  const values: unknown[] = [marketplaceId];
  const texts = ['t.marketplace_id = $1'];
  const given = filters.filter(([, value]) => value !== undefined && value !== null);
  const lead = leadOf(given);
  for (const [sql, value, own] of given) {
    values.push(value);
    const text = own && own === lead ? `${own} >= ? and ${own} <= ?` : sql;
    texts.push(text.replaceAll('?', `$${values.length}`));
  }
  return { where: texts.join(' and '), values, lead };
};

type PageQuery = {
  readonly select: string;
  /**
   * What is shown of the rows `t` of the page, and what is joined to them. They are found first: a plan that has to sort what a search
   * finds would otherwise join all of it.
   */
  readonly joined?: { readonly columns: string; readonly joins: string };
  readonly where: string;
  readonly values: readonly unknown[];
  readonly limit: number;
  readonly lead?: string | null;
};

/** The limit is a parameter, because each text is prepared. */
const pageText = ({ select, joined, where, values, lead }: Omit<PageQuery, 'limit'>): string => {
  const order = `order by ${lead ? `${lead} desc, ` : ''}t.id desc`;
  const page = `${select} where ${where} ${order} limit $${values.length + 1}`;
  return joined ? `select ${joined.columns} from (${page}) t ${joined.joins} ${order}` : page;
};

/** Reads one row more than the page has, to know whether there is another page. */
export const readPage = async <Row extends pg.QueryResultRow & { id: string }>(
  pool: pg.Pool,
  query: PageQuery,
): Promise<PageOf<Row>> => {
  const { rows } = await pool.query<Row>(pageText(query), [...query.values, query.limit + 1]);
  const page = rows.slice(0, query.limit);
  return { rows: page, nextCursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null };
};

/** No text has a later character. */
const LAST_CHARACTER = '\u{10ffff}';

const startsWith = (expression: string, typed: string): string =>
  `${expression} ~>=~ ${typed} and ${expression} ~<~ (${typed} || '${LAST_CHARACTER}')`;

/**
 * Texts that begin with the parameter, written as `?`. It is a range of an index with pattern order: a prepared `like` cannot use the
 * index, because its pattern is not known when it is planned.
 */
export const beginsWith = (column: string): string => startsWith(column, '?::text');

export const beginsWithInAnyCase = (column: string): string => startsWith(`lower(${column})`, 'lower(?::text)');

/** A cursor for lists that are sorted by time and name. */
type PlaceInTime = readonly [at: string, name: string];

export const formatPlace = (place: PlaceInTime): string => Buffer.from(JSON.stringify(place)).toString('base64url');

/** Null when the text is not such a cursor. */
export const parsePlace = (cursor: string): PlaceInTime | null => {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(place) || place.length !== 2 || place.some((part) => typeof part !== 'string')) return null;
    return parseInstant(place[0]) === null ? null : (place as unknown as PlaceInTime);
  } catch {
    return null;
  }
};
