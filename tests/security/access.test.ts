// Access rights of every operation in the OpenAPI documents, on a whole server with records in every state. A route that is
// added later is checked too.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { openPool, type People, provide } from '../../tools/fuzz/callers.ts';
import { type Operation, readOperations, type Schema } from '../../tools/fuzz/document.ts';
import { type LoudApp, SECRETS, startLoudApp } from '../../tools/fuzz/recorded-app.ts';
import { restock } from '../../tools/fuzz/stock.ts';
import { fitting, openId } from '../../tools/fuzz/values.ts';

const SEED = 28;

/** By design, each for its own reason: see docs/security.md. */
const PUBLIC = [
  'GET /api/v1/config',
  'GET /api/v1/health',
  'GET /api/v1/health/detailed',
  'GET /api/v1/topups/{id}/callback',
  'POST /api/v1/webhooks/escrow-provider',
  'POST /api/v1/webhooks/payment-provider',
  'POST /auth/login',
  'POST /auth/register',
  'POST /escrow/init',
];

let app: LoudApp;
let people: People;
let operations: Operation[];
let pool: ReturnType<typeof openPool>;
before(async () => {
  app = await startLoudApp({ LOG_LEVEL: 'silent' });
  operations = await readOperations(app.url);
  people = await provide(app.url);
  pool = openPool(people);
  pool.learn(await restock(app.url, people));
});
after(() => app.close());

type Ask = {
  readonly key?: string;
  readonly ids?: 'known' | 'unknown';
  readonly headers?: Record<string, string>;
  readonly query?: string;
};

const UNKNOWN_ID = '01J9ZQ8H7K5M3N2P4R6S8T0V1W';

const KINDS = { users: 'usr', orders: 'ord', disputes: 'dsp', topups: 'top', withdrawals: 'wdr', 'api-keys': 'key' };

/** A valid request, about a record that exists or about one that does not. */
const ask = async ({ method, path, body }: Operation, { key, ids = 'known', headers = {}, query = '' }: Ask = {}) => {
  const [sample] = body ? fc.sample(fitting(body), { seed: SEED, numRuns: 1 }) : [undefined];
  const [, noun = ''] = /\/([a-z-]+)\/\{/.exec(path) ?? [];
  const kind = KINDS[noun as keyof typeof KINDS] ?? (path.includes('payins') ? 'top' : 'wdr');
  const [open] = fc.sample(openId(kind), { seed: SEED, numRuns: 1 });
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'ref') return 'm1';
    if (name === 'kind') return 'auto_release';
    if (name === 'id' && noun === 'marketplaces') return ids === 'known' ? 'mkt_default' : 'mkt_unknown';
    return name === 'decision' ? 'cancel' : open!;
  });
  const fill = (text: string) =>
    ids === 'known' ? pool.fill(text) : text.replace(/@\{(\w+):\d+\}/g, `$1_${UNKNOWN_ID}`);
  const response = await fetch(app.url + fill(target) + query, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: fill(JSON.stringify(sample)) } : {}),
  });
  // A stream never ends, so only its status is read here.
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = isStream ? '' : await response.text();
  if (isStream) await response.body?.cancel();
  return { status: response.status, headers: response.headers, text };
};

const codeOf = (text: string): string => JSON.parse(text).error?.code;

/** The answer of every operation to a page of another origin without a key. */
const anonymousAnswers: { readonly operation: Operation; readonly answer: Awaited<ReturnType<typeof ask>> }[] = [];
before(async () => {
  for (const operation of operations) {
    const answer = await ask(operation, { headers: { origin: 'https://evil.example' } });
    anonymousAnswers.push({ operation, answer });
  }
});

test('defect 28: without a key every operation is 401, but for those that are public on purpose', () => {
  const open: string[] = [];
  for (const { operation, answer } of anonymousAnswers) {
    const { status } = answer;
    const isReceiver = operation.path.includes('/webhooks/');
    if (status !== 401 || isReceiver || operation.path === '/auth/login') open.push(operation.name);
  }
  assert.deepEqual(open.sort(), PUBLIC);
});

test('defect 28: a key with `read` alone is 403 on every operation that is no GET, and so is one without any right to read', async () => {
  const { key: writer } = await makeKey(['write']);
  for (const operation of operations.filter(({ surface, name }) => surface === 'A' && !PUBLIC.includes(name))) {
    const isRead = operation.method === 'GET';
    if (!isRead) {
      const { status, text } = await ask(operation, { key: people.keys.read });
      // A key may always ask for a token of itself, rotate or revoke itself; another's it may not.
      assert.ok([403, 404].includes(status), `${operation.name}: ${status} ${text}`);
    } else if (!['GET /api/v1/events', 'GET /api/v1/auth/me'].includes(operation.name)) {
      const { status, text } = await ask(operation, { key: writer });
      assert.deepEqual([status, codeOf(text)], [403, 'INSUFFICIENT_SCOPE'], operation.name);
    }
  }
});

test('defect 32: to a key of another marketplace every record is one that does not exist, whatever it asks', async () => {
  for (const operation of operations.filter(({ surface, name }) => surface === 'A' && !PUBLIC.includes(name))) {
    if (!/\{/.test(operation.path) || operation.path.includes('/sandbox/')) continue;
    const known = await ask(operation, { key: people.keys.other, ids: 'known' });
    const unknown = await ask(operation, { key: people.keys.other, ids: 'unknown' });
    assert.deepEqual(
      [known.status, codeOf(known.text)],
      [unknown.status, codeOf(unknown.text)],
      `${operation.name} tells a foreign record from none: ${known.text} ${unknown.text}`,
    );
    assert.ok([400, 403, 404].includes(known.status), `${operation.name}: ${known.status}`);
  }
});

test('defect 32: the lists of another marketplace are empty, with and without the filters of ours', async () => {
  const lists = operations.filter(({ query, path }) => query.some(({ name }) => name === 'cursor') && !/\{/.test(path));
  assert.ok(lists.length >= 8);
  const mine = new Set((await list('/api/v1/orders', people.keys.everything)).items.map(idOf));
  assert.ok(mine.size > 0);
  for (const { path } of lists.filter((each) => !/marketplaces|api-keys|audit/.test(each.path))) {
    assert.deepEqual([path, (await list(path, people.keys.other)).items], [path, []]);
  }
  const { text: trail } = await list('/api/v1/audit/logs', people.keys.other);
  for (const id of [...people.userIds, ...mine]) assert.equal(trail.includes(id), false);
});

test('defect 37: a stream replays the events of its own marketplace alone, for a key and for the master key', async () => {
  const readStream = async (key: string, headers: Record<string, string> = {}): Promise<string> => {
    const controller = new AbortController();
    const response = await fetch(`${app.url}/api/v1/events?since=2020-01-01T00:00:00Z`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      signal: controller.signal,
    });
    assert.equal(response.status, 200);
    const decoder = new TextDecoder();
    let received = '';
    // The marker is the newest event of each marketplace, so every earlier event has arrived.
    for await (const chunk of response.body!) {
      received += decoder.decode(chunk, { stream: true });
      if (received.includes('marker-')) break;
    }
    controller.abort();
    return received;
  };
  const mark = async (key: string, name: string): Promise<void> => {
    const response = await fetch(`${app.url}/api/v1/users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ externalUserId: `marker-${name}` }),
    });
    assert.equal(response.status, 201);
  };
  await mark(people.keys.everything, 'ours');
  await mark(people.keys.other, 'theirs');
  const ours = [await readStream(people.keys.everything), await readStream(SECRETS.masterKey)];
  const theirs = [
    await readStream(people.keys.other),
    await readStream(people.keys.other, { 'x-marketplace-id': 'mkt_default' }),
    await readStream(SECRETS.masterKey, { 'x-marketplace-id': 'mkt_other' }),
  ];
  for (const received of ours) {
    assert.ok(received.includes('marker-ours') && received.includes(people.userIds[1]!));
    assert.equal(received.includes('mkt_other'), false);
  }
  for (const received of theirs) {
    assert.ok(received.includes('marker-theirs'));
    assert.equal(people.userIds.some((id) => received.includes(id)) || received.includes('mkt_default'), false);
  }
});

test('defect 40: every answer has the security headers and none lets a page of another origin read it', () => {
  for (const { operation, answer } of anonymousAnswers) {
    const { headers } = answer;
    assert.equal(headers.get('x-content-type-options'), 'nosniff', operation.name);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.equal(headers.get('access-control-allow-origin'), null);
    assert.equal(headers.get('x-powered-by') ?? headers.get('server'), null);
  }
});

test('defect 40: every text and every list that a caller can send has a published bound', () => {
  const unbounded: string[] = [];
  const collect = (schema: Schema, place: string): void => {
    const types = [schema.type ?? []].flat();
    const isOpen = !schema.enum && schema.const === undefined && !schema.format && !schema.pattern;
    if (types.includes('string') && isOpen && schema.maxLength === undefined) unbounded.push(place);
    if (types.includes('array') && schema.maxItems === undefined) unbounded.push(place);
    for (const [name, inner] of Object.entries(schema.properties ?? {})) collect(inner, `${place} ${name}`);
    if (schema.items) collect(schema.items, `${place}[]`);
    for (const branch of schema.anyOf ?? []) collect(branch, place);
  };
  for (const { name, body, query, params } of operations) {
    if (body) collect(body, name);
    for (const field of [...query, ...params]) collect(field.schema, `${name} ${field.name}`);
  }
  // No part of a path may be longer than 300; an address on the ledger has just one length, and anything else is 400.
  assert.deepEqual(unbounded, [
    'POST /api/v1/orders/{id}/milestones/{ref}/complete ref',
    'POST /wallets/connect public_key',
  ]);
});

test('the body of a webhook is read whatever its content type, also when the header is invalid', async () => {
  const receivers = operations.filter(({ path }) => path.includes('/webhooks/'));
  assert.equal(receivers.length, 2);
  for (const operation of receivers) {
    for (const type of [';', '/', 'application', 'text/plain', 'application/json']) {
      const { status, text } = await ask(operation, { headers: { 'content-type': type } });
      assert.notEqual(status, 415, `${operation.name} ${type}: ${text}`);
    }
  }
});

test('an unknown query parameter is refused by every operation, also by those without parameters', async () => {
  // The receiver of payments checks the signature first, and the payment provider may add parameters to the payer's URL.
  const others = ['POST /api/v1/webhooks/payment-provider', 'GET /api/v1/topups/{id}/callback'];
  const withOtherBody: string[] = [];
  for (const operation of operations.filter(({ name }) => !others.includes(name))) {
    const isA = operation.surface === 'A';
    const isOpen = PUBLIC.includes(operation.name);
    const key = isA ? SECRETS.masterKey : people.keys.person;
    const answer = await ask(operation, { ...(isOpen ? {} : { key }), ids: 'unknown', query: '?colour=red' });
    const { error, errors = error?.details.validationErrors } = JSON.parse(answer.text);
    assert.deepEqual([operation.name, answer.status], [operation.name, isA ? 400 : 422]);
    if (errors.includes('colour is not a known parameter')) continue;
    assert.ok(operation.body, `${operation.name}: ${errors}`);
    withOtherBody.push(operation.name);
  }
  // A body is checked before the query, and a sample does not fit every pattern of a body.
  assert.ok(withOtherBody.length < 5, withOtherBody.join());
});

const idOf = ({ id }: { id: string }): string => id;

const list = async (path: string, key: string): Promise<{ text: string; items: { id: string }[] }> => {
  const response = await fetch(app.url + path, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  return { text, items: JSON.parse(text).data.data };
};

const makeKey = async (scopes: string[]): Promise<{ key: string }> => {
  const response = await fetch(`${app.url}/api/v1/auth/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRETS.masterKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'access', scopes }),
  });
  return ((await response.json()) as { data: { key: string } }).data;
};
