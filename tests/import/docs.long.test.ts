// What docs/migrating.md shows in `sh` runs from top to bottom.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runPage } from '../cli/run-page.ts';
import { startApp } from '../support/app.ts';

test('every example of the page runs, one after the other', { timeout: 300_000 }, async (t) => {
  const app = await startApp(t);
  const { said } = await runPage(t, { page: 'docs/migrating.md', app, key: await app.key(['*']) });
  assert.match(said, /To import exactly this, run the same command with --apply [0-9a-f]{16}/);
  assert.match(said, /Complete: no difference/);
  assert.match(said, /Balanced: every cent is accounted for/);
  const [{ users, orders }] = await app.sql(
    'select (select count(*) from users) as users, (select count(*) from orders) as orders',
  );
  assert.deepEqual([Number(users), Number(orders)], [2, 2]);
});
