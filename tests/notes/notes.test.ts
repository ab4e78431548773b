// The routes of notes, by status: who wrote a note about what, the limits, and the timeline of an order.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { openTrade, type Trade, UNKNOWN } from '../contract/order-fixture.ts';
import { codeOf, MASTER_KEY } from '../support/app.ts';
import { anOperator } from '../support/operator-fixture.ts';

const TEXT = 'The buyer called: the parcel has arrived. Ünïcödé ✓';

const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

const addTo = (resourceType: string, resourceId: string, text = TEXT) => ({ body: { resourceType, resourceId, text } });

/** An alert about a webhook, as the job of reconciliation writes it. */
const aBreak = async ({ app }: Trade, subject: string): Promise<void> => {
  await app.sql(
    `insert into breaks (marketplace_id, kind, subject, expected, actual, difference, first_seen_at, last_seen_at)
     values ($1, 'escrow-event', $2, '0', '1', '1', now(), now())`,
    [app.marketplaceId, subject],
  );
};

test('201 adds a note to each kind of record, and the list of the record shows it', async (t) => {
  const trade = await openTrade(t, { sandbox: true });
  const { app, buyerId, done } = trade;
  const dispute = await trade.aDispute();
  const subject = `${ULID}:x`;
  await aBreak(trade, subject);
  const destination = { type: 'bank', ref: 'ending in 1234', email: 'payee@example.com' };
  const withdrawal = { userId: buyerId, amount: '1.00', currency: 'USD', destination };
  const records: [string, string][] = [
    ['order', dispute.orderId],
    ['dispute', dispute.id],
    ['user', buyerId],
    ['break', `escrow-event:${subject}`],
    ['withdrawal', (await done('POST /withdrawals', { body: withdrawal })).id],
    ['topup', (await done('POST /topups', { body: { userId: buyerId, amount: '3.00' } })).id],
  ];
  const me = await done('GET /auth/me');
  const all = [];
  for (const [resourceType, resourceId] of records) {
    const { status, body, text } = await app.call('POST /notes', addTo(resourceType, resourceId));
    assert.equal(status, 201, text);
    const { id, author, createdAt, ...rest } = body.data;
    assert.match(id, /^nte_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.ok(Date.parse(createdAt) > 0);
    assert.deepEqual(rest, { resourceType, resourceId, text: TEXT });
    assert.deepEqual(author, { type: 'api_key', id: me.apiKeyId, name: me.apiKeyName });
    const query = `resourceType=${resourceType}&resourceId=${encodeURIComponent(resourceId)}`;
    assert.deepEqual((await app.call(`GET /notes?${query}`)).body.data.data, [body.data]);
    assert.deepEqual((await app.call(`GET /notes?resourceType=${resourceType}`)).body.data.data, [body.data]);
    all.unshift(body.data);
  }
  assert.deepEqual((await app.call('GET /notes')).body.data.data, all);
  const page = (await app.call('GET /notes?limit=4')).body.data;
  assert.deepEqual([page.data, page.hasMore], [all.slice(0, 4), true]);
  assert.deepEqual((await app.call(`GET /notes?cursor=${page.nextCursor}`)).body.data.data, all.slice(4));
});

test('the audit trail contains the length and the hash of the text, and not the text', async (t) => {
  const { app, buyerId } = await openTrade(t);
  const { id } = (await app.call('POST /notes', addTo('user', buyerId))).body.data;
  const { data } = (await app.call(`GET /audit/logs?userId=${buyerId}&action=NOTE_ADDED`)).body.data;
  assert.equal(data.length, 1);
  assert.deepEqual([data[0].resourceType, data[0].resourceId], ['Note', id]);
  const textSha256 = createHash('sha256').update(TEXT).digest('hex');
  const after = { resourceType: 'user', resourceId: buyerId, textLength: TEXT.length, textSha256 };
  assert.deepEqual(data[0].payloadAfter, after);
  assert.deepEqual(await app.sql("select 1 from events where envelope like '%parcel%'"), []);
  assert.deepEqual(await app.sql("select 1 from audit_entries t where t::text like '%parcel%'"), []);
});

test('the timeline of an order has the notes about it and about its disputes', async (t) => {
  const { app, aDispute, anOrder, buyerId } = await openTrade(t, { sandbox: true });
  const dispute = await aDispute();
  const add = async (type: string, id: string, text: string) => app.call('POST /notes', addTo(type, id, text));
  await add('order', dispute.orderId, 'first');
  await add('dispute', dispute.id, 'second');
  await add('order', (await anOrder()).id, 'of another order');
  await add('user', buyerId, 'of the buyer');
  const { entries } = (await app.call(`GET /orders/${dispute.orderId}/timeline`)).body.data.data;
  const notes = entries.filter(({ kind }: { kind: string }) => kind === 'note');
  const shown = notes.map(({ details }: { details: Record<string, unknown> }) => [details.resourceId, details.text]);
  const expected = [
    [dispute.orderId, 'first'],
    [dispute.id, 'second'],
  ];
  assert.deepEqual(shown, expected);
  assert.match(notes[0].title, /^Note of /);
  assert.match(notes[0].reference, /^nte_/);
  const audits = entries.filter(({ title }: { title: string }) => title === 'NOTE_ADDED');
  assert.equal(audits.length, 2);
});

test('the author is the key, the operator or the master key, with its name at that time', async (t) => {
  const { app, buyerId } = await openTrade(t);
  const operator = await anOperator(app, { role: 'support', name: 'Grace Hopper', marketplaceId: app.marketplaceId });
  const ofOperator = (await operator.call('POST /notes', addTo('user', buyerId))).body.data;
  assert.deepEqual(ofOperator.author, { type: 'operator', id: operator.id, name: 'Grace Hopper' });
  const headers = { 'x-marketplace-id': app.marketplaceId };
  const ofMaster = await app.call('POST /notes', { key: MASTER_KEY, headers, ...addTo('user', buyerId) });
  assert.equal(ofMaster.body.data.author.type, 'master');
});

test('400 VALIDATION_ERROR for a note or a list that cannot be', async (t) => {
  const { app, buyerId, allRefused } = await openTrade(t);
  await app.call('GET /auth/me');
  await allRefused(async (refused) => {
    const bodies = [
      {},
      addTo('order', buyerId, '').body,
      addTo('order', '').body,
      addTo('order', 'x'.repeat(LIMITS.noteResourceLength + 1)).body,
      addTo('user', buyerId, 'x'.repeat(LIMITS.noteLength + 1)).body,
      addTo('user', buyerId, 'a\u0000b').body,
      addTo('wallet', buyerId).body,
      { ...addTo('user', buyerId).body, author: 'me' },
      { ...addTo('user', buyerId).body, text: 7 },
    ];
    for (const body of bodies) {
      const { status, code } = await refused('POST /notes', { body });
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], JSON.stringify(body).slice(0, 100));
    }
    for (const query of ['resourceType=wallet', 'resourceId=', 'author=me']) {
      assert.equal((await refused(`GET /notes?${query}`)).code, 'VALIDATION_ERROR', query);
    }
  });
  const longest = await app.call('POST /notes', addTo('user', buyerId, 'x'.repeat(LIMITS.noteLength)));
  assert.equal(longest.status, 201, longest.text);
});

test('401 without a key, and 403 without the scope', async (t) => {
  const { app, buyerId } = await openTrade(t);
  assert.equal(codeOf(await app.call('GET /notes', { key: null })), '401 UNAUTHORIZED');
  assert.equal(codeOf(await app.call('POST /notes', { key: null, ...addTo('user', buyerId) })), '401 UNAUTHORIZED');
  const reading = await app.key(['read']);
  assert.equal((await app.call('GET /notes', { key: reading })).status, 200);
  assert.equal(
    codeOf(await app.call('POST /notes', { key: reading, ...addTo('user', buyerId) })),
    '403 INSUFFICIENT_SCOPE',
  );
  const writing = await app.key(['write']);
  assert.equal(codeOf(await app.call('GET /notes', { key: writing })), '403 INSUFFICIENT_SCOPE');
});

test('404 for a record that does not exist, or that is of another marketplace', async (t) => {
  const trade = await openTrade(t);
  const { app, buyerId, anOrder, allRefused } = trade;
  const order = await anOrder();
  await aBreak(trade, 'known');
  const cases: [string, string, string][] = [
    ['order', UNKNOWN.order, 'ORDER_NOT_FOUND'],
    ['order', buyerId, 'ORDER_NOT_FOUND'],
    ['order', '../x', 'ORDER_NOT_FOUND'],
    ['dispute', UNKNOWN.dispute, 'DISPUTE_NOT_FOUND'],
    ['user', `usr_${ULID}`, 'USER_NOT_FOUND'],
    ['withdrawal', `wdr_${ULID}`, 'WITHDRAWAL_NOT_FOUND'],
    ['topup', `top_${ULID}`, 'TOPUP_NOT_FOUND'],
    ['break', 'escrow-event:unknown', 'BREAK_NOT_FOUND'],
    ['break', 'known', 'BREAK_NOT_FOUND'],
    ['break', 'surplus:known', 'BREAK_NOT_FOUND'],
  ];
  await allRefused(async (refused) => {
    for (const [type, id, code] of cases) {
      assert.deepEqual(await refused('POST /notes', addTo(type, id)), { status: 404, code, details: {} });
    }
  });
  assert.equal((await app.call('POST /notes', addTo('order', order.id))).status, 201);
  const key = await app.key(['*'], 'mkt_elsewhere');
  const of: [string, string][] = [
    ['order', order.id],
    ['user', buyerId],
    ['break', 'escrow-event:known'],
  ];
  for (const [type, id] of of) {
    assert.equal((await app.call('POST /notes', { key, ...addTo(type, id) })).status, 404);
    const list = await app.call(`GET /notes?resourceType=${type}&resourceId=${id}`, { key });
    assert.deepEqual(list.body.data.data, []);
  }
  assert.deepEqual((await app.call('GET /notes', { key })).body.data.data, []);
});

test('409 NOTE_LIMIT: of many at the limit exactly the permitted number is added', async (t) => {
  const { app, buyerId, sellerId } = await openTrade(t);
  const ask = addTo('user', buyerId, 'x');
  const answers = await Promise.all(Array.from({ length: LIMITS.notes + 20 }, () => app.call('POST /notes', ask)));
  const added = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(added.length, LIMITS.notes);
  for (const answer of refused) {
    assert.deepEqual([codeOf(answer), answer.body.error.details.limit], ['409 NOTE_LIMIT', LIMITS.notes]);
  }
  const [{ count }] = await app.sql('select count(*)::integer as count from notes where resource_id = $1', [buyerId]);
  assert.equal(count, LIMITS.notes);
  assert.equal((await app.call('POST /notes', addTo('user', sellerId, 'x'))).status, 201);
});

test('a preview adds nothing, and a repeat with the same Idempotency-Key adds one note', async (t) => {
  const { app, buyerId } = await openTrade(t);
  const ask = addTo('user', buyerId);
  const preview = await app.call('POST /notes', { ...ask, headers: { 'dry-run': 'true' } });
  assert.deepEqual([preview.status, preview.body.data.status, preview.body.data.reply.text], [200, 201, TEXT]);
  assert.deepEqual((await app.call('GET /notes')).body.data.data, []);
  const headers = { 'idempotency-key': randomUUID() };
  const both = await Promise.all([1, 2].map(() => app.call('POST /notes', { ...ask, headers })));
  const again = await app.call('POST /notes', { ...ask, headers });
  const done = [...both, again].filter(({ status }) => status === 201);
  assert.equal(new Set(done.map(({ body }) => body.data.id)).size, 1);
  assert.equal((await app.call('GET /notes')).body.data.data.length, 1);
});
