// Many deadlines that are refused again and again do not keep a later one from its turn, in another marketplace or in their own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { startApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';

test('11,000 refused deadlines, all of one time, do not hold up a later deadline', async (t) => {
  const app = await startApp(t);
  const { done, anOrder } = builderOf(app);
  // Their orders do not exist, so each try is refused.
  await app.sql(
    `insert into deadlines (marketplace_id, id, version, order_id, kind, subject, at, status, created_at, updated_at)
     select 'mkt_refused', 'dln_' || n, 1, 'ord_' || n, 'cancel_unfunded', '', date_trunc('hour', now()) - interval '1 day',
       'PENDING', now(), now() from generate_series(1, 11000) n`,
  );
  await done('POST /policies', { body: { name: 'soon', rules: { cancelUnfundedAfter: 'PT1S' } } });
  const { id } = await anOrder({ policy: 'soon' });
  const status = async (): Promise<string> =>
    (await app.sql('select status from orders where id = $1', [id]))[0].status;
  await until(async () => (await status()) === 'CLOSED', 'the later deadline is carried out');
  const [{ refused }] = await app.sql(
    "select count(*)::integer as refused from deadlines where marketplace_id = 'mkt_refused' and status = 'PENDING'",
  );
  assert.equal(refused, 11_000);
});
