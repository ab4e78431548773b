// Writes rows of a log outside the groups of the committer: records of what was sent, which are not the state of a marketplace and need no
// audit entry. Commands may change the same rows. The version of a row changes with each write, so a command that has cached it decides
// again.

import type pg from 'pg';
import {
  insertSql,
  rowJson,
  selected,
  type Table,
  type TableName,
  type Tables,
  updateSql,
} from '../../commit/tables.ts';

/** Version 0: the row does not exist yet. */
export type RecordRow<T extends TableName> = { readonly version: number; readonly row: Tables[T] };

type Place = { readonly table: Table; readonly marketplaceId: string };

/** In a transaction. The rows cannot be changed by others until it ends. Locked in the order of their ids, so that two writers do not wait for each other. */
export const lockRows = async <T extends TableName>(
  client: pg.ClientBase,
  { table, marketplaceId, ids }: Place & { readonly ids: readonly string[] },
): Promise<Map<string, RecordRow<T>>> => {
  const text = `select t.version, ${selected(table)} from ${table.sql} t
    where t.marketplace_id = $1 and t.id = any($2) order by t.id for update`;
  const { rows } = await client.query<{ version: number; id: string }>(text, [marketplaceId, ids]);
  return new Map(rows.map(({ version, ...row }) => [row.id, { version, row: row as unknown as Tables[T] }]));
};

/** In the transaction that has locked them. */
export const writeRows = async (
  client: pg.ClientBase,
  { table, marketplaceId, rows }: Place & { readonly rows: readonly RecordRow<TableName>[] },
): Promise<void> => {
  const json = (of: readonly RecordRow<TableName>[]): string =>
    JSON.stringify(of.map(({ version, row }) => rowJson(table, { version: version + 1, row })));
  const known = rows.filter(({ version }) => version > 0);
  const fresh = rows.filter(({ version }) => version === 0);
  if (known.length > 0) {
    const ids = known.map(({ row }) => row.id);
    await client.query(updateSql(table), [marketplaceId, json(known), ids]);
  }
  if (fresh.length > 0) await client.query(insertSql(table), [marketplaceId, json(fresh)]);
};
