// The API reference: complete, valid, and served without files of other hosts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createWebhookEndpoint } from '@holdfast/contract/api/webhook-endpoints.ts';
import { takeEscrowWebhook } from '@holdfast/contract/api/webhooks.ts';
import { docUrlOf, ERROR_PAGE, ERRORS } from '@holdfast/contract/errors.ts';
import { openApiDocument } from '../../server/src/http/reference/document.ts';
import { type Fixture, openServer } from './server-fixture.ts';

type Example = { value: { error: { code: string; details: object } } };
type Response = {
  $ref?: string;
  description: string;
  headers: Record<string, unknown>;
  content: Record<string, { examples: Record<string, Example> }>;
};

let server: Fixture;
// biome-ignore lint/suspicious/noExplicitAny: the document is read like JavaScript would
let document: any;
before(async () => {
  server = await openServer();
  document = (await server.ask('GET', '/docs/openapi.json')).body;
});
after(() => server.app.close());

const credit = () => document.paths['/api/v1/users/{userId}/credit'].post;

test('the document is OpenAPI 3.1, the same at both addresses, and needs no key', async () => {
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual((await server.ask('GET', '/api/v1/openapi.json')).body, document);
});

test('every $ref of the document has a target', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!);
  assert.ok(references.length > 0);
  for (const reference of references) {
    const target = reference.split('/').reduce((at, key) => at?.[key], document);
    assert.ok(target, reference);
  }
});

test('every operation has a description, its security and its errors, with examples', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path as object));
  assert.ok(operations.length >= 14);
  assert.equal(new Set(operations.map((operation) => operation.operationId)).size, operations.length);
  for (const operation of operations) {
    assert.ok(operation.summary && operation.description && operation.tags.length === 1);
    assert.ok(Array.isArray(operation.security));
    for (const [status, given] of Object.entries<Response>(operation.responses)) {
      const response: Response = given.$ref ? document.components.responses[given.$ref.split('/').at(-1)!] : given;
      assert.ok(response.description, status);
      assert.ok(response.headers['X-Request-ID'] && response.headers['X-RateLimit-Remaining']);
      if (Number(status) < 400) continue;
      const { examples } = response.content['application/json']!;
      for (const [code, example] of Object.entries(examples)) {
        const { value }: Example = '$ref' in example ? document.components.examples[code] : example;
        assert.equal(ERRORS[code as keyof typeof ERRORS].status, Number(status));
        assert.equal(value.error.code, code);
        const promised = [...ERRORS[code as keyof typeof ERRORS].details, 'requestId', 'docUrl'];
        assert.deepEqual(Object.keys(value.error.details), promised);
      }
    }
  }
});

test('an operation shows its parameters, its body, its answer and its headers', () => {
  const { parameters, requestBody, responses, security } = credit();
  assert.deepEqual(security, [{ bearer: [] }]);
  assert.equal(parameters[0].name, 'userId');
  assert.ok(parameters.some((parameter: { $ref?: string }) => parameter.$ref?.endsWith('/IdempotencyKey')));
  const { schema, example } = requestBody.content['application/json'];
  assert.equal(requestBody.required, true);
  assert.deepEqual(schema.required, ['amount']);
  assert.deepEqual(schema.properties.kind, { type: 'string', enum: ['GIFT', 'BONUS'] });
  assert.equal(example.amount, '25.00');
  assert.ok(responses['200'].headers['Idempotency-Replay']);
  assert.deepEqual(responses['200'].content['application/json'].schema.properties.data.properties.note, {
    type: ['string', 'null'],
  });
  assert.deepEqual(Object.keys(responses), [
    '200',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ]);
});

test('the page loads its script from this server and from no other host', async () => {
  assert.equal((await server.ask('GET', '/docs/reference')).headers.get('location'), '/docs/reference/');
  const page = await server.ask('GET', '/docs/reference/');
  assert.equal(page.status, 200);
  assert.ok(!/https?:\/\//.test(page.text), 'no address of another host');
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self' 'sha256-[^']+'/);
  assert.ok(!/script-src[^;]*unsafe/.test(policy));
  const script = await server.ask('GET', '/docs/reference/js/scalar.js');
  assert.equal(script.status, 200);
  assert.match(script.headers.get('content-type') ?? '', /javascript/);
});

test('every error code is explained where details.docUrl points to, without a key', async () => {
  const page = await server.ask('GET', ERROR_PAGE);
  const text = page.text.replaceAll('&#39;', "'");
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type')!, /^text\/html/);
  for (const [code, { status, message }] of Object.entries(ERRORS)) {
    assert.equal(docUrlOf(code as keyof typeof ERRORS), `${ERROR_PAGE}#${code}`);
    assert.ok(page.text.includes(`id="${code}"`), code);
    assert.ok(text.includes(`<td>${status}</td>`) && text.includes(message.slice(0, 15)), code);
  }
  const unknown = await server.ask('GET', '/api/v1/nowhere');
  assert.equal(unknown.body.error.details.docUrl, '/docs/errors#ROUTE_NOT_FOUND');
});

test('the two groups of webhooks say which way they go', () => {
  const endpoints = [takeEscrowWebhook, createWebhookEndpoint];
  const { tags } = openApiDocument({ version: '1', prefix: '', endpoints }) as { tags: Record<string, string>[] };
  assert.deepEqual(
    tags.map(({ name }) => name),
    ['Webhooks', 'Webhooks out'],
  );
  assert.match(tags[0]!.description!, /send to this server/);
  assert.match(tags[1]!.description!, /this server sends/);
});
