// The routes of the log of webhook deliveries, by status.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { until } from '../../tools/until.ts';
import { codeOf } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { refusalOf } from './refusals.ts';

const PATH = '/webhook-deliveries';
const UNKNOWN = 'whd_01J9ZQ8H7K5M3N2P4R6S8T0V1W';
const ALLOWED = { env: { WEBHOOK_PRIVATE_ADDRESSES: 'allow' } };
/** The server does not try it again during a test. */
const LATER = { 'retry-after': '3600' };

type Delivery = { id: string; eventId: string; eventType: string; createdAt: string; [field: string]: unknown };

const open = async (t: TestContext) => {
  const app = await openApp(t, ALLOWED);
  await app.call('GET /auth/me');
  const list = async (query = ''): Promise<Delivery[]> => {
    const answer = await app.call(`GET ${PATH}${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.data;
  };
  return {
    app,
    list,
    get: async (id: string) => (await app.call(`GET ${PATH}/${id}`)).body.data,
    retry: (id: string, ask: object = {}) => app.call(`POST ${PATH}/${id}/retry`, ask),
    async anEndpoint(events: readonly string[] = ['user.created']): Promise<{ id: string; receiver: Receiver }> {
      const receiver = await startReceiver(t);
      const created = await app.call('POST /webhook-endpoints', { body: { url: receiver.url, events } });
      assert.equal(created.status, 201, created.text);
      return { id: created.body.data.id, receiver };
    },
    /** The deliveries that fit, when there are so many. */
    async logged(query: string, count: number): Promise<Delivery[]> {
      await until(async () => (await list(query)).length >= count, `${count} deliveries with ${query}`);
      return list(query);
    },
  };
};

/** One user, whose event was delivered to one endpoint, waits for another, and was given up for a third. */
const openWithAll = async (t: TestContext) => {
  const opened = await open(t);
  const good = await opened.anEndpoint();
  const busy = await opened.anEndpoint();
  const gone = await opened.anEndpoint();
  busy.receiver.answer({ status: 503, headers: LATER, body: 'too busy' });
  gone.receiver.answer({ status: 410 });
  const userId = await opened.app.aUser();
  await opened.logged('', 3);
  const of = async ({ id }: { id: string }) => (await opened.list(`?endpointId=${id}`))[0]!;
  return { ...opened, good, busy, gone, userId, of };
};

test('200 lists each event for each endpoint, newest first, with its state', async (t) => {
  const { good, busy, gone, userId, of, list } = await openWithAll(t);
  const { id, eventId, nextAttemptAt, deliveredAt, createdAt, updatedAt, ...delivered } = await of(good);
  assert.match(id, /^whd_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.equal(eventId, good.receiver.received[0]!.headers['webhook-id']);
  assert.deepEqual(delivered, {
    endpointId: good.id,
    eventType: 'user.created',
    aggregateId: userId,
    status: 'DELIVERED',
    attemptCount: 1,
    lastStatus: 200,
  });
  assert.equal(nextAttemptAt, null);
  assert.equal(createdAt, good.receiver.received[0]!.event.occurredAt);
  assert.ok(String(deliveredAt) > createdAt && String(updatedAt) >= createdAt);
  const pending = await of(busy);
  assert.deepEqual([pending.status, pending.lastStatus, pending.deliveredAt], ['PENDING', 503, null]);
  assert.ok(Date.parse(String(pending.nextAttemptAt)) > Date.now() + 3_000_000, 'Retry-After counts');
  const failed = await of(gone);
  assert.deepEqual([failed.status, failed.lastStatus, failed.nextAttemptAt], ['FAILED', 410, null]);
  const ids = (await list()).map((each) => each.id);
  assert.deepEqual(ids, ids.toSorted().toReversed());
});

test('200 each filter alone and several together give what fits', async (t) => {
  const { app, good, busy, gone, list, logged } = await openWithAll(t);
  const [first] = await list(`?endpointId=${good.id}`);
  const other = await app.aUser();
  const [newest] = await logged(`?endpointId=${good.id}`, 2);
  assert.equal(newest!.aggregateId, other);
  const endpointsOf = async (query: string) => (await list(query)).map((each) => each.endpointId).toSorted();
  assert.deepEqual(await endpointsOf('?status=DELIVERED'), [good.id, good.id]);
  assert.deepEqual(await endpointsOf('?status=PENDING'), [busy.id]);
  assert.deepEqual(await endpointsOf('?status=FAILED'), [gone.id]);
  assert.deepEqual(await endpointsOf(`?eventId=${first!.eventId}`), [good.id, busy.id, gone.id].toSorted());
  assert.deepEqual(await endpointsOf(`?eventId=${first!.eventId}&status=PENDING`), [busy.id]);
  assert.deepEqual(await endpointsOf(`?endpointId=${good.id}&eventId=${newest!.eventId}`), [good.id]);
  assert.equal((await list('?eventType=user.created')).length, 4);
  assert.deepEqual(await list('?eventType=order.created'), []);
  assert.deepEqual(await list(`?createdAfter=${first!.createdAt}`), [newest]);
  const before = await list(`?createdBefore=${newest!.createdAt}`);
  assert.ok(before.length === 3 && before.every((each) => each.eventId === first!.eventId));
  for (const query of [`?endpointId=${UNKNOWN}`, '?endpointId=nonsense', '?eventId=nonsense']) {
    assert.deepEqual(await list(query), [], query);
  }
});

test('200 pages have no gap and no repeat, also with a filter', async (t) => {
  const { app, anEndpoint, logged } = await open(t);
  const { id } = await anEndpoint();
  for (let i = 0; i < 5; i++) await app.aUser();
  for (const filter of ['', `&endpointId=${id}`, '&status=DELIVERED', '&eventType=user.created']) {
    const all = (await logged(`?limit=100${filter}`, 5)).map((each) => each.id);
    const pages: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = `?limit=2${filter}${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { data, hasMore, nextCursor } = (await app.call(`GET ${PATH}${query}`)).body.data;
      assert.ok(data.length <= 2);
      assert.equal(hasMore, nextCursor !== null);
      pages.push(...data.map((each: Delivery) => each.id));
      cursor = nextCursor;
    } while (cursor !== null);
    assert.deepEqual(pages, all, filter);
  }
});

test('400 for a query that does not fit', async (t) => {
  const { app } = await open(t);
  for (const query of [
    'status=LOST',
    'status=delivered',
    'limit=0',
    'limit=101',
    'cursor=nonsense',
    'createdAfter=yesterday',
    'endpoint=whe_1',
    `eventType=${'a'.repeat(300)}`,
  ]) {
    const { status, code } = await refusalOf(app, () => app.call(`GET ${PATH}?${query}`));
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], query);
  }
});

test('200 one delivery has its attempts, oldest first, and nothing else than its line in the list', async (t) => {
  const { busy, of, get, retry } = await openWithAll(t);
  const line = await of(busy);
  const { attempts, ...one } = await get(line.id);
  assert.deepEqual(one, line);
  assert.equal(attempts.length, 1);
  const { at, durationMs, requestId, ...answer } = attempts[0];
  assert.deepEqual(answer, { status: 503, error: 'The receiver answered 503.', responseHead: 'too busy' });
  assert.ok(at >= line.createdAt && Number.isInteger(durationMs));
  assert.equal(requestId, busy.receiver.received[0]!.headers['x-request-id']);
  busy.receiver.answer({ status: 204 });
  assert.equal((await retry(line.id)).status, 202);
  await until(async () => (await get(line.id)).status === 'DELIVERED');
  const later = await get(line.id);
  assert.deepEqual(
    later.attempts.map((each: { status: number; error: string | null }) => [each.status, each.error]),
    [
      [503, 'The receiver answered 503.'],
      [204, null],
    ],
  );
  assert.deepEqual([later.attemptCount, later.lastStatus, later.nextAttemptAt], [2, 204, null]);
});

test('202 retries a delivery of every status at once; the receiver gets the same event with the same id', async (t) => {
  const { app, good, busy, gone, of, get, retry } = await openWithAll(t);
  const enabled = await app.call(`PATCH /webhook-endpoints/${gone.id}`, { body: { enabled: true } });
  assert.equal(enabled.status, 200);
  for (const { id, receiver } of [good, busy, gone]) {
    receiver.answer({ status: 200 });
    const before = await of({ id });
    const answer = await retry(before.id);
    assert.equal(answer.status, 202, answer.text);
    const { nextAttemptAt, updatedAt, ...rest } = answer.body.data;
    assert.deepEqual({ ...before, ...rest }, { ...before, status: 'PENDING' });
    assert.equal(nextAttemptAt, updatedAt);
    await until(async () => (await get(before.id)).attemptCount === 2);
    assert.equal((await get(before.id)).status, 'DELIVERED');
    const [first, second] = receiver.received;
    assert.equal(second!.body, first!.body);
    assert.equal(second!.headers['webhook-id'], first!.headers['webhook-id']);
  }
});

test('202 a repeat with the same Idempotency-Key has one effect, and the retry is in the audit trail', async (t) => {
  const { app, good, of, get, retry } = await openWithAll(t);
  const { id } = await of(good);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await retry(id, { headers });
  await until(async () => (await get(id)).attemptCount === 2);
  const again = await retry(id, { headers });
  assert.deepEqual([again.status, again.body.data], [first.status, first.body.data]);
  const entries = await app.sql(
    `select resource_id from audit_entries where action = 'WEBHOOK_RETRY_REQUESTED' order by seq`,
  );
  assert.deepEqual(entries, [{ resource_id: good.id }]);
  assert.equal((await get(id)).attemptCount, 2);
});

test('404 WEBHOOK_DELIVERY_NOT_FOUND for an unknown or malformed id, and from another marketplace', async (t) => {
  const { app, good, of, get } = await openWithAll(t);
  const { id } = await of(good);
  const stranger = await app.key(['*'], 'mkt_elsewhere');
  for (const [each, key] of [[UNKNOWN], ['nonsense'], [good.id], [id, stranger]] as [string, string?][]) {
    for (const request of [`GET ${PATH}/${each}`, `POST ${PATH}/${each}/retry`]) {
      const { status, code } = await refusalOf(app, () => app.call(request, key ? { key } : {}));
      assert.deepEqual([status, code], [404, 'WEBHOOK_DELIVERY_NOT_FOUND'], request);
    }
  }
  for (const query of ['', `?endpointId=${good.id}`, '?status=DELIVERED']) {
    assert.deepEqual((await app.call(`GET ${PATH}${query}`, { key: stranger })).body.data.data, [], query);
  }
  assert.equal((await get(id)).attemptCount, 1);
});

test('409 INVALID_STATE for a retry while the endpoint is disabled, and 404 when it is deleted', async (t) => {
  const { app, good, gone, of, get, retry } = await openWithAll(t);
  const failed = await of(gone);
  await until(async () => (await app.call(`GET /webhook-endpoints/${gone.id}`)).body.data.status === 'DISABLED');
  const { status, code, details } = await refusalOf(app, () => retry(failed.id));
  assert.deepEqual([status, code, details.currentState], [409, 'INVALID_STATE', 'DISABLED']);
  assert.deepEqual(details.allowedActions, ['enable', 'delete']);
  assert.deepEqual(await of(gone), failed);
  const delivered = await of(good);
  assert.equal((await app.call(`DELETE /webhook-endpoints/${good.id}`)).status, 200);
  assert.equal(codeOf(await retry(delivered.id)), '404 WEBHOOK_ENDPOINT_NOT_FOUND');
  const { attempts, ...kept } = await get(delivered.id);
  assert.deepEqual(kept, delivered);
  assert.equal(attempts.length, 1);
});

test('401 without a key, 403 without the scope: read shows the log, write retries', async (t) => {
  const { app, good, of } = await openWithAll(t);
  const { id } = await of(good);
  const reads = [`GET ${PATH}`, `GET ${PATH}/${id}`];
  const retry = `POST ${PATH}/${id}/retry`;
  const reader = await app.key(['read']);
  const writer = await app.key(['write']);
  const support = await app.key(['support']);
  for (const request of [...reads, retry]) {
    assert.equal(codeOf(await app.call(request, { key: null })), '401 UNAUTHORIZED', request);
    assert.equal(codeOf(await app.call(request, { key: support })), '403 INSUFFICIENT_SCOPE', request);
  }
  for (const request of reads) {
    assert.equal((await app.call(request, { key: reader })).status, 200, request);
    assert.equal(codeOf(await app.call(request, { key: writer })), '403 INSUFFICIENT_SCOPE', request);
  }
  assert.equal(codeOf(await app.call(retry, { key: reader })), '403 INSUFFICIENT_SCOPE');
  assert.equal((await app.call(retry, { key: writer })).status, 202);
});
