// Finds out whether a database belongs to another program, before anything is written to it. A mistyped DATABASE_URL must not put our
// tables among those of another program. It only reads.

import type { ClientBase, Pool } from 'pg';

type Reader = Pick<ClientBase | Pool, 'query'>;

/** Tables and views of the schema that our own tables would be created in. Those of extensions belong to no program. */
const TABLES = `select c.relname as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not exists (
      select 1 from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
    )
  order by c.relname collate "C"`;

const COLUMNS = `select attname as name from pg_attribute
  where attrelid = to_regclass('schema_migrations') and attnum > 0 and not attisdropped`;

const SHOWN = 3;

const namesOf = async (reader: Reader, sql: string): Promise<string[]> => {
  const { rows } = await reader.query<{ name: string }>(sql);
  return rows.map(({ name }) => name);
};

/** Other programs use a table of the same name, with other columns or other rows. */
const isOurs = async (reader: Reader, ourMigrations: readonly string[]): Promise<boolean> => {
  const columns = await namesOf(reader, COLUMNS);
  if (!columns.includes('name') || !columns.includes('checksum')) return false;
  const applied = await namesOf(reader, 'select name from schema_migrations');
  return applied.some((name) => ourMigrations.includes(name));
};

/** What shows that the database belongs to another program, as a sentence. Null: it is empty or ours. */
export const findForeignTables = async (reader: Reader, ourMigrations: readonly string[]): Promise<string | null> => {
  if (await isOurs(reader, ourMigrations)) return null;
  const tables = await namesOf(reader, TABLES);
  if (tables.length === 0) return null;
  const more = tables.length > SHOWN ? ` and ${tables.length - SHOWN} more` : '';
  const [{ name } = { name: '' }] = (await reader.query<{ name: string }>('select current_database() as name')).rows;
  return `The database ${name} belongs to another program: it has tables that are not Holdfast's (${tables.slice(0, SHOWN).join(', ')}${more}).`;
};

export const FOREIGN_DATABASE_REMEDY =
  'Nothing was changed. Set DATABASE_URL to a database that only Holdfast uses; a new one must be empty.';
