// Logs say enough and never too much, metrics stay bounded and apart, traces arrive and never get in the way.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { type AnsweredRequest, createLog } from '../../server/src/observability/logs.ts';
import { createMetrics, mayReadMetrics } from '../../server/src/observability/metrics.ts';
import { NO_TRACING, startTracing } from '../../server/src/observability/tracing.ts';

type Line = Record<string, unknown>;

function openLog(level = 'info') {
  const lines: string[] = [];
  const log = createLog({ level, destination: { write: (line) => void lines.push(line) } });
  const only = () => {
    assert.equal(lines.length, 1);
    return JSON.parse(lines[0] ?? '') as Line;
  };
  return { log, lines, only };
}

describe('the log', () => {
  test('is one JSON object per line with a level by name and a time in ISO form', () => {
    const { log, only } = openLog();
    log.info({ orders: 2 }, 'ready');
    const { time, ...rest } = only();
    assert.deepEqual(rest, { level: 'info', pid: process.pid, orders: 2, msg: 'ready' });
    assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test('leaves out what is below its level', () => {
    const { log, lines } = openLog('warn');
    log.info('quiet');
    assert.deepEqual(lines, []);
  });

  test('hides credentials and e-mail addresses at any depth and in any spelling', () => {
    const { log, lines } = openLog();
    const headers = { authorization: 'hunter2', 'x-api-key': 'hunter2', 'Set-Cookie': 'hunter2', accept: 'text/html' };
    log.info({ headers, user: { email: 'hunter2', id: 'usr_1' }, rows: [{ deep: { api_key: 'hunter2' } }] }, 'x');
    log.info({ masterKey: 'hunter2', JWT_SECRET: 'hunter2', password: 'hunter2', token: 'hunter2', apiKeyId: 'key_1' });
    log.child({ apiKey: 'hunter2', token: 'hunter2', email: 'hunter2' }).info({ DATABASE_URL: 'hunter2' });
    assert.equal(lines.length, 3);
    assert.doesNotMatch(lines.join(), /hunter2/);
    for (const kept of ['text/html', 'usr_1', 'key_1']) assert.ok(lines.join().includes(kept), kept);
  });

  test('does not change the object it was given', () => {
    const user = { email: 'ann@example.com', list: [{ token: 't' }] };
    openLog().log.info({ user });
    assert.deepEqual(user, { email: 'ann@example.com', list: [{ token: 't' }] });
  });

  test('writes an answered request by a list of fields and nothing that came along', () => {
    const { log, only } = openLog();
    const answered: AnsweredRequest = {
      method: 'GET',
      route: '/api/v1/orders/:id',
      requestId: 'req_1',
      status: 200,
      durationMs: 1.5,
      apiKeyId: 'key_1',
      marketplaceId: 'mkt_default',
      traceId: null,
    };
    log.info({ request: { ...answered, url: '/api/v1/orders/1?token=hunter2', body: { a: 1 } } }, 'answered');
    assert.deepEqual(only().request, answered);
  });

  test("writes the framework's own request and reply without address, headers or query", () => {
    const { log, only } = openLog();
    const req = {
      method: 'GET',
      url: '/x?token=hunter2',
      id: 'req_1',
      routeOptions: { url: '/x' },
      headers: {},
      ip: '::1',
    };
    log.info({ req, res: { statusCode: 500, headers: {} } });
    const { req: writtenRequest, res } = only();
    assert.deepEqual(writtenRequest, { method: 'GET', route: '/x', requestId: 'req_1' });
    assert.deepEqual(res, { status: 500 });
  });

  test('writes an error with its stack and cause, without the row, credentials or addresses in it', () => {
    const { log, lines, only } = openLog();
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      constraint: 'users_email_key',
      detail: 'Key (email)=(hunter2) already exists.',
    });
    log.error({
      err: new Error('postgres://me:hunter2@db/x failed, Bearer hunter2hunter2, hunter2@example.com', { cause }),
    });
    const err = only().err as Line;
    assert.doesNotMatch(lines.join(), /hunter2/);
    assert.equal(only().msg, 'postgres://[hidden]@db/x failed, Bearer [hidden], [hidden]');
    assert.match(String(err.stack), /observe\.test\.ts/);
    assert.equal((err.cause as Line).constraint, 'users_email_key');
    assert.equal((err.cause as Line).code, '23505');
  });
});

describe('metrics', () => {
  test('count requests by method, route pattern and status', async () => {
    const metrics = createMetrics();
    metrics.http.began();
    metrics.http.answered({ method: 'GET', route: '/api/v1/orders/:id', status: 200, durationMs: 12 });
    metrics.http.answered({ method: 'BREW', route: undefined, status: 404, durationMs: 1 });
    const text = await metrics.text();
    assert.match(text, /_duration_seconds_count\{method="GET",route="\/api\/v1\/orders\/:id",status="200"\} 1/);
    assert.match(text, /_duration_seconds_count\{method="other",route="unmatched",status="404"\} 1/);
    assert.match(text, /holdfast_http_requests_in_flight 1/);
    metrics.http.ended();
    assert.match(await metrics.text(), /holdfast_http_requests_in_flight 0/);
  });

  test('show the committer, the stream, the limits and the replays', async () => {
    const metrics = createMetrics();
    metrics.committer.committed({ size: 2, durationMs: 4, events: 7, rows: 'memory' });
    metrics.committer.committed({ size: 1, durationMs: 0, events: 0, rows: 'database' });
    metrics.committer.refused('INSUFFICIENT_FUNDS');
    metrics.committer.retried('serialization');
    metrics.committer.watchQueue(() => 42);
    metrics.stream.opened();
    metrics.stream.sent(5);
    metrics.stream.cutOff();
    metrics.http.rateLimited('api');
    metrics.http.replayed();
    const text = await metrics.text();
    for (const line of [
      'holdfast_committer_group_size_sum 3',
      'holdfast_committer_commands_total{rows="memory"} 2',
      'holdfast_committer_commands_total{rows="database"} 1',
      'holdfast_committer_commit_duration_seconds_sum 0.004',
      'holdfast_events_written_total 7',
      'holdfast_committer_refusals_total{code="INSUFFICIENT_FUNDS"} 1',
      'holdfast_committer_retries_total{reason="serialization"} 1',
      'holdfast_committer_queue_length 42',
      'holdfast_sse_connections 1',
      'holdfast_sse_events_sent_total 5',
      'holdfast_sse_readers_cut_off_total 1',
      'holdfast_http_rate_limited_total{bucket="api"} 1',
      'holdfast_idempotency_replays_total 1',
      'process_resident_memory_bytes ',
    ]) {
      assert.ok(text.includes(`\n${line}`), line);
    }
  });

  test('say nothing about the proof before it was checked, and then whether it holds and what is missing', async () => {
    const metrics = createMetrics();
    assert.doesNotMatch(await metrics.text(), /\nholdfast_proof_\w+[ {]/);
    const at = new Date('2026-01-02T03:04:05Z');
    const currencies = [{ currency: 'USD', difference: '-0.01' }];
    metrics.proof.checked({ holds: false, at, fullAt: null, currencies });
    assert.doesNotMatch(await metrics.text(), /\nholdfast_proof_full_checked_timestamp_seconds /);
    metrics.proof.checked({ holds: false, at, fullAt: new Date('2026-01-02T03:00:00Z'), currencies });
    const text = await metrics.text();
    assert.match(text, /\nholdfast_proof_full_checked_timestamp_seconds 1767322800\n/);
    assert.match(text, /\nholdfast_proof_holds 0\n/);
    assert.match(text, /\nholdfast_proof_difference\{currency="USD"\} -0\.01\n/);
    assert.match(text, /\nholdfast_proof_checked_timestamp_seconds 1767323045\n/);
  });

  test('of two servers in one process do not mix', async () => {
    const one = createMetrics();
    const two = createMetrics();
    one.http.replayed();
    assert.match(await two.text(), /holdfast_idempotency_replays_total 0/);
  });

  test('are open on loopback, closed elsewhere, and need the token once there is one', () => {
    const ask = { host: '127.0.0.1', token: null, authorization: undefined };
    assert.equal(mayReadMetrics(ask), true);
    assert.equal(mayReadMetrics({ ...ask, host: '0.0.0.0' }), false);
    assert.equal(mayReadMetrics({ ...ask, token: 'right' }), false);
    assert.equal(mayReadMetrics({ ...ask, token: 'right', authorization: 'Bearer wrong' }), false);
    assert.equal(mayReadMetrics({ ...ask, host: '0.0.0.0', token: 'right', authorization: 'Bearer right' }), true);
  });
});

type SentSpan = { name: string; traceId: string; spanId: string; parentSpanId?: string; status: { code?: number } };
type Sent = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: SentSpan[] }[];
  }[];
};

async function openCollector() {
  const received: { path: string | undefined; body: Sent }[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    received.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const spans = () =>
    received.flatMap(({ body }) =>
      body.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans)),
    );
  return { server, received, spans, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('tracing', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };

  test('sends a request span under its caller and the work inside it under the request', async () => {
    const collector = await openCollector();
    const tracing = await startTracing({ endpoint: `${collector.endpoint}/`, serviceName: 'holdfast-test' });
    const request = tracing.start(() => ({ name: 'GET /orders/:id', parent: tracing.parentOf(headers) }));
    assert.equal(request.traceId, traceId);
    const result = await request.run(async () => {
      await new Promise(setImmediate);
      const work = tracing.start(() => ({ name: 'commit', attributes: { 'group.size': 3 } }));
      work.set({ 'group.events': 4 });
      work.end();
      return 'done';
    });
    request.end();
    await tracing.stop();
    collector.server.close();

    assert.equal(result, 'done');
    assert.ok(collector.received.every(({ path }) => path === '/v1/traces'));
    const [commit, parent] = ['commit', 'GET /orders/:id'].map((name) =>
      collector.spans().find((span) => span.name === name),
    );
    assert.deepEqual([parent?.traceId, parent?.parentSpanId], [traceId, 'b7ad6b7169203331']);
    assert.deepEqual([commit?.traceId, commit?.parentSpanId], [traceId, parent?.spanId]);
    const service = collector.received[0]?.body.resourceSpans[0]?.resource.attributes.find(
      ({ key }) => key === 'service.name',
    );
    assert.equal(service?.value.stringValue, 'holdfast-test');
  });

  test('marks work that failed, without its message', async () => {
    const collector = await openCollector();
    const tracing = await startTracing({ endpoint: collector.endpoint, serviceName: 'holdfast-test' });
    const work = tracing.start(() => ({ name: 'pay' }));
    work.failed(new RangeError('hunter2'));
    work.end();
    await tracing.stop();
    collector.server.close();
    assert.equal(collector.spans()[0]?.status.code, 2);
    assert.match(JSON.stringify(collector.received), /RangeError/);
    assert.doesNotMatch(JSON.stringify(collector.received), /hunter2/);
  });

  test('begins a new trace without a traceparent, or with one that makes no sense', async () => {
    const collector = await openCollector();
    const tracing = await startTracing({ endpoint: collector.endpoint, serviceName: 'holdfast-test' });
    for (const given of [{}, { traceparent: 'nonsense' }]) {
      const span = tracing.start(() => ({ name: 'x', parent: tracing.parentOf(given) }));
      assert.match(span.traceId ?? '', /^[0-9a-f]{32}$/);
      span.end();
    }
    await tracing.stop();
    collector.server.close();
    assert.deepEqual(
      collector.spans().map((span) => span.parentSpanId || null),
      [null, null],
    );
  });

  test('a collector that is down fails no work and does not hold up the end', async () => {
    const collector = await openCollector();
    collector.server.close();
    await once(collector.server, 'close');
    const tracing = await startTracing({ endpoint: collector.endpoint, serviceName: 'holdfast-test' });
    tracing.start(() => ({ name: 'x' })).end();
    await tracing.stop();
  });

  test('without a collector is a no-op that runs the work as it is', async () => {
    const tracing = await startTracing({ endpoint: null, serviceName: 'holdfast-test' });
    assert.equal(tracing, NO_TRACING);
    const span = tracing.start(() => ({ name: 'x', parent: tracing.parentOf(headers) }));
    span.set({ a: 1 });
    assert.equal(
      span.run(() => 1),
      1,
    );
    span.end();
    await tracing.stop();
  });
});
