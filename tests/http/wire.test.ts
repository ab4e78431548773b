// What happens below the routes: broken HTTP, slow clients, browsers of other origins, and shutdown.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { openServer } from './server-fixture.ts';

const API = '/api/v1';

const envelopeIn = (heard: string) => {
  const [head = '', body = ''] = heard.split('\r\n\r\n', 2);
  assert.match(head, /x-request-id: \S+/i);
  assert.match(head, /x-ratelimit-remaining: \d+/i);
  assert.match(head, /x-content-type-options: nosniff/i);
  return JSON.parse(body).error;
};

test('bytes that are not HTTP, and headers that are too long, are answered in the envelope', async () => {
  const server = await openServer();
  const nonsense = await server.talk('HELLO\r\n\r\n');
  assert.match(nonsense, /^HTTP\/1\.1 400 /);
  assert.equal(envelopeIn(nonsense).code, 'VALIDATION_ERROR');
  const endless = await server.talk(`GET ${API}/health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
  assert.match(endless, /^HTTP\/1\.1 431 /);
  assert.ok(envelopeIn(endless).details.requestId);
  const noHost = await server.talk(`GET ${API}/health HTTP/1.1\r\nConnection: close\r\n\r\n`);
  assert.match(noHost, /^HTTP\/1\.1 400 /);
  const expecting = await server.talk(
    `GET ${API}/health HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n`,
  );
  assert.match(expecting, /^HTTP\/1\.1 200 /);
  await server.app.close();
});

test('a URL that cannot be decoded, or with a part that is too long, is 400 in the envelope', async () => {
  const server = await openServer();
  for (const path of [`${API}/things/%ZZ`, `${API}/things/${'x'.repeat(301)}`]) {
    const answer = await server.ask('GET', path, { key: 'reader' });
    assert.equal(answer.status, 400, path.slice(0, 40));
    assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
    assert.ok(answer.headers.get('x-request-id'));
  }
  await server.app.close();
});

test('a client that never finishes its headers is cut off', async () => {
  const server = await openServer({ headersTimeoutMs: 100, requestTimeoutMs: 200, timeoutCheckMs: 50 });
  const heard = await server.talk(`GET ${API}/health HTTP/1.1\r\nHost: x\r\n`);
  assert.match(heard, /^HTTP\/1\.1 408 /);
  assert.equal(envelopeIn(heard).code, 'VALIDATION_ERROR');
  await server.app.close();
});

test('without configured origins no page of another origin may read an answer', async () => {
  const server = await openServer();
  const answer = await server.ask('GET', `${API}/health`, { headers: { origin: 'https://shop.example' } });
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
  await server.app.close();
});

test('a configured origin may call, with the headers the API needs, and another may not', async () => {
  const server = await openServer({ corsOrigins: ['https://shop.example'] });
  const preflight = (origin: string) =>
    server.ask('OPTIONS', `${API}/users/u1/credit`, { headers: { origin, 'access-control-request-method': 'POST' } });
  const allowed = await preflight('https://shop.example');
  assert.equal(allowed.status, 204);
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://shop.example');
  assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /Authorization.*Idempotency-Key/);
  assert.equal((await preflight('https://evil.example')).headers.get('access-control-allow-origin'), null);
  const answer = await server.ask('GET', `${API}/things`, { headers: { origin: 'https://shop.example' } });
  assert.equal(answer.status, 401);
  assert.equal(answer.headers.get('access-control-allow-origin'), 'https://shop.example');
  assert.match(answer.headers.get('access-control-expose-headers') ?? '', /X-Request-ID/);
  await server.app.close();
});

test('closing finishes running requests, refuses new ones, and ends idle connections', async () => {
  const server = await openServer();
  const idle = connect(server.port, '127.0.0.1');
  await once(idle, 'connect');
  idle.write(`GET ${API}/health HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(idle, 'data');
  const idleClosed = once(idle, 'close');
  const slow = connect(server.port, '127.0.0.1');
  slow.write(`GET ${API}/slow HTTP/1.1\r\nHost: x\r\n\r\n`);
  await server.slow.arrived;
  let heard = '';
  slow.on('data', (chunk) => {
    heard += chunk;
  });
  const slowClosed = once(slow, 'close');
  const closed = server.app.close();
  await idleClosed;
  await assert.rejects(fetch(`${server.url}${API}/health`));
  // Pipelined after the running request: the connection is open, but the server accepts no more requests.
  slow.write(`GET ${API}/health HTTP/1.1\r\nHost: x\r\n\r\n`);
  server.slow.finish();
  await slowClosed;
  await closed;
  assert.match(heard, /^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*at last/i);
});

test('a request on an open connection while closing is 503 with Connection: close', async () => {
  const server = await openServer();
  const accepted = once(server.app.server, 'connection');
  const socket = connect(server.port, '127.0.0.1');
  socket.setEncoding('utf8');
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  const ended = once(socket, 'close');
  // Half a request keeps the connection from being idle.
  socket.write(`GET ${API}/health HTTP/1.1\r\nHost: x\r\n`);
  const [taken] = await accepted;
  while (taken.bytesRead === 0) await new Promise((resolve) => setImmediate(resolve));
  const closed = server.app.close();
  await new Promise((resolve) => setImmediate(resolve));
  socket.write('\r\n');
  await ended;
  await closed;
  assert.match(heard, /^HTTP\/1\.1 503 [\s\S]*connection: close/i);
  assert.match(heard, /SERVICE_UNAVAILABLE/);
});

test('a request that does not finish within the grace period is cut', async () => {
  const server = await openServer({ shutdownGraceMs: 100 });
  const stuck = assert.rejects(fetch(`${server.url}${API}/slow`));
  await server.slow.arrived;
  const began = performance.now();
  await server.app.close();
  await stuck;
  assert.ok(performance.now() - began < 2_000);
});

test('a client that hangs up is logged too', async () => {
  const server = await openServer();
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`GET ${API}/slow HTTP/1.1\r\nHost: x\r\nX-Request-ID: hung-up\r\n\r\n`);
  await server.slow.arrived;
  socket.destroy();
  const line = () => server.logs.find((logged) => (logged.request as { requestId?: string })?.requestId === 'hung-up');
  while (!line()) await new Promise((resolve) => setImmediate(resolve));
  assert.equal((line()!.request as { status: number }).status, 499);
  server.slow.finish();
  await server.app.close();
});
