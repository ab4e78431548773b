// Few escrows are open among the settled ones, and the job that polls them reads no others. PostgreSQL uses an index with a condition only if
// the statement says the condition in a form that it recognises.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEscrowReads } from '../../server/src/modules/webhooks/queries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { overheard, type Sent } from '../support/tenancy-wire.ts';

const POLL = /t\.status in \('CREATED', 'FUNDING'\)/;

test('the escrows that are polled are found without reading settled ones', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  await fillMarketplace(connection, { sizes: { users: 200, orders: 2_000, postings: 1 }, say() {} });
  let poll = '';
  const hear = ({ text }: Sent): void => {
    if (POLL.test(text)) poll = text;
  };
  const pool = openPool(overheard(connection, hear), { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  assert.ok((await createEscrowReads(pool).listOpen(null, 100)).length > 0);
  await pool.query(`prepare poll as ${poll}`);
  const { rows } = await pool.query(`explain (analyze, timing off, costs off) execute poll('', '', 100)`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(plan, /Index Scan using escrows_polled/, plan);
  assert.doesNotMatch(plan, /escrows_pkey|Seq Scan/, plan);
});
