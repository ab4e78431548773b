// POST /disputes/{id}/assign, by status.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { eventsOf, INVALID_STATE, openTrade, tradeIn, UNKNOWN } from './order-fixture.ts';

const body = { assignedTo: 'agent-7' };

const opened = shareInFile(async (t) => {
  const trade = await openTrade(t, { sandbox: true });
  return { trade, dispute: await trade.aDispute() };
});

test('404 DISPUTE_NOT_FOUND for unknown ids and for disputes of another marketplace', async () => {
  const { trade, dispute } = opened();
  const other = await tradeIn(trade.app, { key: await trade.app.key(['*'], 'mkt_other') });
  await other.allRefused(async (refused) => {
    for (const each of [dispute.id, UNKNOWN.dispute, 'nonsense']) {
      const { status, code } = await refused(`POST /disputes/${each}/assign`, { body });
      assert.deepEqual([status, code], [404, 'DISPUTE_NOT_FOUND']);
    }
  });
});

test('400 VALIDATION_ERROR for a body without an assignee', async () => {
  const { trade, dispute } = opened();
  const wrong = [undefined, {}, { assignedTo: '' }, { assignedTo: null }, { assignedTo: 'x'.repeat(121) }];
  await trade.allRefused(async (refused) => {
    for (const each of [...wrong, { ...body, note: 'x' }]) {
      const ask = each === undefined ? {} : { body: each };
      const { status, code } = await refused(`POST /disputes/${dispute.id}/assign`, ask);
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], JSON.stringify(each));
    }
  });
});

test('200 takes an OPEN dispute under review; with its Idempotency-Key a repeat gets the same answer, without it 400', async () => {
  const { trade, dispute } = opened();
  const { id, orderId } = dispute;
  const headers = { 'idempotency-key': randomUUID() };
  const answer = await trade.app.call(`POST /disputes/${id}/assign`, { body: { assigned_to: 'agent-7' }, headers });
  assert.equal(answer.status, 200, answer.text);
  const { status, assignedTo, order } = answer.body.data.data;
  assert.deepEqual([status, assignedTo, order.id, order.status], ['UNDER_REVIEW', 'agent-7', orderId, 'DISPUTED']);
  assert.deepEqual(await trade.done(`GET /disputes/${id}`), answer.body.data.data);
  const told = (await eventsOf(trade.app)).at(-1);
  assert.deepEqual([told.eventType, told.payload.reviewedBy], ['dispute.under_review', 'agent-7']);

  const again = await trade.app.call(`POST /disputes/${id}/assign`, { body, headers });
  assert.deepEqual([again.status, again.text], [200, answer.text]);
  assert.equal(again.headers.get('idempotency-replay'), 'true');
  const other = await trade.refused(`POST /disputes/${id}/assign`, { body: { assignedTo: 'x' }, headers });
  assert.deepEqual([other.status, other.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  const late = await trade.refused(`POST /disputes/${id}/assign`, { body });
  assert.deepEqual(late, INVALID_STATE('UNDER_REVIEW', ['resolve']));
});
