// Each adapter takes the signed deliveries of a real server in the real framework, calls the function of its user with the event, and
// answers a wrong signature with the reason.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { Holdfast, type HoldfastEvent, signWebhook } from '@holdfast/sdk';
import { webhookHandler as expressHandler, type WebhookOptions } from '@holdfast/sdk/express';
import { webhookPlugin } from '@holdfast/sdk/fastify';
import { webhookHandler as honoHandler } from '@holdfast/sdk/hono';
import { webhookRoute } from '@holdfast/sdk/next';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { openApp } from '../support/shared-app.ts';

const listening = async (t: TestContext, server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/holdfast`;
};

type Fetch = (request: Request) => Promise<Response> | Response;

/** A server for handlers of web requests, such as those of Next. */
const serve = (handle: Fetch): Server =>
  createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const url = `http://${request.headers.host}${request.url}`;
    const answer = await handle(new Request(url, { method: 'POST', headers, body: Buffer.concat(pieces) }));
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });

type Start = (t: TestContext, options: WebhookOptions) => Promise<string>;

const FRAMEWORKS: Readonly<Record<string, Start>> = {
  express(t, options) {
    const app = express();
    app.post('/holdfast', expressHandler(options));
    app.use(express.json());
    return listening(t, createServer(app));
  },
  async fastify(t, options) {
    const app = fastify();
    await app.register(webhookPlugin, { path: '/holdfast', ...options });
    afterwards(t, () => app.close());
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}/holdfast`;
  },
  hono(t, options) {
    const app = new Hono();
    app.post('/holdfast', honoHandler(options));
    return listening(
      t,
      serve((request) => app.fetch(request)),
    );
  },
  next: (t, options) => listening(t, serve(webhookRoute(options))),
};

for (const [name, start] of Object.entries(FRAMEWORKS)) {
  test(`${name}: a delivery of the server reaches the function, and a wrong one is refused with the reason`, async (t) => {
    const app = await openApp(t, { sandbox: true });
    const holdfast = new Holdfast({ url: app.url, apiKey: await app.key(['*']) });
    const events: HoldfastEvent[] = [];
    // The secret of the endpoint comes with its creation, which needs the address.
    const secrets = ['whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cyBvbmx5'];
    const url = await start(t, { secret: secrets, onEvent: (event) => events.push(event) });
    const wrong = await fetch(url, {
      method: 'POST',
      ...(await signWebhook({ eventId: 'evt_1' }, { secret: 'other' })),
    });
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /The webhook was rejected: the signature does not match the secret/);
    assert.equal(events.length, 0);

    const endpoint = await holdfast.webhookEndpoints.create({ url, events: ['user.created'] });
    secrets.push(endpoint.secret!);
    const { id } = await holdfast.users.create({ externalUserId: 'ada' });
    await until(() => events.length === 1, 'the event has come');
    assert.deepEqual([events[0]!.eventType, events[0]!.aggregateId], ['user.created', id]);
    const { deliveryId } = await holdfast.webhookEndpoints.test(endpoint.id);
    const isThere = async () => (await holdfast.webhookDeliveries.get(deliveryId)).status === 'DELIVERED';
    await until(isThere, 'the test event was answered');
    assert.equal(events.length, 1, 'the test event is not work');
  });
}

test('express: a body that was parsed before is named as the mistake', async (t) => {
  const app = express();
  app.use(express.json());
  const options = { secret: 'whsec_c2VjcmV0', onEvent: () => {} };
  app.post('/holdfast', expressHandler(options));
  const seen: unknown[] = [];
  app.use(((error, _request, response, _next) => {
    seen.push(error);
    response.status(500).end();
  }) satisfies express.ErrorRequestHandler);
  const url = await listening(t, createServer(app));
  const signed = await signWebhook({ eventId: 'evt_1' }, { secret: options.secret });
  assert.equal((await fetch(url, { method: 'POST', ...signed })).status, 500);
  assert.match(String(seen[0]), /Register the route of the webhook before app\.use\(express\.json\(\)\)/);
});

/** A body without an end, as a sender may send it who knows no secret. It counts what was read. */
const endless = () => {
  let mebibytes = 0;
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (; mebibytes < 50; mebibytes += 1) yield new Uint8Array(1024 * 1024);
  };
  return { body: Readable.from(pieces()), read: () => mebibytes };
};

test('a body that is too large is refused before it is read to its end', async () => {
  const options = { secret: 'whsec_c2VjcmV0', onEvent: () => assert.fail('an event') };
  const web = endless();
  const init = { method: 'POST', body: Readable.toWeb(web.body) as ReadableStream, duplex: 'half' } as const;
  const answer = await webhookRoute(options)(new Request('http://shop.example/holdfast', init));
  assert.equal(answer.status, 413);
  assert.ok(web.read() < 10, `${web.read()} MiB were read`);

  const plain = endless();
  const response = { statusCode: 0, text: '', end: (text: string) => (response.text = text) };
  await expressHandler(options)(Object.assign(plain.body, { headers: {} }), response, () => assert.fail('an error'));
  assert.equal(response.statusCode, 413);
  assert.match(response.text, /more than 1048576 bytes/);
  assert.ok(plain.read() < 10, `${plain.read()} MiB were read`);
});
