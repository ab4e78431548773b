// The statements that load and write the rows of a table, made from its entry in tables.ts.

import { TABLES, type TableName } from './table-columns.ts';

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns under their names in memory, for reads outside the committer too. */
export const selected = (table: TableName): string =>
  TABLES[table].columns.map((column) => `t.${snake(column)} as "${column}"`).join(', ');

export type Lookup = { readonly sql: string; readonly where?: { readonly sql: string } };

export const loadSql = (table: TableName, by: string | null): string => {
  const lookup = by === null ? { sql: 't.id' } : (TABLES[table].lookups as Record<string, Lookup>)[by]!;
  return `select t.marketplace_id as "marketplaceId", t.version, ${selected(table)}
    from unnest($1::text[], $2::text[]) k (marketplace_id, value)
    join ${TABLES[table].sql} t on t.marketplace_id = k.marketplace_id and ${lookup.sql} = k.value
    ${lookup.where ? `where ${lookup.where.sql}` : ''}`;
};

const written = (table: TableName): string[] => [...TABLES[table].columns.map(snake), 'version'];

export const insertSql = (table: TableName): string => {
  const columns = ['marketplace_id', ...written(table)].join(', ');
  return `insert into ${TABLES[table].sql} (${columns})
    select ${columns} from json_populate_recordset(null::${TABLES[table].sql}, $1)`;
};

/** Changes only the version that was read: a row that somebody else changed meanwhile fails the whole group. */
export const updateSql = (table: TableName): string => {
  const columns = written(table).filter((column) => column !== 'id');
  return `with w as (
      update ${TABLES[table].sql} t set (${columns.join(', ')}) = row (${columns.map((c) => `u.${c}`).join(', ')})
      from json_populate_recordset(null::${TABLES[table].sql}, $1) u
      where t.marketplace_id = u.marketplace_id and t.id = u.id and t.version = u.version - 1
      returning 1
    ) select require_rows((select count(*) from w), $2, '${TABLES[table].sql}')`;
};
