// Months are archived and restored while commands go on in the same accounts: no command fails, and every proof in between holds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHistory, writeMonths } from './fixture.ts';

const MONTHS = ['2025-01', '2025-02'];

test('commands go on while months are archived and restored, and the books hold at every moment', async (t) => {
  const history = await openHistory(t);
  const { ada } = await writeMonths(history, MONTHS);
  history.at('2025-08', 1);
  let isOver = false;
  let credits = 0;
  const commands = (async () => {
    for (; !isOver; credits++) await history.move(ada, { credit: '1.00' });
  })();
  const proofs = (async () => {
    while (!isOver) {
      const { chain, books } = await history.proveAll();
      assert.deepEqual([chain, books], [true, true]);
    }
  })();
  try {
    assert.deepEqual(await history.archiveAll(), MONTHS);
    for (const _ of MONTHS) await history.archiver.restore(history.marketplaceId);
    assert.deepEqual(await history.archiveAll(), MONTHS);
  } finally {
    isOver = true;
  }
  await Promise.all([commands, proofs]);
  assert.ok(credits > 0);
  assert.equal(await history.available(ada), `${124 + credits}.00`);
  assert.partialDeepStrictEqual(await history.proveAll(), { archives: true, problems: [], chain: true, books: true });
});
