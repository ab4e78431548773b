// A database with many rows in every table of the marketplaces, made by SQL. Its rows need not make sense: the tests on it read plans.
// Its tables have never been analysed, and nothing analyses them by itself.

import pg from 'pg';
import { createDatabase, type TestDatabase } from '../../tools/test-database/database.ts';

type Column = { readonly table: string; readonly name: string; readonly type: string; readonly isNullable: boolean };

const ROWS = 5_000;

const COLUMNS = `select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type,
    not a.attnotnull as "isNullable"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attidentity = ''
    and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and exists (select from pg_attribute m where m.attrelid = c.oid and m.attname = 'marketplace_id')
  order by 1, a.attnum`;

/** Constraints would refuse rows that make no sense. */
const CHECKS = `select conrelid::regclass::text as "table", conname as name from pg_constraint
  where connamespace = 'public'::regnamespace and contype in ('c', 'f')`;

const VALUES: Readonly<Record<string, string>> = {
  text: `lpad(n::text, 12, '0')`,
  integer: 'n',
  smallint: '1',
  bigint: 'n',
  boolean: 'n % 100 = 0',
  'timestamp with time zone': `now() - n * interval '1 minute'`,
  date: 'current_date - n',
  jsonb: `'[{}]'::jsonb`,
  'text[]': `array[n::text]`,
  bytea: `'\\x00'::bytea`,
};

/** A few values, as the columns have that say what kind a row is. */
const FEW = /^(status|state|kind|type|side|currency|purpose|ending|asset|provider|action|resource_type|direction)$/;

const valueFor = ({ name, type, isNullable }: Column): string => {
  if (name === 'marketplace_id') return `'mkt_default'`;
  if (FEW.test(name) && type === 'text') return `(n % 5)::text`;
  const value = VALUES[type];
  if (value === undefined) throw new Error(`no value for a column of type ${type}`);
  return isNullable ? `case when n % 3 > 0 then ${value} end` : value;
};

const fill = (columns: readonly Column[]): string => {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(valueFor).join(', ');
  return `insert into ${columns[0]!.table} (${names}) select ${values} from generate_series(1, ${ROWS}) n
    on conflict do nothing`;
};

/** The filled tables are those with more than one row for each marketplace. */
export const createFilledDatabase = async (): Promise<TestDatabase & { readonly tables: readonly string[] }> => {
  const database = await createDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    for (const { table, name } of (await client.query(CHECKS)).rows) {
      await client.query(`alter table ${table} drop constraint if exists "${name}" cascade`);
    }
    const tables = Map.groupBy((await client.query<Column>(COLUMNS)).rows, ({ table }) => table);
    for (const [table, columns] of tables) {
      await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
      await client.query(fill(columns));
    }
    const counts = [...tables.keys()].map((table) => `select '${table}' as "table", count(*)::int from ${table}`);
    const { rows } = await client.query<{ table: string; count: number }>(counts.join(' union all '));
    return { ...database, tables: rows.filter(({ count }) => count > ROWS / 2).map(({ table }) => table) };
  } finally {
    await client.end();
  }
};
