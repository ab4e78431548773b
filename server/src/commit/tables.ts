// Tables whose rows commands read and write. This file knows none of them: a module declares its table beside its row type, and
// server/src/tables.ts lists them all.

import type { ErrorCode } from '@holdfast/contract/errors.ts';

/** Row types by table name. Modules add to it by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules add their rows
export interface Tables {}

/** Names of the lookups of each table. Modules add to it by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules add their lookups
export interface Lookups {}

export type TableName = keyof Tables & keyof Lookups;

export type Lookup<Row> = {
  /** The SQL expression that the lookup's index is made of. */
  readonly sql: string;
  /** Rows that fail this are not found by the lookup. */
  readonly where?: { readonly sql: string; readonly holds: (row: Row) => boolean };
  /** The same value, taken from a row in memory. */
  readonly value: (row: Row) => string;
};

type TableDefinition<T extends TableName> = {
  readonly sql: string;
  readonly columns: readonly (keyof Tables[T] & string)[];
  readonly lookups: { readonly [L in keyof Lookups[T]]: Lookup<Tables[T]> };
  /** The error of `get` when the row does not exist. */
  readonly notFound: ErrorCode;
};

/** A table whatever its row type is. */
export type Table = {
  readonly name: TableName;
  readonly sql: string;
  readonly columns: readonly string[];
  readonly lookups: ReadonlyMap<string, Lookup<Tables[TableName]>>;
  readonly notFound: ErrorCode;
};

export const table = <T extends TableName>(name: T, definition: TableDefinition<T>): Table => ({
  name,
  sql: definition.sql,
  columns: definition.columns,
  // Each lookup is only ever asked about rows of its own table.
  lookups: new Map(Object.entries(definition.lookups as unknown as Record<string, Lookup<Tables[TableName]>>)),
  notFound: definition.notFound,
});

export type TableRegistry = ReadonlyMap<TableName, Table>;

export const tableRegistry = (tables: readonly Table[]): TableRegistry => new Map(tables.map((one) => [one.name, one]));
