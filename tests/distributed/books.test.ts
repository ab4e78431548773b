// The proof of the books before and after a distribution, on a database that needs no Citus: it keeps the books of every marketplace, names
// each difference, and never asks a client that is still executing a statement.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { openHeavyPool } from '../../server/src/postgres/connection.ts';
import {
  AT_ONCE,
  compareBooks,
  forgetWritten,
  hasNote,
  noteBooks,
} from '../../server/src/programs/distribute/books.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { newDatabase } from '../commit/fixture.ts';
import { writeBooks } from './fixture.ts';

/** More than are proved at once. */
const MARKETPLACES = Array.from({ length: AT_ONCE * 2 }, (_, i) => `mkt_${i}`);

/** The client of a distribution. A statement while another one runs would be queued in it, which the next version of pg refuses. */
const openBooks = async (t: TestContext) => {
  const connection = await newDatabase(t);
  await writeBooks({ connection }, MARKETPLACES);
  const client = new pg.Client(connection);
  await client.connect();
  const pool = openHeavyPool(connection, { max: AT_ONCE, timeoutMs: 60_000, onError: () => {} });
  afterwards(t, async () => {
    await pool.end();
    await client.end();
  });
  const overlapping: unknown[] = [];
  const original: (...values: unknown[]) => Promise<pg.QueryResult> = client.query.bind(client);
  let running = 0;
  const query = async (...values: unknown[]): Promise<pg.QueryResult> => {
    if (running > 0) overlapping.push(values[0]);
    running++;
    return original(...values).finally(() => void running--);
  };
  client.query = query as typeof client.query;
  const progress: number[] = [];
  const work = { pool, client, onProgress: (done: number) => void progress.push(done) };
  return { connection, client, work, overlapping, progress };
};

test('the books of every marketplace are kept and found again, with one statement of the client at a time', async (t) => {
  const { client, work, overlapping, progress } = await openBooks(t);
  assert.deepEqual(await noteBooks(work), []);
  const { rows } = await client.query('select marketplace as id from books_before_distribution order by 1');
  assert.deepEqual(
    rows.map(({ id }) => id),
    MARKETPLACES,
  );
  const count = MARKETPLACES.length;
  assert.deepEqual(await compareBooks(work), { marketplaces: count, compared: count, problems: [] });
  assert.equal(await hasNote(client), false);
  const counted = Array.from({ length: count }, (_, i) => i + 1);
  assert.deepEqual([progress, overlapping], [[...counted, ...counted], []]);
});

test('a marketplace whose books differ is named, and the kept books stay for the next comparison', async (t) => {
  const { connection, work, client, overlapping } = await openBooks(t);
  await noteBooks(work);
  await writeBooks({ connection }, ['mkt_3']);
  const { compared, problems } = await compareBooks(work);
  assert.deepEqual([compared, problems.length, await hasNote(client)], [MARKETPLACES.length, 1, true]);
  assert.match(problems[0]!, /^mkt_3: before .*, afterwards /);
  assert.equal(await forgetWritten(work), 1);
  assert.equal((await compareBooks(work)).compared, MARKETPLACES.length - 1);
  assert.deepEqual(overlapping, []);
});
