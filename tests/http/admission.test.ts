// The limit of requests processed at once: one more is refused with 503, and requests that do not count are always answered.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createAdmissionControl } from '../../server/src/http/admission.ts';
import { until } from '../../tools/until.ts';
import { openServer } from './server-fixture.ts';

const API = '/api/v1';

test('at the limit a request is refused with 503 in the envelope, and admitted again when one has ended', async () => {
  const server = await openServer({ requestsMax: 1 });
  const first = server.ask('GET', `${API}/slow`);
  await server.slow.arrived;
  const refused = await server.ask('GET', `${API}/things`, { key: 'reader' });
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
  assert.equal(refused.headers.get('retry-after'), '1');
  assert.equal(refused.body.error.details.retryAfter, 1);
  assert.ok(refused.headers.get('x-ratelimit-remaining'));
  const WARNING = 40;
  assert.ok(
    !server.logs.some(({ level }) => Number(level) >= WARNING),
    'an overload does not flood the log with warnings',
  );
  server.slow.finish();
  assert.equal((await first).status, 200);
  await until(
    async () => (await server.ask('GET', `${API}/things`, { key: 'reader' })).status === 200,
    'there is capacity',
  );
  await server.app.close();
});

test('a request counts only when its body has arrived: a client with many unfinished requests locks out no other', async () => {
  const server = await openServer({ requestsMax: 1 });
  const slow = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const sender = connect(server.port, '127.0.0.1');
      const head = `POST ${API}/users/1/credit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\n`;
      sender.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a`);
      await once(sender, 'connect');
      return sender;
    }),
  );
  // The slow requests have passed the admission hook when they are counted in addition to our own.
  let requests = 0;
  await until(async () => {
    const { headers } = await server.ask('GET', `${API}/things`, { key: 'writer' });
    requests += 1;
    const counted = Number(headers.get('x-ratelimit-limit')) - Number(headers.get('x-ratelimit-remaining'));
    return counted === requests + slow.length;
  }, 'all slow requests are counted');
  assert.equal((await server.ask('GET', `${API}/things`, { key: 'reader' })).status, 200);
  for (const sender of slow) sender.destroy();
  await server.app.close();
});

test('a client that left before its request is admitted does not stay counted', () => {
  const admission = createAdmissionControl(1);
  const left = { raw: { destroyed: true } } as unknown as FastifyReply;
  const request = { isAdmitted: false } as FastifyRequest;
  assert.ok(admission.admit(request, left));
  assert.equal(request.isAdmitted, false);
  assert.ok(admission.hasCapacity());
});

test('at the limit health checks and streams are answered, and 404 and 405 stay the same', async () => {
  const server = await openServer({ requestsMax: 1 });
  const first = server.ask('GET', `${API}/slow`);
  await server.slow.arrived;
  assert.equal((await server.ask('GET', `${API}/health`)).status, 200);
  assert.equal((await server.ask('GET', `${API}/events`, { key: 'reader' })).status, 200);
  assert.equal((await server.ask('GET', `${API}/nothing`, { key: 'reader' })).status, 404);
  assert.equal((await server.ask('DELETE', `${API}/things`, { key: 'reader' })).status, 405);
  server.slow.finish();
  await first;
  await server.app.close();
});

test('a client that leaves before the answer frees its place', async () => {
  const server = await openServer({ requestsMax: 1 });
  const leaving = connect(server.port, '127.0.0.1');
  leaving.write(`GET ${API}/slow HTTP/1.1\r\nHost: x\r\n\r\n`);
  await server.slow.arrived;
  assert.equal((await server.ask('GET', `${API}/things`, { key: 'reader' })).status, 503);
  leaving.destroy();
  await once(leaving, 'close');
  await until(
    async () => (await server.ask('GET', `${API}/things`, { key: 'reader' })).status === 200,
    'there is capacity',
  );
  server.slow.finish();
  await server.app.close();
});
