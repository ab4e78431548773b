// Tables whose rows commands read and write, and the statements that load and write these rows. This file names no table: a module
// declares its table next to its row type, and server/src/registry.ts lists them all.

import type { ErrorCode } from '@holdfast/contract/errors.ts';
import { snakeCase } from '../base/snake-case.ts';
import { byKeys } from '../postgres/by-keys.ts';

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
  /** Rows are large, and no command reads one: a lane forgets each as soon as it is written. */
  readonly isOnlyWritten?: true;
};

/** A table whatever its row type is. */
export type Table = {
  readonly name: TableName;
  readonly sql: string;
  readonly columns: readonly string[];
  /** The columns by their names in memory and in the database. */
  readonly names: readonly (readonly [field: string, column: string])[];
  readonly lookups: ReadonlyMap<string, Lookup<Tables[TableName]>>;
  readonly notFound: ErrorCode;
  readonly isOnlyWritten: boolean;
};

export const table = <T extends TableName>(name: T, definition: TableDefinition<T>): Table => ({
  name,
  sql: definition.sql,
  columns: definition.columns,
  names: definition.columns.map((column) => [column, snakeCase(column)]),
  // A lookup gets only rows of its own table.
  lookups: new Map(Object.entries(definition.lookups as unknown as Record<string, Lookup<Tables[TableName]>>)),
  notFound: definition.notFound,
  isOnlyWritten: definition.isOnlyWritten === true,
});

export type TableRegistry = ReadonlyMap<TableName, Table>;

export const tableRegistry = (tables: readonly Table[]): TableRegistry => new Map(tables.map((one) => [one.name, one]));

/** Columns under their names in memory, for queries outside the committer too. */
export const selected = ({ names }: Table): string =>
  names.map(([field, column]) => `t.${column} as "${field}"`).join(', ');

/** Builds the text of each table once, because every group needs it. */
const once = (textOf: (table: Table) => string) => {
  const texts = new Map<Table, string>();
  return (table: Table): string => {
    const text = texts.get(table) ?? textOf(table);
    texts.set(table, text);
    return text;
  };
};

type Key = Pick<Lookup<never>, 'sql' | 'where'>;

const BY_ID: Key = { sql: 't.id' };

/** The key of a lookup that finds all rows with a property. */
export const CONSTANT_KEY = "'1'::text";

const keyOf = ({ sql, where }: Key) => ({ key: sql, where: where?.sql });

/**
 * Null for a lookup whose key is a constant. No index has its order, so a plan that was made for an empty table would be wrong and stay. It
 * is planned each time.
 */
export const loadName = (table: Table, by: string | null): string | null =>
  by !== null && table.lookups.get(by)!.sql === CONSTANT_KEY ? null : `load-${table.name}-by-${by ?? 'id'}`;

/** `by`: the lookup. Null: by id. */
export const loadSql = (table: Table, by: string | null): string => {
  const key = keyOf(by === null ? BY_ID : table.lookups.get(by)!);
  return `select t.version, ${selected(table)} from ${byKeys(table.sql, { ...key, several: true })}`;
};

/** Fails unless no row of the marketplace has one of the values. Without a lookup the value is the id. */
export const absentSql = (sql: string, lookup: Key = BY_ID): string =>
  `select require_rows((select count(*) from ${byKeys(sql, keyOf(lookup))}), 0, '${sql}')`;

const writtenColumns = ({ names }: Table): string[] => [...names.map(([, column]) => column), 'version'];

/** A row as `json_populate_recordset` reads it. */
export const rowJson = (
  { names }: Table,
  { version, row }: { version: number; row: unknown },
): Record<string, unknown> => {
  const json: Record<string, unknown> = { version };
  for (const [field, column] of names) {
    const value = (row as Record<string, unknown>)[field];
    json[column] = typeof value === 'bigint' ? String(value) : value;
  }
  return json;
};

export const insertSql = once((table) => {
  const columns = writtenColumns(table).join(', ');
  return `insert into ${table.sql} (marketplace_id, ${columns})
    select $1, ${columns} from json_populate_recordset(null::${table.sql}, $2)`;
});

/** Changes only the version that was read: a row that another process has changed since then fails the whole group. */
export const updateSql = once((table) => {
  const columns = writtenColumns(table).filter((column) => column !== 'id');
  return `with w as (
      update ${table.sql} t set (${columns.join(', ')}) = row (${columns.map((column) => `u.${column}`).join(', ')})
      from json_populate_recordset(null::${table.sql}, $2) u
      where t.marketplace_id = $1 and t.id = any($3) and t.id = u.id and t.version = u.version - 1
      returning 1
    ) select require_rows((select count(*) from w), cardinality($3::text[]), '${table.sql}')`;
});

/**
 * The same, but each row is found by the primary key that its insertion conflicts with. So there is nothing to plan, and the statement can be
 * prepared: a plan of `updateSql` that was made while the table was empty could read the whole marketplace, and would stay. The rows
 * have the version that was read. A row that does not exist any more would be inserted with this version, and a changed one has the next: so
 * the sum of the versions tells whether all rows were changed.
 */
export const replaceSql = once((table) => {
  const columns = writtenColumns(table).filter((column) => column !== 'id' && column !== 'version');
  const all = ['id', 'version', ...columns];
  return `with w as (
      insert into ${table.sql} as t (marketplace_id, ${all.join(', ')})
      select $1, ${all.map((column) => `u.${column}`).join(', ')} from json_populate_recordset(null::${table.sql}, $2) u
      on conflict (marketplace_id, id) do update
        set (version, ${columns.join(', ')}) = row (t.version + 1, ${columns.map((column) => `excluded.${column}`).join(', ')})
        where t.version = excluded.version
      returning t.version
    ) select require_rows((select count(*) from w), $3, '${table.sql}'),
      require_rows((select sum(version)::bigint from w), $4, '${table.sql}, versions')`;
});
