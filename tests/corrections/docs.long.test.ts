// What docs/corrections.md shows in `sh` runs from top to bottom.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runPage } from '../cli/run-page.ts';
import { startApp } from '../support/app.ts';

test('every example of the page runs, one after the other', { timeout: 300_000 }, async (t) => {
  const app = await startApp(t, { sandbox: true });
  const { said } = await runPage(t, { page: 'docs/corrections.md', app, key: await app.key(['*']) });
  assert.match(said, /cancel-unfunded-order/);
});
