// The routes of messages about a dispute, by status: what is stored and told, until the dispute is resolved.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { eventsOf, openTrade, type Row, UNKNOWN } from '../contract/order-fixture.ts';
import { codeOf } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';

const TEXT = 'I sent it on Monday. Ünïcödé ✓';

const openDispute = async (t: Parameters<typeof openTrade>[0]) => {
  const trade = await openTrade(t, { sandbox: true });
  const dispute = await trade.aDispute();
  const send = (from: string, text: unknown = TEXT, more: object = {}) =>
    trade.app.call(`POST /disputes/${dispute.id}/messages`, { body: { from, text }, ...more });
  return { ...trade, dispute, send };
};

/** One dispute for the tests that send nothing: to fund its order takes longer than the tests do. */
const shared = shareInFile(openDispute);

test('201 sends a message of each party, and the list shows them', async (t) => {
  const { app, dispute, send } = await openDispute(t);
  const sent = [];
  for (const from of ['BUYER', 'SELLER', 'OPERATOR']) {
    const { status, body, text } = await send(from);
    assert.equal(status, 201, text);
    const { id, createdAt, author, ...rest } = body.data;
    assert.match(id, /^msg_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.ok(Date.parse(createdAt) > 0);
    assert.equal(author.type, 'api_key');
    assert.deepEqual(rest, { disputeId: dispute.id, from, text: TEXT });
    sent.unshift(body.data);
  }
  const list = (query: string) => app.call(`GET /disputes/${dispute.id}/messages${query}`);
  assert.deepEqual((await list('')).body.data.data, sent);
  const page = (await list('?limit=2')).body.data;
  assert.deepEqual([page.data, page.hasMore], [sent.slice(0, 2), true]);
  assert.deepEqual((await list(`?cursor=${page.nextCursor}`)).body.data.data, sent.slice(2));
});

test('the event names the message, the audit entry has the hash of the text, and the timeline shows it', async (t) => {
  const { app, dispute, send, buyerId } = await openDispute(t);
  const { id } = (await send('SELLER')).body.data;
  const event = (await eventsOf(app)).find(({ eventType }) => eventType === 'dispute.message');
  const { sentAt, ...payload } = event.payload;
  assert.ok(sentAt);
  assert.deepEqual(payload, { disputeId: dispute.id, orderId: dispute.orderId, messageId: id, from: 'SELLER' });
  assert.deepEqual([event.aggregateId, event.metadata.userId], [dispute.id, buyerId]);
  const { data } = (await app.call(`GET /audit/logs?resourceId=${id}`)).body.data;
  const textSha256 = createHash('sha256').update(TEXT).digest('hex');
  assert.deepEqual([data[0].action, data[0].resourceType], ['DISPUTE_MESSAGE_SENT', 'DisputeMessage']);
  assert.deepEqual(data[0].payloadAfter, {
    disputeId: dispute.id,
    from: 'SELLER',
    textLength: TEXT.length,
    textSha256,
  });
  for (const table of ['events', 'audit_entries']) {
    assert.deepEqual(await app.sql(`select 1 from ${table} t where t::text like '%on Monday%'`), []);
  }
  const { entries } = (await app.call(`GET /orders/${dispute.orderId}/timeline`)).body.data.data;
  const [entry] = entries.filter(({ reference }: Row) => reference === id);
  assert.deepEqual([entry.kind, entry.title, entry.details.text], ['message', 'Message of the seller', TEXT]);
});

test('409 INVALID_STATE with a sentence once the dispute is resolved; evidence and notes are still taken', async (t) => {
  const { app, dispute, send, done } = await openDispute(t);
  assert.equal((await send('BUYER')).status, 201);
  await done(`POST /disputes/${dispute.id}/assign`, { body: { assignedTo: 'agent-7' } });
  assert.equal((await send('OPERATOR')).status, 201);
  await done(`POST /disputes/${dispute.id}/resolve`, { body: { decision: 'FULL_REFUND' } });
  const refused = await send('BUYER');
  assert.equal(codeOf(refused), '409 INVALID_STATE');
  assert.match(refused.body.error.message, /^The dispute is resolved, so no more messages can be sent about it\./);
  assert.equal(refused.body.error.details.currentState, 'RESOLVED');
  assert.equal((await app.call(`GET /disputes/${dispute.id}/messages`)).body.data.data.length, 2);
  const file = { fileName: 'receipt.txt', contentType: 'text/plain', content: 'AAAA', submittedBy: 'OPERATOR' };
  assert.equal((await app.call(`POST /disputes/${dispute.id}/evidence`, { body: file })).status, 201);
  const note = { resourceType: 'dispute', resourceId: dispute.id, text: 'Explained by telephone.' };
  assert.equal((await app.call('POST /notes', { body: note })).status, 201);
});

test('400, 401, 403 and 404, and nothing of another marketplace', async () => {
  const { app, dispute, send } = shared();
  const bad: [string, unknown][] = [
    ['JUDGE', TEXT],
    ['BUYER', ''],
    ['BUYER', 7],
    ['BUYER', 'x'.repeat(LIMITS.noteLength + 1)],
  ];
  for (const [from, text] of bad) assert.equal(codeOf(await send(from, text)), '400 VALIDATION_ERROR');
  const at = `/disputes/${dispute.id}/messages`;
  assert.equal(codeOf(await send('BUYER', TEXT, { key: null })), '401 UNAUTHORIZED');
  assert.equal(codeOf(await app.call(`GET ${at}`, { key: null })), '401 UNAUTHORIZED');
  assert.equal(codeOf(await send('BUYER', TEXT, { key: await app.key(['read']) })), '403 INSUFFICIENT_SCOPE');
  assert.equal(codeOf(await app.call(`GET ${at}`, { key: await app.key(['write']) })), '403 INSUFFICIENT_SCOPE');
  const key = await app.key(['*'], 'mkt_elsewhere');
  assert.equal(codeOf(await send('BUYER', TEXT, { key })), '404 DISPUTE_NOT_FOUND');
  assert.equal(codeOf(await app.call(`GET ${at}`, { key })), '404 DISPUTE_NOT_FOUND');
  assert.equal(codeOf(await app.call(`GET /disputes/${UNKNOWN.dispute}/messages`)), '404 DISPUTE_NOT_FOUND');
  assert.equal((await app.call(`GET ${at}`)).body.data.data.length, 0);
});

test('a preview sends nothing', async () => {
  const { app, dispute, send } = shared();
  const preview = await send('BUYER', TEXT, { headers: { 'dry-run': 'true' } });
  assert.deepEqual([preview.status, preview.body.data.status], [200, 201]);
  assert.deepEqual((await app.call(`GET /disputes/${dispute.id}/messages`)).body.data.data, []);
});
