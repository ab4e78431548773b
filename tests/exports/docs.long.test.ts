// What docs/finance.md shows in `sh` runs from top to bottom.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { runPage } from '../cli/run-page.ts';
import { startApp } from '../support/app.ts';

test('every example of the page runs, one after the other', { timeout: 300_000 }, async (t) => {
  const app = await startApp(t, { sandbox: true });
  await app.aUser({ available: '5.00' });
  const { said, folder } = await runPage(t, { page: 'docs/finance.md', app, key: await app.key(['read', 'write']) });
  assert.match(said, /books\.csv: \d+ postings,/);
  const files = (await readdir(folder)).filter((name) => name.startsWith('books')).sort();
  assert.deepEqual(files, ['books.beancount', 'books.csv', 'books.journal', 'books.jsonl']);
});
