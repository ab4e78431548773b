// What PostgreSQL's catalogue says about marketplaces: which tables have the column, and which keys leave it out. Each
// fault is a sentence that says what to do.

import type pg from 'pg';
import { HOUSE_SCHEMAS, HOUSE_TABLES } from './tenancy-lists.ts';

type Row = {
  readonly table: string;
  readonly name: string;
  readonly columns: string[];
  readonly refers: string[] | null;
};

const OF_US = `n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and n.nspname <> all($1)
  and c.relname <> all($2) and c.relkind in ('r', 'p') and not c.relispartition`;

const columnsOf = (numbers: string, relation: string): string => `array(
  select coalesce(a.attname, '(an expression)') from unnest(${numbers}) with ordinality k (number, place)
  left join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.number and k.number > 0 order by k.place)::text[]`;

const TABLES = `select c.relname as "table", coalesce(a.attname, '') as name,
    array[format_type(a.atttypid, a.atttypmod), a.attnotnull::text] as columns, null as refers
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_attribute a on a.attrelid = c.oid and a.attname = 'marketplace_id' where ${OF_US}`;

/** Of primary keys, unique constraints and unique indexes alike; what an index only carries along is no part of its key. */
const KEYS = `select c.relname as "table", i.indexrelid::regclass::text as name,
    ${columnsOf('(i.indkey::int2[])[0:i.indnkeyatts - 1]', 'c.oid')} as columns, null as refers
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
  where ${OF_US} and i.indisunique`;

const REFERENCES = `select c.relname as "table", f.conname as name, ${columnsOf('f.conkey', 'f.conrelid')} as columns,
    ${columnsOf('f.confkey', 'f.confrelid')} as refers
  from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
  where ${OF_US} and f.contype = 'f'`;

const COLUMN = 'marketplace_id';

const ofTable = ({ table, name, columns: [type, isNotNull] }: Row): string[] => {
  if (name === '') return [`${table} has no ${COLUMN}: give it one, or list it in tests/support/tenancy-lists.ts.`];
  return type === 'text' && isNotNull === 'true' ? [] : [`${table}.${COLUMN} has to be "text not null".`];
};

const ofKey = ({ table, name, columns }: Row): string[] =>
  columns[0] === COLUMN ? [] : [`The key ${name} of ${table} begins with ${columns[0]}: let it begin with ${COLUMN}.`];

const ofReference = ({ table, name, columns, refers }: Row): string[] => {
  const place = columns.indexOf(COLUMN);
  if (place >= 0 && refers?.[place] === COLUMN) return [];
  return [`The foreign key ${name} of ${table} could lead into another marketplace: let both sides hold ${COLUMN}.`];
};

export const faultsOf = async (client: pg.Client): Promise<string[]> => {
  const listed = [HOUSE_SCHEMAS, HOUSE_TABLES].map((list) => list.map(({ name }) => name));
  const find = async (text: string): Promise<Row[]> => (await client.query<Row>(text, listed)).rows;
  return [
    ...(await find(TABLES)).flatMap(ofTable),
    ...(await find(KEYS)).flatMap(ofKey),
    ...(await find(REFERENCES)).flatMap(ofReference),
  ].sort();
};
