// A set of rows as a statement with one array per column: the same text whatever the number of rows, so it is prepared
// once. The columns are listed once, with how each is taken from a row.

import { bigints, booleans, bytes, instants, integers, texts } from './arrays.ts';

type Values = {
  text: string | null;
  bigint: bigint;
  integer: number | null;
  boolean: boolean;
  bytea: Buffer;
  /** Microseconds since 1970. */
  timestamptz: number;
};

const ENCODERS: { readonly [T in keyof Values]: (values: readonly Values[T][]) => Buffer } = {
  text: texts,
  bigint: bigints,
  integer: integers,
  boolean: booleans,
  bytea: bytes,
  timestamptz: instants,
};

export type Column<Row> = {
  readonly [T in keyof Values]: readonly [name: string, type: T, pick: (row: Row) => Values[T]];
}[keyof Values];

/** One change of a set of rows: finds them under the name given, and answers one row for each that it touched. */
export type Change<Row> = { readonly columns: readonly Column<Row>[]; sql(rows: string): string };

export const insertInto = <Row>(table: string, columns: readonly Column<Row>[]): Change<Row> => ({
  columns,
  sql: (rows) => `insert into ${table} (${columns.map(([name]) => name).join(', ')}) select * from ${rows} returning 1`,
});

/** Several changes as one statement, which costs the server less than one statement each. */
export type Statement<Rows extends unknown[]> = {
  readonly name: string;
  readonly text: string;
  readonly changes: { readonly [I in keyof Rows]: Change<Rows[I]> };
};

// Set-returning functions in the select list step together, which is cheaper than joining one scan per array.
const unnested = <Row>({ columns }: Change<Row>, first: number): string =>
  `select ${columns.map(([name, type], i) => `unnest($${first + i}::${type}[]) as ${name}`).join(', ')}`;

/** Every change must touch exactly as many rows as it was given, or the statement fails. */
export const statement = <Rows extends unknown[]>(
  name: string,
  changes: Statement<Rows>['changes'],
): Statement<Rows> => {
  const parts: string[] = [];
  const counts: string[] = [];
  let next = 1;
  for (const [i, change] of (changes as readonly Change<unknown>[]).entries()) {
    parts.push(`rows_${i} as (${unnested(change, next)}), touched_${i} as (${change.sql(`rows_${i}`)})`);
    next += change.columns.length;
    counts.push(`require_rows((select count(*) from touched_${i}), $${next}, '${name} ${i}')`);
    next += 1;
  }
  return { name, text: `with ${parts.join(', ')} select ${counts.join(', ')}`, changes };
};

/** One parameter per column and one for the number of rows, change by change. */
export const valuesOf = <Rows extends unknown[]>(
  { changes }: Statement<Rows>,
  sets: { readonly [I in keyof Rows]: readonly Rows[I][] },
): unknown[] =>
  (changes as readonly Change<unknown>[]).flatMap(({ columns }, i) => {
    const rows = (sets as readonly (readonly unknown[])[])[i]!;
    const arrays: unknown[] = columns.map(([, type, pick]) =>
      (ENCODERS[type] as (values: unknown[]) => Buffer)(rows.map(pick as (row: unknown) => unknown)),
    );
    return [...arrays, rows.length];
  });
