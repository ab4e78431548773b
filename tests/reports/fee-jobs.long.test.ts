// The jobs of a running server keep the sums of the fee report, and the job of the full proof compares them with the postings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { startApp } from '../support/app.ts';
import { openTrades } from './months.ts';

const PROVE_NOW = `insert into pgboss.job (name, policy) select name, policy from pgboss.queue where name = 'prove-fully'`;

test('a server keeps the sums of fees, and its full proof finds one that was altered', async (t) => {
  const { pool, history, marketplaceId } = await openTrades(t, ['2025-01-06', '2025-02-03']);
  const app = await startApp(t, { connection: history.connection });
  const one = async (text: string) => (await pool.query(text, [marketplaceId])).rows[0];
  const marks = 'select count(*)::integer as number from fee_marks where marketplace_id = $1 and seq > 0';
  await until(async () => (await one(marks)).number === 2, 'both accounts have sums');

  const proofs = 'select full_holds as holds, full_problems as problems from proofs where marketplace_id = $1';
  await app.sql(PROVE_NOW);
  await until(async () => (await one(proofs))?.holds === true, 'the full proof holds');
  await pool.query(`update fee_sums set provider = '1' where marketplace_id = $1 and provider <> '0'`, [marketplaceId]);
  await app.sql(PROVE_NOW);
  await until(async () => (await one(proofs)).holds === false, 'the full proof fails');
  assert.match(
    (await one(proofs)).problems,
    /USD provider on 2025-01-06: 1 units in the sums, 3000000 in the postings/,
  );
});
