// The errors of an invalid request, and which spellings are the same field.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Fixture, openServer } from './server-fixture.ts';

let server: Fixture;
before(async () => {
  server = await openServer();
});
after(() => server.app.close());

const CREDIT = '/api/v1/users/u1/credit';
const THINGS = '/api/v1/things';

const errorsOfBody = async (body: unknown): Promise<string[]> => {
  const answer = await server.ask('POST', CREDIT, { key: 'writer', body });
  assert.equal(answer.status, 400);
  assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
  return answer.body.error.details.validationErrors;
};
const errorsOfQuery = async (query: string): Promise<string[]> => {
  const answer = await server.ask('GET', `${THINGS}?${query}`, { key: 'reader' });
  assert.equal(answer.status, 400);
  return answer.body.error.details.validationErrors;
};
const queryOf = async (query: string) => {
  const answer = await server.ask('GET', `${THINGS}?${query}`, { key: 'reader' });
  assert.equal(answer.status, 200);
  return answer.body.data.data[0].query;
};

test('every problem of a body is named at once, each with its field', async () => {
  const body = {
    colour: 1,
    kind: 'OTHER',
    note: '',
    dueAt: 'soon',
    buyerId: 5,
    milestones: [{ ref: 'a' }, { price: 1 }],
    metadata: [],
  };
  assert.deepEqual(
    new Set(await errorsOfBody(body)),
    new Set([
      'amount is required',
      'colour is not a known field',
      'kind must be one of GIFT, BONUS',
      'note must not be empty',
      'dueAt must be an ISO 8601 time with a zone, such as 2026-11-15T09:30:00Z',
      'buyerId must be a string',
      'milestones[1].ref is required',
      'milestones[1].price is not a known field',
      'metadata must be an object',
    ]),
  );
});

test('a list of problems ends at fifty, and a field name is not repeated at any length', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`field${i}`, i]));
  assert.equal((await errorsOfBody(many)).length, 50);
  assert.ok((await errorsOfBody({ amount: '1.00', ['x'.repeat(5_000)]: 1 }))[0]!.length < 150);
});

test('a time must exist and have a zone', async () => {
  const times: [string, boolean][] = [
    ['2026-11-15T09:30:00Z', true],
    ['2026-11-15T09:30:00.123456+05:30', true],
    ['2024-02-29T00:00:00Z', true],
    ['2026-02-29T00:00:00Z', false],
    ['2026-11-15', false],
    ['2026-11-15T09:30:00', false],
    ['2026-11-15T25:00:00Z', false],
    ['2026-11-15T09:30:00Z[Europe/Paris]', false],
    ['0000-01-01T00:00:00Z', false],
  ];
  for (const [dueAt, fine] of times) {
    const answer = await server.ask('POST', CREDIT, { key: 'writer', body: { amount: '1.00', dueAt } });
    assert.equal(answer.status, fine ? 200 : 400, dueAt);
  }
});

test('snake_case and camelCase are the same field, in bodies, lists within them and queries', async () => {
  const body = {
    amount: '1.00',
    buyer_id: 'b',
    due_at: '2026-11-15T09:30:00Z',
    milestones: [{ milestone_ref: 'm', unit_price: '1' }, { milestoneRef: 'n' }],
  };
  assert.equal((await server.ask('POST', CREDIT, { key: 'writer', body })).status, 200);
  assert.deepEqual(await queryOf('buyer_id=b&created_after=2026-11-15T09:30:00Z&limit=5'), {
    buyerId: 'b',
    createdAfter: '2026-11-15T09:30:00Z',
    limit: 5,
  });
});

test('both spellings at once are refused', async () => {
  assert.deepEqual(await errorsOfBody({ amount: '1.00', buyerId: 'a', buyer_id: 'a' }), [
    'buyerId and buyer_id are the same field: send only one of them',
  ]);
  assert.deepEqual(await errorsOfBody({ amount: '1.00', milestones: [{ ref: 'a', milestone_ref: 'b' }] }), [
    'milestones[0].ref and milestones[0].milestone_ref are the same field: send only one of them',
  ]);
  assert.deepEqual(await errorsOfQuery('buyerId=a&buyer_id=a'), [
    'buyerId and buyer_id are the same parameter: send only one of them',
  ]);
});

test('names inside metadata are left alone', async () => {
  const metadata = { buyer_id: 1, buyerId: 2, nested: { a_b: 1, aB: 2 } };
  const answer = await server.ask('POST', CREDIT, { key: 'writer', body: { amount: '1.00', metadata } });
  assert.deepEqual(answer.body.data.metadata, metadata);
});

test('metadata has a size, a depth and a length of keys it may not exceed', async () => {
  assert.deepEqual(await errorsOfBody({ amount: '1.00', metadata: { a: 'é'.repeat(5_000) } }), [
    'metadata must be at most 8192 bytes as JSON',
  ]);
  assert.deepEqual(await errorsOfBody({ amount: '1.00', metadata: { ['k'.repeat(65)]: 1 } }), [
    'metadata must not have keys longer than 64 characters',
  ]);
  const keys = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i]));
  assert.deepEqual(await errorsOfBody({ amount: '1.00', metadata: keys }), ['metadata must have at most 50 keys']);
  const deep = `{"amount":"1.00","metadata":{"a":${'['.repeat(50)}${']'.repeat(50)}}}`;
  const answer = await server.ask('POST', CREDIT, { key: 'writer', text: deep });
  assert.deepEqual(answer.body.error.details.validationErrors, ['metadata must not be nested deeper than 32 levels']);
});

test('a query is converted: numbers, flags, and a list from one or several values', async () => {
  assert.deepEqual(await queryOf('limit=7&deep=true&tags=a'), { limit: 7, deep: true, tags: ['a'] });
  assert.deepEqual(await queryOf('tags=a&tags=b'), { tags: ['a', 'b'], limit: 20 });
});

test('an invalid query is refused with the reason', async () => {
  assert.deepEqual(await errorsOfQuery('limit=101'), ['limit must be at most 100']);
  assert.deepEqual(await errorsOfQuery('limit=0'), ['limit must be at least 1']);
  for (const limit of ['1.5', 'ten', '', '1e1', '0x10', '%20'])
    assert.deepEqual(await errorsOfQuery(`limit=${limit}`), ['limit must be a whole number']);
  assert.deepEqual(await errorsOfQuery('limit=1&limit=2'), ['limit must be given only once']);
  assert.deepEqual(await errorsOfQuery('colour=red'), ['colour is not a known parameter']);
  assert.deepEqual(await errorsOfQuery('__proto__=a&__proto__=b'), ['__proto__ is not a known parameter']);
  assert.deepEqual(await errorsOfQuery('deep=yes'), ['deep must be true or false']);
});

test('an invalid path parameter is refused', async () => {
  const answer = await server.ask('GET', `${THINGS}/${'x'.repeat(61)}`, { key: 'reader' });
  assert.deepEqual(answer.body.error.details.validationErrors, ['id must be at most 60 characters long']);
});
