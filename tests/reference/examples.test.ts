// The recorded examples of the API reference: every operation has one, each fits its schema, and all of them tell one story without a
// contradiction, a made-up value or a secret.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelopeOf } from '@holdfast/contract/envelopes.ts';
import { DETAIL_KINDS } from '@holdfast/contract/error-details.ts';
import { ERRORS, type ErrorCode } from '@holdfast/contract/errors.ts';
import { successEnvelope } from '@holdfast/contract/surface-b/envelopes.ts';
import type { TSchema } from 'typebox';
import Value from 'typebox/value';
import '../../server/src/http/validation/formats.ts';
import { openApiDocument } from '../../server/src/http/reference/document.ts';
import { refusalExample } from '../../server/src/http/reference/error-examples.ts';
import { apiExamples, type Example, surfaceBExamples } from '../../server/src/http/reference/examples.ts';
import { SDK_CALLS, SURFACE_B_CALLS } from '../../server/src/http/reference/sdk-calls.ts';
import { plainSchema } from '../../server/src/http/validation/schema-shape.ts';
import { ENDPOINTS, SURFACE_B_ENDPOINTS } from '../../tools/reference/endpoints.ts';

// biome-ignore lint/suspicious/noExplicitAny: examples are read like JavaScript would
type Any = any;

/** Routes that the story cannot reach, each with the reason. */
const WITHOUT_EXAMPLE: Readonly<Record<string, string>> = {};

const SIZE_MAX = 2_000_000;

const routeOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

const ALL: readonly (readonly [string, Example])[] = [
  ...Object.entries(apiExamples()),
  ...Object.entries(surfaceBExamples()),
];

const document = openApiDocument({ version: '1', prefix: '/api/v1', endpoints: ENDPOINTS }) as Any;

const operations = Object.entries<Any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Any>(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

const problemOf = (schema: TSchema, value: unknown): string | null => {
  const [first] = Value.Errors(plainSchema(schema) as TSchema, value);
  return first === undefined ? null : `${first.instancePath} ${first.message}`;
};

/** Every object inside a value. */
const objectsIn = (value: unknown): Any[] => {
  if (value === null || typeof value !== 'object') return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
};

const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));

test('every operation of both surfaces has a recorded example, but for a few with a reason', () => {
  const missing = [
    ...ENDPOINTS.filter((row) => !(routeOf(row) in apiExamples())),
    ...SURFACE_B_ENDPOINTS.filter((row) => !(routeOf(row) in surfaceBExamples())),
  ].map(routeOf);
  assert.deepEqual(
    missing,
    Object.keys(WITHOUT_EXAMPLE),
    'add the route to tools/reference/story*.ts, then run: npm run print:examples',
  );
  assert.ok(missing.length <= 3);
});

test('every body and every answer fits its schema', () => {
  for (const row of ENDPOINTS) {
    const example = apiExamples()[routeOf(row)]!;
    assert.ok([row.status, row.otherStatus].includes(example.status as 200), routeOf(row));
    if (row.body && !row.bodyOptional) assert.ok(example.body !== undefined, `${routeOf(row)} shows no body`);
    if (row.body && example.body !== undefined) assert.equal(problemOf(row.body, example.body), null, routeOf(row));
    if (row.wrapping !== 'raw') assert.equal(problemOf(envelopeOf(row), example.answer), null, routeOf(row));
  }
  for (const row of SURFACE_B_ENDPOINTS) {
    const example = surfaceBExamples()[routeOf(row)]!;
    if (row.body) assert.equal(problemOf(row.body, example.body), null, routeOf(row));
    assert.equal(problemOf(successEnvelope(row.data, row.message), example.answer), null, routeOf(row));
  }
});

test('no example has a made-up value, an address of the machine or a secret', () => {
  for (const [route, example] of ALL) {
    const text = JSON.stringify(example);
    assert.doesNotMatch(text, /:"text"|127\.0\.0\.1|localhost:\d|eyJ[\w-]+\.[\w-]+\./, route);
    for (const [, secret] of text.matchAll(/hf_[\w-]+?_[0-9A-Z]{26}_([\w-]+)/g))
      assert.equal(secret, 'YOUR-SECRET', route);
    for (const [secret] of text.matchAll(/whsec_[\w+/=]+/g)) {
      assert.equal(Buffer.from(secret.slice(6), 'base64').toString(), 'YOUR-WEBHOOK-SECRET', route);
    }
  }
});

test('an order has a final status exactly when it is closed, and its parts add up', () => {
  const orders = ALL.flatMap(([route, { answer }]) => objectsIn(answer).map((value) => [route, value] as const)).filter(
    ([, value]) => 'finalStatus' in value && 'sellerNet' in value && 'buyerId' in value,
  );
  assert.ok(orders.length > 10);
  for (const [route, order] of orders) assert.equal(order.status === 'CLOSED', order.finalStatus !== null, route);
  const chair = (apiExamples()['GET /orders/:id']!.answer as Any).data.data;
  const { amount, platformFeeAmount, sellerNet, finalStatus } = chair;
  assert.deepEqual([amount, platformFeeAmount, sellerNet, finalStatus], ['40.00', '2.00', '38.00', 'RELEASED']);
});

test('every balance is the sum of its parts, and no record changed before it was created', () => {
  const objects = ALL.flatMap(([, { answer }]) => objectsIn(answer));
  const balances = objects.filter(({ available, reserved, total }) =>
    [available, reserved, total].every((part) => typeof part === 'string'),
  );
  assert.ok(balances.length > 8);
  for (const { available, reserved, total } of balances) assert.equal(cents(available) + cents(reserved), cents(total));
  for (const { createdAt, updatedAt } of objects) {
    if (typeof createdAt === 'string' && typeof updatedAt === 'string')
      assert.ok(createdAt <= updatedAt, `${createdAt} ${updatedAt}`);
  }
});

test('the balance of the buyer follows from the changes that the examples show', () => {
  const availableAfter = (route: string): bigint => cents((apiExamples()[route]!.answer as Any).data.available);
  const at = 'POST /users/:userId/balance';
  const amountOf = (route: string): bigint => cents((apiExamples()[route]!.body as Any).amount);
  const credited = amountOf('POST /topups') + amountOf(`${at}/credit`);
  assert.equal(availableAfter(`${at}/credit`), credited);
  assert.equal(availableAfter(`${at}/debit`), credited - amountOf(`${at}/debit`));
  const left = credited - amountOf(`${at}/debit`) - amountOf(`${at}/deduct-reserved`);
  assert.equal(availableAfter('GET /users/:userId/balance'), left);
});

test('the examples happen on one day, each record after those that it names', () => {
  const days = new Set(
    Object.values(apiExamples()).flatMap(({ answer }) => ((answer as Any)?.meta?.timestamp ?? '').slice(0, 10) || []),
  );
  assert.deepEqual([...days], ['2026-11-16']);
  const timeOf = (route: string): string => (apiExamples()[route]!.answer as Any).meta.timestamp;
  const way = ['POST /orders', 'POST /orders/:id/reserve', 'POST /orders/:id/escrow', 'POST /orders/:id/escrow/fund'];
  const times = [...way, 'POST /orders/:orderId/resolution/release', 'GET /orders/:id'].map(timeOf);
  assert.deepEqual(times, times.toSorted());
});

test('a recorded refusal has the status of its route and the details that its code promises', () => {
  for (const [route, { refusals = {} }] of Object.entries(apiExamples())) {
    for (const [code, { error }] of Object.entries(refusals)) {
      const promised = [...ERRORS[code as keyof typeof ERRORS].details, 'requestId', 'docUrl'];
      assert.deepEqual(
        promised.filter((name) => error.details[name] === undefined),
        [],
        `${route} ${code}`,
      );
    }
  }
  const { error } = apiExamples()['POST /orders/:id/reserve']!.refusals!.INVALID_STATE!;
  assert.equal(error.details.currentState, 'CLOSED');
});

test('the example of every refusal has its details filled in, in the types of the table', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { details } = refusalExample(code).error;
    for (const name of ERRORS[code].details as readonly string[]) {
      const value = details[name];
      const kind = DETAIL_KINDS[name] ?? 'text';
      const isRight =
        kind === 'texts' ? Array.isArray(value) : kind === 'number' ? typeof value === 'number' : value !== undefined;
      assert.ok(isRight, `${code} ${name}: ${value}`);
    }
  }
});

test('every operation has samples with curl, the SDK and HTTP', () => {
  const labels = (samples: Any[]): string[] => samples.map(({ label }) => label);
  const withoutSdk = operations.filter(({ operation }) => !labels(operation['x-codeSamples']).includes('SDK'));
  assert.deepEqual(
    withoutSdk.map(({ name }) => name).sort(),
    ['POST /api/v1/webhooks/escrow-provider', 'POST /api/v1/webhooks/payment-provider'],
    'outside systems call these alone',
  );
  for (const { name, operation } of operations) {
    const shown = labels(operation['x-codeSamples']);
    assert.deepEqual([shown[0], shown.at(-1)], ['curl', 'HTTP'], name);
  }
  const known = new Set([...ENDPOINTS, ...SURFACE_B_ENDPOINTS].map(routeOf));
  assert.deepEqual(
    [...Object.keys(SDK_CALLS), ...Object.keys(SURFACE_B_CALLS)].filter((route) => !known.has(route)),
    [],
  );
});

test('"try it" sends no optional filter and no dry run unless the reader wants it', () => {
  const { DryRun } = document.components.parameters;
  assert.equal(DryRun.examples.default['x-disabled'], true);
  for (const { name, operation } of operations) {
    for (const parameter of operation.parameters) {
      if (parameter.$ref || parameter.required) continue;
      const { default: given, enum: choices, examples } = parameter.schema;
      if (given === undefined && choices === undefined && examples === undefined) continue;
      assert.equal(parameter.examples?.default?.['x-disabled'], true, `${name} ${parameter.name}`);
    }
  }
});

test('the document stays small enough to be fetched by clients', () => {
  const size = JSON.stringify(document).length;
  assert.ok(size < SIZE_MAX, String(size));
});
