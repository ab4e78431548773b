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

/** A statement over a set of rows; the driver prepares it once under its name. */
export type SetStatement<Row> = {
  readonly name: string;
  readonly text: string;
  readonly columns: readonly Column<Row>[];
};

/** One parameter per column. */
export const encode = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Buffer[] =>
  columns.map(([, type, pick]) =>
    (ENCODERS[type] as (values: unknown[]) => Buffer)(rows.map(pick as (row: Row) => unknown)),
  );

/** Set-returning functions in the select list step together, which is cheaper than joining one scan per array. */
export const insertion = <Row>(
  table: string,
  of: { columns: readonly Column<Row>[]; onConflict?: string },
): SetStatement<Row> => ({
  name: `insert-${table}`,
  text: `insert into ${table} (${of.columns.map(([name]) => name).join(', ')})
    select ${of.columns.map(([, type], i) => `unnest($${i + 1}::${type}[])`).join(', ')}
    ${of.onConflict ?? ''}`,
  columns: of.columns,
});

/** Touches exactly as many rows as it was given, or fails. The last parameter is that number. */
export const update = <Row>(
  table: string,
  of: { columns: readonly Column<Row>[]; set: string; where: string },
): SetStatement<Row> => ({
  name: `update-${table}`,
  text: `with w as (
      update ${table} t set ${of.set}
      from (select ${of.columns.map(([name, type], i) => `unnest($${i + 1}::${type}[]) as ${name}`).join(', ')}) u
      where ${of.where} returning 1
    ) select require_rows((select count(*) from w), $${of.columns.length + 1}, '${table}')`,
  columns: of.columns,
});
