// GET /withdrawals/{id} and GET /withdrawals, by status, filter and page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedWithdrawals } from '../payments/withdrawal-fixture.ts';
import { grantCreditLine } from '../support/shared-payments.ts';

test('200 shows the withdrawal as it was answered when it was made', async (t) => {
  const { app, aWithdrawal } = await openSharedWithdrawals(t);
  const made = await aWithdrawal();
  const { status, body } = await app.call(`GET /withdrawals/${made.id}`, { key: await app.key(['read']) });
  assert.equal(status, 200);
  assert.deepEqual(body.data, made);
});

test('404 WITHDRAWAL_NOT_FOUND for none, and for one of another marketplace', async (t) => {
  const { app, aWithdrawal } = await openSharedWithdrawals(t);
  const key = await app.key(['*'], 'mkt_other');
  await grantCreditLine(app, { key });
  const foreign = await aWithdrawal({ key });
  for (const id of ['wdr_01J9ZQ8H7K5M3N2P4R6S8T0V1W', 'none', foreign.id]) {
    for (const how of [`GET /withdrawals/${id}`, `POST /withdrawals/${id}/refresh`, `POST /withdrawals/${id}/commit`]) {
      const { status, body } = await app.call(how);
      assert.deepEqual([status, body.error.code], [404, 'WITHDRAWAL_NOT_FOUND'], how);
    }
  }
  const own = await app.call(`GET /withdrawals/${foreign.id}`, { key });
  assert.deepEqual([own.status, own.body.data.status], [200, 'WITHDRAWAL_CREATED']);
});

test('200 lists newest first, page by page, without a gap or a repeat', async (t) => {
  const { app, aWithdrawal, aPayee } = await openSharedWithdrawals(t);
  const userId = await aPayee();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await aWithdrawal({ userId, body: { amount: '1' } })).id);
  const seen: string[] = [];
  let query = '?limit=2';
  for (;;) {
    const { status, body } = await app.call(`GET /withdrawals${query}`);
    assert.equal(status, 200);
    seen.push(...body.data.data.map(({ id }: { id: string }) => id));
    assert.equal(body.data.hasMore, body.data.nextCursor !== null);
    if (!body.data.hasMore) break;
    query = `?limit=2&cursor=${body.data.nextCursor}`;
  }
  assert.deepEqual(seen, ids.toReversed());
});

test("200 filters by user, status and time, and shows the caller's marketplace only", async (t) => {
  const { app, aWithdrawal, aPayee, commit, move } = await openSharedWithdrawals(t);
  const ada = await aPayee();
  const ben = await aPayee();
  const first = await aWithdrawal({ userId: ada });
  const second = await aWithdrawal({ userId: ben });
  const third = await aWithdrawal({ userId: ada });
  await commit(third.id);
  await move(third.id, 'complete');
  const key = await app.key(['*'], 'mkt_other');
  await grantCreditLine(app, { key });
  const foreign = await aWithdrawal({ key });
  const idsOf = async (query: string, ask = {}) => {
    const { status, body, text } = await app.call(`GET /withdrawals?${query}`, ask);
    assert.equal(status, 200, text);
    return body.data.data.map(({ id }: { id: string }) => id);
  };
  assert.deepEqual(await idsOf(''), [third.id, second.id, first.id]);
  assert.deepEqual(await idsOf(`userId=${ada}`), [third.id, first.id]);
  assert.deepEqual(await idsOf(`user_id=${ada}&status=WITHDRAWAL_COMPLETED`), [third.id]);
  assert.deepEqual(await idsOf('status=WITHDRAWAL_FAILED'), []);
  assert.deepEqual(await idsOf(`createdAfter=${first.createdAt}&created_before=${third.createdAt}`), [second.id]);
  assert.deepEqual(await idsOf('', { key }), [foreign.id]);
});

test('400 VALIDATION_ERROR for a cursor, a limit, a status or a parameter that is none', async (t) => {
  const { app } = await openSharedWithdrawals(t);
  for (const query of ['cursor=nonsense', 'limit=0', 'limit=101', 'status=PAID', 'createdAfter=soon', 'x=1']) {
    const { status, body } = await app.call(`GET /withdrawals?${query}`);
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR'], query);
  }
});
