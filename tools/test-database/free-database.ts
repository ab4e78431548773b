// A database that no program uses any more, so that it can be cloned or dropped. On a cluster a background worker of Citus is connected to
// each database that was used, and one that is just starting would make `drop database` wait for seconds and fail.

import { until } from '../until.ts';

const END = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';

type Asking = { query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }> };

/** Refuses new connections and ends those that there are. Nothing happens when there is no such database. */
export const freeDatabase = async (admin: Asking, name: string): Promise<void> => {
  const { rows } = await admin.query('select 1 from pg_database where datname = $1', [name]);
  if (rows.length === 0) return;
  await admin.query(`alter database ${name} with allow_connections false`);
  await until(async () => (await admin.query(END, [name])).rows.length === 0, `nothing uses ${name}`);
};
