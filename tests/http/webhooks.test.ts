// The route for webhooks of the escrow provider: the signature over the bytes as received, the body, the answer and the rate
// limit. A stand-in for the module only records the webhooks that it receives.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { UNWATCHED } from '../../server/src/http/hooks/observe.ts';
import { memoryLimiter } from '../../server/src/http/rate-limit.ts';
import type { EscrowWebhook } from '../../server/src/modules/webhooks/escrow-events.ts';
import { escrowWebhookRoutes } from '../../server/src/modules/webhooks/routes.ts';
import { isGenuineEscrowWebhook } from '../../server/src/providers/webhook-signatures.ts';
import { type Fixture, openServer } from './server-fixture.ts';

const PATH = '/api/v1/webhooks/escrow-provider';
const SECRET = 'whsec_of-the-webhook-tests-0123456789';
const EVENT = { type: 'escrow.funded', event_id: 'e-1', data: { order_id: 'ord_1' } };

const sign = (bytes: string | Buffer, secret = SECRET): string =>
  createHmac('sha256', secret).update(bytes).digest('hex');

type Recorded = { received: EscrowWebhook[]; warned: unknown[]; outcomes: string[] };

const openReceiver = async (
  options: { secret?: string | null; fail?: boolean; rateLimit?: object } = {},
): Promise<Fixture & Recorded> => {
  const { secret = SECRET, fail = false } = options;
  const recorded: Recorded = { received: [], warned: [], outcomes: [] };
  const routes = escrowWebhookRoutes({
    escrowEvents: {
      async receive(webhook) {
        recorded.received.push(webhook);
        if (fail) throw new Error('the disk at 10.0.0.7 is on fire');
        const processed = webhook.eventId !== 'unwanted';
        return { processed, outcome: processed ? 'processed' : 'failed' };
      },
    },
    verify: (delivery) => secret !== null && isGenuineEscrowWebhook({ ...delivery, secret }),
    log: { warn: (about: unknown) => void recorded.warned.push(about) },
    counter: { count: (_provider, outcome) => void recorded.outcomes.push(outcome) },
  });
  const rateLimit = { max: 10_000, windowMs: 60_000, ...options.rateLimit };
  const limiter = memoryLimiter({ windowMs: 60_000, now: Date.now });
  const watch = { ...UNWATCHED, rateLimited: (bucket: string) => void recorded.outcomes.push(`limited ${bucket}`) };
  const server = await openServer({ routes, rateLimit, limiter, watch });
  return { ...server, ...recorded };
};

let server: Fixture & Recorded;
before(async () => {
  server = await openReceiver();
});
after(() => server.app.close());

const deliver = (text: string, headers: Record<string, string> = {}) => server.ask('POST', PATH, { text, headers });
const signed = (text: string, signature = sign(text)) => deliver(text, { 'x-escrow-signature': signature });

test('a signed event is answered with `status` and `processed`, without an envelope', async () => {
  const taken = await signed(JSON.stringify(EVENT));
  assert.deepEqual([taken.status, taken.text], [200, '{"status":"ok","processed":true}']);
  assert.equal(taken.headers.get('content-type'), 'application/json; charset=utf-8');
  const refused = await signed(JSON.stringify({ ...EVENT, event_id: 'unwanted' }));
  assert.deepEqual([refused.status, refused.text], [200, '{"status":"ok","processed":false}']);
  assert.deepEqual(server.outcomes.slice(-2), ['processed', 'failed']);
  const { requestId, ...webhook } = server.received.at(-2)!;
  assert.equal(requestId, taken.headers.get('x-request-id'));
  assert.deepEqual(webhook, {
    eventId: 'e-1',
    type: 'escrow.funded',
    signed: true,
    orderId: 'ord_1',
    contractId: null,
    amount: null,
    currency: null,
    buyerAddress: null,
    sellerAddress: null,
    transactionHash: null,
    milestoneRef: null,
  });
});

test('the signature is over the bytes as received, with their spacing, order of keys and escapes (defect 30)', async () => {
  const odd = [
    '{ "event_id" : "e-2",\n\t"type":"escrow.funded" , "data":{} }  ',
    '{"data":{"order_id":"ord_\\u0031"},"type":"escrow\\u002efunded","event_id":"caf\\u00e9"}',
    '{"type":"escrow.funded","event_id":"café 😀","data":{"amount":"1","amount":"2"}}',
  ];
  for (const text of odd) {
    assert.equal((await signed(text)).status, 200, text);
    assert.equal((await signed(text, sign(JSON.stringify(JSON.parse(text))))).status, 401, text);
  }
  assert.equal(server.received.at(-2)?.eventId, 'café');
});

test('401 WEBHOOK_SIGNATURE_INVALID for any body, because the signature is checked before the body', async () => {
  const before = server.received.length;
  for (const text of [JSON.stringify(EVENT), '{"type":', '{}', '[]', '']) {
    const answer = await signed(text, sign('another body'));
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'WEBHOOK_SIGNATURE_INVALID'], text);
    assert.equal(answer.body.error.details.requestId, answer.headers.get('x-request-id'));
  }
  assert.equal(server.received.length, before);
  assert.equal(server.outcomes.at(-1), 'refused');
});

test('the signature is one hex text: upper case is accepted, every other form is refused', async () => {
  const text = JSON.stringify(EVENT);
  const right = sign(text);
  assert.equal((await signed(text, right.toUpperCase())).status, 200);
  const wrong = [
    '',
    `sha256=${right}`,
    right.slice(0, 63),
    `${right}0`,
    `${right}, ${right}`,
    `${right},${sign('x')}`,
    Buffer.from(right, 'hex').toString('base64'),
    sign(text, 'whsec_another'),
    'z'.repeat(64),
  ];
  for (const signature of wrong) assert.equal((await signed(text, signature)).status, 401, signature);
  const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${text.length}\r\n`;
  const twice = `${head}X-Escrow-Signature: ${right}\r\nX-Escrow-Signature: ${right}\r\n\r\n${text}`;
  assert.match(await server.talk(twice), /^HTTP\/1\.1 401 /);
  const once = `${head}X-Escrow-Signature: ${right}\r\n\r\n${text}`;
  assert.match(await server.talk(once), /^HTTP\/1\.1 200 /);
});

test('without a configured secret every signature is refused, and an unsigned event is still a hint', async () => {
  const unshared = await openReceiver({ secret: null });
  const text = JSON.stringify(EVENT);
  const headers = { 'x-escrow-signature': sign(text, '') };
  assert.equal((await unshared.ask('POST', PATH, { text, headers })).status, 401);
  assert.equal((await unshared.ask('POST', PATH, { text })).status, 200);
  assert.deepEqual(
    unshared.received.map((webhook) => webhook.signed),
    [false],
  );
  await unshared.app.close();
});

test('without the header the event is logged and treated as unsigned', async () => {
  const before = server.warned.length;
  const answer = await deliver(JSON.stringify(EVENT));
  assert.deepEqual([answer.status, answer.text], [200, '{"status":"ok","processed":true}']);
  assert.equal(server.received.at(-1)?.signed, false);
  assert.deepEqual(server.warned.slice(before), [
    { requestId: answer.headers.get('x-request-id'), provider: 'escrow-provider' },
  ]);
});

test('400 VALIDATION_ERROR for a body that is malformed, has a wrong field or lacks its type or id', async () => {
  const wrong: [string, string][] = [
    ['{"type":', 'The body is not valid JSON.'],
    ['', 'The body is required: send a JSON object.'],
    ['[]', 'The body must be an object'],
    ['{"type":"escrow.funded"}', 'event_id is required'],
    ['{"event_id":"e-1"}', 'type is required'],
    ['{"type":"escrow.funded","event_id":""}', 'event_id must not be empty'],
    ['{"type":7,"event_id":"e-1"}', 'type must be a string'],
    ['{"type":"escrow.funded","event_id":"e-1","data":{"amount":10}}', 'data.amount must be a string'],
    ['{"type":"escrow.funded","event_id":"e-1","data":[]}', 'data must be an object'],
  ];
  for (const [text, sentence] of wrong) {
    const answer = await signed(text);
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_ERROR'], text);
    assert.deepEqual(answer.body.error.details.validationErrors, [sentence]);
  }
});

test('unknown types and fields are ignored, and null and an empty text count as missing', async () => {
  const body = {
    type: 'escrow.archived',
    event_id: 'e-3',
    livemode: true,
    api_version: { major: 2 },
    data: { contract_id: null, order_id: '', amount: null, created_at: { _seconds: 1 }, status: 7, nonce: [1] },
  };
  assert.equal((await signed(JSON.stringify(body))).status, 200);
  const { type, contractId, orderId, amount } = server.received.at(-1)!;
  assert.deepEqual(
    { type, contractId, orderId, amount },
    { type: 'escrow.archived', contractId: null, orderId: null, amount: null },
  );
  for (const data of [undefined, null]) {
    assert.equal((await signed(JSON.stringify({ type: 'escrow.ping', event_id: 'e-4', data }))).status, 200);
    assert.equal(server.received.at(-1)?.orderId, null);
  }
});

test('the body is read as JSON whatever its content type, up to the limit of every body', async () => {
  const text = JSON.stringify(EVENT);
  for (const type of ['application/json; charset=utf-8', 'text/plain', 'application/vnd.events+json']) {
    const headers = { 'content-type': type, 'x-escrow-signature': sign(text) };
    assert.equal((await server.ask('POST', PATH, { text, headers })).status, 200, type);
  }
  const long = JSON.stringify({ ...EVENT, padding: 'x'.repeat(70_000) });
  assert.equal((await signed(long)).status, 413);
});

test('when a webhook cannot be stored the answer is 500, so that the sender repeats it', async () => {
  const broken = await openReceiver({ fail: true });
  const text = JSON.stringify(EVENT);
  const answer = await broken.ask('POST', PATH, { text, headers: { 'x-escrow-signature': sign(text) } });
  assert.deepEqual([answer.status, answer.body.error.code], [500, 'INTERNAL_ERROR']);
  assert.doesNotMatch(answer.text, /10\.0\.0\.7/);
  await broken.app.close();
});

test('webhook routes have their own rate limit per address, which no key and no other route counts against', async () => {
  const counted = await openReceiver({ rateLimit: { max: 2, webhookMax: 3 } });
  const post = (key?: string) =>
    counted.ask('POST', PATH, { text: JSON.stringify(EVENT), ...(key === undefined ? {} : { key }) });
  for (const left of ['2', '1', '0']) {
    const { status, headers } = await post(left === '1' ? 'writer' : undefined);
    assert.equal(status, 200);
    assert.equal(headers.get('x-ratelimit-limit'), '3');
    assert.equal(headers.get('x-ratelimit-remaining'), left);
  }
  const refused = await post();
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'RATE_LIMITED']);
  assert.equal(refused.body.error.details.limit, 3);
  assert.equal(counted.outcomes.at(-1), 'limited webhook');
  assert.equal(counted.received.length, 3);
  const elsewhere = await counted.ask('GET', '/api/v1/webhooks/escrow-provider');
  assert.equal(elsewhere.status, 405);
  assert.equal(elsewhere.headers.get('x-ratelimit-remaining'), '1');
  await counted.app.close();
});
