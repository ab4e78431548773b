// POST /disputes/{id}/assign, by status.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { disputeIn, eventsOf, INVALID_STATE, NOBODY, openShop, shopIn } from './order-ground.ts';

const body = { assignedTo: 'agent-7' };

test('200 takes an OPEN dispute under review, and 400 INVALID_STATE the second time', async (t) => {
  const shop = await openShop(t, { sandbox: true });
  const { id, orderId } = await disputeIn(shop);
  const answer = await shop.app.call(`POST /disputes/${id}/assign`, { body: { assigned_to: 'agent-7' } });
  assert.equal(answer.status, 200, answer.text);
  const { status, assignedTo, order } = answer.body.data.data;
  assert.deepEqual([status, assignedTo, order.id, order.status], ['UNDER_REVIEW', 'agent-7', orderId, 'DISPUTED']);
  assert.deepEqual(await shop.done(`GET /disputes/${id}`), answer.body.data.data);
  const told = (await eventsOf(shop.app)).at(-1);
  assert.deepEqual([told.eventType, told.payload.reviewedBy], ['dispute.under_review', 'agent-7']);
  const again = await shop.refused(`POST /disputes/${id}/assign`, { body });
  assert.deepEqual(again, INVALID_STATE('UNDER_REVIEW', ['resolve']));
});

test('a repeat with its Idempotency-Key gets the first answer, and another body is 409', async (t) => {
  const shop = await openShop(t, { sandbox: true });
  const { id } = await disputeIn(shop);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await shop.app.call(`POST /disputes/${id}/assign`, { body, headers });
  const again = await shop.app.call(`POST /disputes/${id}/assign`, { body, headers });
  assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text]);
  assert.equal(again.headers.get('idempotency-replay'), 'true');
  const other = await shop.refused(`POST /disputes/${id}/assign`, { body: { assignedTo: 'x' }, headers });
  assert.deepEqual([other.status, other.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
});

test('400 VALIDATION_ERROR for a body that names nobody', async (t) => {
  const { refused } = await openShop(t);
  const wrong = [undefined, {}, { assignedTo: '' }, { assignedTo: null }, { assignedTo: 'x'.repeat(121) }];
  for (const each of [...wrong, { ...body, note: 'x' }]) {
    const ask = each === undefined ? {} : { body: each };
    const { status, code } = await refused(`POST /disputes/${NOBODY.dispute}/assign`, ask);
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], JSON.stringify(each));
  }
});

test('404 DISPUTE_NOT_FOUND for ids nobody has and for disputes of another marketplace', async (t) => {
  const shop = await openShop(t, { sandbox: true });
  const { id } = await disputeIn(shop);
  const other = await shopIn(shop.app, { key: await shop.app.key(['*'], 'mkt_other') });
  for (const each of [id, NOBODY.dispute, 'nonsense']) {
    const { status, code } = await other.refused(`POST /disputes/${each}/assign`, { body });
    assert.deepEqual([status, code], [404, 'DISPUTE_NOT_FOUND']);
  }
});

test('401 without a key, and 403 with one that cannot judge', async (t) => {
  const { app, refused } = await openShop(t);
  assert.equal((await refused(`POST /disputes/${NOBODY.dispute}/assign`, { key: null, body })).status, 401);
  const key = await app.key(['read', 'write']);
  const { status, details } = await refused(`POST /disputes/${NOBODY.dispute}/assign`, { key, body });
  assert.deepEqual([status, details.requiredScope], [403, 'support']);
});
