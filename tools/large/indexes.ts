// Removes the indexes of all tables before a large filling, and builds them again afterwards. Building an index at the end sorts its rows once;
// row by row, 50 million postings in the order of time go to random places of the index of their accounts.

import type pg from 'pg';

/** Keys and unique constraints first: a plain index cannot be dropped while a constraint owns it. */
const CONSTRAINTS = `select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as remove,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as build
  from pg_constraint c join pg_class t on t.oid = c.conrelid
  where c.contype in ('p', 'u') and t.relkind = 'r' and c.connamespace = 'public'::regnamespace and t.relname <> all($1)
  order by pg_relation_size(t.oid), c.conname`;

const INDEXES = `select format('drop index %s', i.indexrelid::regclass) as remove, pg_get_indexdef(i.indexrelid) as build
  from pg_index i join pg_class t on t.oid = i.indrelid
  where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and t.relname <> all($1)
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
  order by i.indexrelid`;

type Aside = { readonly remove: string; readonly build: string };

/** Returns how the indexes are built again. Each statement of it is one index. */
export const removeIndexes = async (
  client: pg.Client,
  { except }: { except: readonly string[] },
): Promise<string[]> => {
  const constraints = await client.query<Aside>(CONSTRAINTS, [except]);
  const indexes = await client.query<Aside>(INDEXES, [except]);
  const all = [...constraints.rows, ...indexes.rows];
  for (const { remove } of all) await client.query(remove);
  return all.map(({ build }) => build);
};
