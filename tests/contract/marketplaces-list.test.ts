// GET /marketplaces, by status. Limits and cursors: lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, MASTER_KEY, startApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { tradeIn } from './order-fixture.ts';
import { walk } from './report-fixture.ts';

test('200 lists every marketplace, newest first, with what is in it, and counts no further than a thousand', async (t) => {
  const app = await startApp(t);
  await (await tradeIn(app, {})).anOrder();
  const key = await app.key(['*'], 'mkt_other');
  await app.aUser({ key });
  await app.key(['read'], 'mkt_third');
  const all = await walk(app, '/marketplaces', { limit: 2, key: MASTER_KEY });
  assert.deepEqual(
    all.map(({ id, users, orders, keys }) => ({ id, users, orders, keys })),
    [
      { id: 'mkt_third', users: 0, orders: 0, keys: 1 },
      { id: 'mkt_other', users: 1, orders: 0, keys: 1 },
      { id: 'mkt_default', users: 2, orders: 1, keys: 1 },
    ],
  );
  for (const { createdAt } of all) assert.match(createdAt, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/);

  await app.sql(`insert into users (marketplace_id, id, version, external_user_id, type, status, metadata, created_at, updated_at)
    select 'mkt_default', 'usr_' || lpad(n::text, 26, '0'), 1, 'made-' || n, 'BOTH', 'ACTIVE', '{}', now(), now()
    from generate_series(1, 1200) n`);
  const counted = await walk(app, '/marketplaces', { limit: 10, key: MASTER_KEY });
  assert.equal(counted.at(-1).users, 1_000);
});

test('400 VALIDATION_ERROR for a filter, because there is none', async (t) => {
  const answer = await (await openApp(t)).call('GET /marketplaces?id=mkt_default', { key: MASTER_KEY });
  assert.equal(codeOf(answer), '400 VALIDATION_ERROR');
});
