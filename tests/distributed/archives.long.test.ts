// Archives on a distributed database: a closed month leaves the shards, only after it is accounted for, and comes back to the last row.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../server/src/commit/migrate.ts';
import { contentOf, openHistory, writeMonths } from '../archives/fixture.ts';
import { distributeAll, openDatabase, openNodes } from './fixture.ts';

const MONTHS = ['2025-01', '2025-02'];
const HOLDS = { archives: true, problems: [], chain: true, books: true };

test('a closed month leaves the shards and is restored to the last row and hash', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const { connection, pool } = await openDatabase(t, nodes);
  await migrate({ pool });
  assert.equal((await distributeAll({ connection })).kind, 'done');
  const history = await openHistory(t, { connection });
  await writeMonths(history, MONTHS);
  const before = await contentOf(history);
  history.at('2025-07', 1);

  assert.deepEqual(await history.archiveAll(), MONTHS);
  const { rows } = await pool.query('select count(*)::int as n from postings where marketplace_id = $1', [
    history.marketplaceId,
  ]);
  assert.equal(rows[0].n, 0);
  assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);

  for (const month of MONTHS.toReversed()) {
    assert.equal((await history.archiver.restore(history.marketplaceId))?.id, month);
    assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
  }
  const after = await contentOf(history);
  assert.deepEqual(after.postings, before.postings);
  assert.deepEqual(after.events, before.events);
  for (const table of ['postings', 'audit_entries']) {
    const text = `delete from ${table} where marketplace_id = $1`;
    await assert.rejects(pool.query(text, [history.marketplaceId]), { code: 'HF002' }, table);
  }
});
