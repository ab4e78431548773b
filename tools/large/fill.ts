// Fills one marketplace of an empty database with users, orders and their books by SQL, in slices. Only for measurements and tests of large
// marketplaces: no command was decided, and the audit chain does not hold. No other process may write at the same time.

import pg from 'pg';
import { ACCOUNTS, MOVE_HEAD, MOVES, POSTINGS, TRAIL } from './fill-books.ts';
import { INDEX_HELPERS, PREPARE, RECORDS, type Step, TABLES } from './fill-records.ts';
import { removeIndexes } from './indexes.ts';
import type { Sizes } from './sizes.ts';

const ROWS_AT_ONCE = 100_000;
const SLICES_AT_MOST = 200;
const LINE_MAX = 100;

/** Sorting and grouping whole tables takes more memory than a server's own statements. */
const SETTINGS = `set work_mem = '512MB'; set maintenance_work_mem = '2GB'; set synchronous_commit = off; set jit = off`;

type Filling = { readonly client: pg.Client; readonly sizes: Sizes; say(line: string): void };

/** A step with few rows counts slices of its own, and each is one statement. */
const sliceOf = (rows: number): number =>
  rows < SLICES_AT_MOST ? 1 : Math.max(ROWS_AT_ONCE, Math.ceil(rows / SLICES_AT_MOST));

const runStep = async ({ client, sizes, say }: Filling, step: Step): Promise<void> => {
  const rows = step.rows(sizes);
  const slice = sliceOf(rows);
  const text = step.sql(sizes);
  const started = performance.now();
  for (let from = 0; from < rows; from += slice) {
    const to = Math.min(rows, from + slice);
    await client.query(text, [from, to]);
    say(`${step.name}: ${to} of ${rows} after ${Math.round((performance.now() - started) / 1_000)} s`);
  }
};

export const fillMarketplace = async (
  connection: pg.ClientConfig,
  { sizes, say }: { sizes: Sizes; say(line: string): void },
): Promise<void> => {
  const client = new pg.Client({ ...connection, options: '-c timezone=UTC' });
  await client.connect();
  const all = async (statements: readonly string[]): Promise<void> => {
    for (const text of statements) await client.query(text);
  };
  const steps = async (list: readonly Step[]): Promise<void> => {
    for (const step of list) await runStep({ client, sizes, say }, step);
  };
  try {
    await all([SETTINGS, ...PREPARE]);
    await steps(RECORDS);
    await all(INDEX_HELPERS);
    const helpers = ['fill_users', 'fill_orders', 'fill_sides', 'fill_postings'];
    const indexes = await removeIndexes(client, { except: helpers });
    await steps([...TABLES, ...MOVES, ...ACCOUNTS]);
    // Each helper is removed as soon as it is read for the last time, because they need much of the disk.
    await all(['drop table fill_sides']);
    await steps(POSTINGS);
    await all(['drop table fill_postings']);
    await steps(TRAIL);
    await all(['drop table fill_users, fill_orders']);
    for (const [done, text] of indexes.entries()) {
      await client.query(text);
      say(`indexes: ${done + 1} of ${indexes.length}: ${text.slice(0, LINE_MAX)}`);
    }
    await all([MOVE_HEAD]);
    say('vacuum and analyze');
    await all(['vacuum analyze', 'checkpoint']);
  } finally {
    await client.end();
  }
};
