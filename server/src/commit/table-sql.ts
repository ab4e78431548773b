// The statements that load and write the rows of a table, made from its declaration.

import { snakeCase } from '../base/snake-case.ts';
import type { Table } from './tables.ts';

/** Columns under their names in memory, for queries outside the committer too. */
export const selected = ({ columns }: Table): string =>
  columns.map((column) => `t.${snakeCase(column)} as "${column}"`).join(', ');

export const loadSql = (table: Table, by: string | null): string => {
  const lookup = by === null ? { sql: 't.id' } : table.lookups.get(by)!;
  const where = 'where' in lookup ? lookup.where : undefined;
  return `select t.marketplace_id as "marketplaceId", t.version, ${selected(table)}
    from unnest($1::text[], $2::text[]) k (marketplace_id, value)
    join ${table.sql} t on t.marketplace_id = k.marketplace_id and ${lookup.sql} = k.value
    ${where ? `where ${where.sql}` : ''}`;
};

const writtenColumns = ({ columns }: Table): string[] => [...columns.map(snakeCase), 'version'];

export const insertSql = (table: Table): string => {
  const columns = ['marketplace_id', ...writtenColumns(table)].join(', ');
  return `insert into ${table.sql} (${columns})
    select ${columns} from json_populate_recordset(null::${table.sql}, $1)`;
};

/** Changes only the version that was read: a row that another process has changed since then fails the whole group. */
export const updateSql = (table: Table): string => {
  const columns = writtenColumns(table).filter((column) => column !== 'id');
  return `with w as (
      update ${table.sql} t set (${columns.join(', ')}) = row (${columns.map((column) => `u.${column}`).join(', ')})
      from json_populate_recordset(null::${table.sql}, $1) u
      where t.marketplace_id = u.marketplace_id and t.id = u.id and t.version = u.version - 1
      returning 1
    ) select require_rows((select count(*) from w), $2, '${table.sql}')`;
};
