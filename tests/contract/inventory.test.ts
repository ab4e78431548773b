// The inventory of Surface A: what is documented is mounted, what is mounted is documented, and nothing else is.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERRORS, type ErrorCode } from '@holdfast/contract/errors.ts';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { ADDED, BUILT, NOT_BUILT_YET, PUBLIC, RECEIVERS, STREAMS } from './inventory-table.ts';

const PREFIX = '/api/v1';
const REPEATABLE = ['POST /users', 'POST /users/{userId}/wallet/link', 'POST /provider-statements'];
const SPEC = new URL('../../../shared/spec.md', import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: the document is read like JavaScript would
type Json = any;

const operationsOf = async (app: TestApp): Promise<Map<string, Json>> => {
  const response = await fetch(`${app.url}/docs/openapi.json`);
  assert.equal(response.status, 200);
  const document = (await response.json()) as Json;
  const operations = new Map<string, Json>();
  for (const [path, methods] of Object.entries<Json>(document.paths)) {
    assert.ok(path.startsWith(`${PREFIX}/`), path);
    for (const [method, operation] of Object.entries<Json>(methods)) {
      const responses = resolved(document, operation.responses);
      operations.set(`${method.toUpperCase()} ${path.slice(PREFIX.length)}`, { ...operation, responses });
    }
  }
  return operations;
};

/** The refusals that routes share, and their examples, in their places. */
const resolved = (document: Json, part: Json): Json => {
  if (part === null || typeof part !== 'object') return part;
  const isShared = /^#\/components\/(responses\/\d|examples\/)/.test(part.$ref ?? '');
  if (isShared) {
    const [, , kind, name] = part.$ref.split('/');
    return resolved(document, document.components[kind][name]);
  }
  if (Array.isArray(part)) return part.map((item) => resolved(document, item));
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, resolved(document, inner)]));
};

/** What the router says to a caller without a key. */
const knock = async (app: TestApp, route: string): Promise<{ status: number; code: string | undefined }> => {
  const [method, path] = route.split(' ') as [string, string];
  const response = await fetch(`${app.url}${PREFIX}${path.replace(/\{[^}]+\}/g, 'some-id')}`, { method });
  const { error } = (await response.json()) as Json;
  return { status: response.status, code: error?.code };
};

test("the table is the specification's inventory, route by route", (t) => {
  if (!existsSync(SPEC)) {
    t.diagnostic('the specification is not beside this checkout; the copy in inventory-table.ts is used');
    return;
  }
  const [, rest = ''] = readFileSync(SPEC, 'utf8').split('### Surface A inventory\n');
  const [section = ''] = rest.split('\n### ');
  const listed = [...section.matchAll(/^\| (GET|POST|PUT|PATCH|DELETE) \| (\S+) \|/gm)].map(([, m, p]) => `${m} ${p}`);
  assert.ok(listed.length > 50);
  assert.deepEqual([...BUILT, ...NOT_BUILT_YET].sort(), listed.sort());
});

test('every route of the parts built so far is documented, and no other', async (t) => {
  const operations = await operationsOf(await openApp(t));
  assert.deepEqual([...operations.keys()].sort(), [...BUILT, ...ADDED].sort());
});

test('every documented route is mounted: without a key it says 401, or answers where it is public', async (t) => {
  const app = await openApp(t);
  for (const route of [...BUILT, ...ADDED]) {
    const { status, code } = await knock(app, route);
    if (RECEIVERS.includes(route)) assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], route);
    else if (route.includes('/callback')) assert.deepEqual([status, code], [404, 'TOPUP_NOT_FOUND'], route);
    else if (PUBLIC.includes(route)) assert.equal(status, 200, route);
    else assert.deepEqual([status, code], [401, 'UNAUTHORIZED'], route);
  }
});

test('a route of a part that is not built yet is not mounted either: take it off the list when it is', async (t) => {
  const app = await openApp(t);
  for (const route of NOT_BUILT_YET) {
    assert.deepEqual(await knock(app, route), { status: 404, code: 'ROUTE_NOT_FOUND' }, route);
  }
});

test('every operation has a summary, one known tag, its security and a unique name', async (t) => {
  const operations = await operationsOf(await openApp(t));
  const names = [...operations.values()].map((operation) => operation.operationId);
  assert.equal(new Set(names).size, names.length);
  for (const [route, { summary, description, tags, security }] of operations) {
    assert.ok(summary.length > 5 && description.length > 5, route);
    assert.equal(tags.length, 1, route);
    assert.deepEqual(security, PUBLIC.includes(route) ? [] : [{ bearer: [] }], route);
  }
});

test('every group of routes says in a sentence what it is for', async (t) => {
  const { url } = await openApp(t);
  const { tags } = (await (await fetch(`${url}/docs/openapi.json`)).json()) as Json;
  const silent = tags.filter(({ description }: Json) => !description?.endsWith('.'));
  assert.deepEqual(silent, [], 'add them to server/src/http/reference/tags.ts');
});

test('every operation shows its answer as a schema with an example that fits the envelope', async (t) => {
  const operations = await operationsOf(await openApp(t));
  for (const [route, { responses }] of operations) {
    // Where a rule of the marketplace can make a request wait, the answer of a request that waits is shown too.
    const isHeld = (code: string): boolean => responses[code].$ref === '#/components/responses/WaitingForApproval';
    const statuses = Object.keys(responses).filter((code) => Number(code) < 300 && !isHeld(code));
    // Only what may find its work already done has a second way to say yes.
    assert.deepEqual(statuses, REPEATABLE.includes(route) ? ['200', '201'] : statuses.slice(0, 1), route);
    assert.ok(['200', '201', '202'].includes(statuses[0]!), route);
    if (STREAMS.includes(route) || RECEIVERS.includes(route)) continue;
    for (const status of statuses) {
      const { schema, example } = responses[status].content['application/json'];
      assert.deepEqual(Object.keys(schema.properties), ['data', 'meta'], route);
      assert.deepEqual(Object.keys(example), ['data', 'meta'], route);
    }
  }
});

test('every operation shows how it refuses: with the status and all details that the error table promises', async (t) => {
  const operations = await operationsOf(await openApp(t));
  for (const [route, { responses }] of operations) {
    const refusals = Object.entries<Json>(responses).filter(([status]) => Number(status) >= 400);
    const codes = refusals.flatMap(([, response]) => Object.keys(response.content['application/json'].examples));
    for (const code of ['VALIDATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR']) assert.ok(codes.includes(code), route);
    assert.equal(codes.includes('UNAUTHORIZED'), !PUBLIC.includes(route), route);
    const isHeavy = /^GET \S*\/(audit\/|reports\/|exports\/|provider-statements\/\{|users\/\{id\}\/statement$)/.test(
      route,
    );
    assert.equal(codes.includes('TOO_MANY_HEAVY_READS'), isHeavy, route);
    assert.equal(/heavy read/.test(operations.get(route).description), isHeavy, route);
    for (const [status, { content }] of refusals) {
      for (const [code, { value }] of Object.entries<Json>(content['application/json'].examples)) {
        const row = ERRORS[code as ErrorCode];
        const isOwn = code === 'INVALID_STATE' && /\/(orders|disputes)\b/.test(route) && !route.endsWith('/messages');
        assert.equal(isOwn ? '400' : String(row.status), status, `${route} ${code}`);
        // A recorded refusal may have a sentence of its own, and more details than the table promises.
        assert.equal(value.error.code, code);
        assert.ok(value.error.message.endsWith('.'), `${route} ${code}: ${value.error.message}`);
        const promised = [...row.details, 'requestId', 'docUrl'];
        assert.deepEqual(
          promised.filter((name) => value.error.details[name] === undefined),
          [],
          `${route} ${code}`,
        );
      }
    }
  }
});

test('an operation with a path parameter documents it, and one that reads a body shows an example of it', async (t) => {
  const operations = await operationsOf(await openApp(t));
  for (const [route, { parameters, requestBody }] of operations) {
    const named = [...route.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
    const inPath = parameters.filter((parameter: Json) => parameter.in === 'path');
    assert.deepEqual(
      inPath.map((parameter: Json) => parameter.name),
      named,
      route,
    );
    if (requestBody) assert.equal(typeof requestBody.content['application/json'].example, 'object', route);
  }
});
