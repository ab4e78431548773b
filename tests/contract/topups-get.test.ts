// GET /topups/{id} and GET /topups, by status, filter and page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedPayments } from '../payments/payment-fixture.ts';

test('200 shows the top-up as it was answered when it was made', async (t) => {
  const { app, aTopup } = await openSharedPayments(t);
  const made = await aTopup();
  const { status, body } = await app.call(`GET /topups/${made.id}`, { key: await app.key(['read']) });
  assert.equal(status, 200);
  assert.deepEqual(body.data, made);
});

test('404 TOPUP_NOT_FOUND for none, and for one of another marketplace', async (t) => {
  const { app, aTopup } = await openSharedPayments(t);
  const key = await app.key(['*'], 'mkt_other');
  const foreign = await aTopup({ key, userId: await app.aUser({ key }) });
  for (const id of ['top_01J9ZQ8H7K5M3N2P4R6S8T0V1W', 'none', foreign.id]) {
    for (const how of [`GET /topups/${id}`, `POST /topups/${id}/refresh`, `POST /topups/${id}/cancel`]) {
      const { status, body } = await app.call(how);
      assert.deepEqual([status, body.error.code], [404, 'TOPUP_NOT_FOUND'], how);
    }
  }
  assert.equal((await app.call(`GET /topups/${foreign.id}`, { key })).status, 200);
});

test('200 lists newest first, page by page, without a gap or a repeat', async (t) => {
  const { app, aTopup } = await openSharedPayments(t);
  const userId = await app.aUser();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await aTopup({ userId })).id);
  const seen: string[] = [];
  let query = '?limit=2';
  for (;;) {
    const { status, body } = await app.call(`GET /topups${query}`);
    assert.equal(status, 200);
    seen.push(...body.data.data.map(({ id }: { id: string }) => id));
    assert.equal(body.data.hasMore, body.data.nextCursor !== null);
    if (!body.data.hasMore) break;
    query = `?limit=2&cursor=${body.data.nextCursor}`;
  }
  assert.deepEqual(seen, ids.toReversed());
});

test("200 filters by user, status and time, and shows the caller's marketplace only", async (t) => {
  const { app, aTopup, pay } = await openSharedPayments(t);
  const ada = await app.aUser();
  const ben = await app.aUser();
  const first = await aTopup({ userId: ada });
  const second = await aTopup({ userId: ben });
  const third = await aTopup({ userId: ada });
  await pay(third.id, 'confirm');
  const key = await app.key(['*'], 'mkt_other');
  const foreign = await aTopup({ key, userId: await app.aUser({ key }) });
  const idsOf = async (query: string, ask = {}) => {
    const { status, body, text } = await app.call(`GET /topups?${query}`, ask);
    assert.equal(status, 200, text);
    return body.data.data.map(({ id }: { id: string }) => id);
  };
  assert.deepEqual(await idsOf(''), [third.id, second.id, first.id]);
  assert.deepEqual(await idsOf(`userId=${ada}`), [third.id, first.id]);
  assert.deepEqual(await idsOf(`user_id=${ada}&status=TOPUP_SUCCEEDED`), [third.id]);
  assert.deepEqual(await idsOf('status=TOPUP_FAILED'), []);
  assert.deepEqual(await idsOf(`createdAfter=${first.createdAt}&created_before=${third.createdAt}`), [second.id]);
  assert.deepEqual(await idsOf('', { key }), [foreign.id]);
});

test('400 VALIDATION_ERROR for a cursor, a limit, a status or a parameter that is none', async (t) => {
  const { app } = await openSharedPayments(t);
  for (const query of ['cursor=nonsense', 'limit=0', 'limit=101', 'status=PAID', 'createdAfter=soon', 'x=1']) {
    const { status, body } = await app.call(`GET /topups?${query}`);
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR'], query);
  }
});
