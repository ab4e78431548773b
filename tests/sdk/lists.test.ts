// Lists as they are read: item by item over pages, page by page, or all at once with a bound.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from './fixture.ts';
import { passedOf } from './line.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

const openList = async (t: Parameters<typeof openFixture>[0]) => {
  const fixture = await openFixture(t);
  for (const externalUserId of NAMES) await fixture.client.users.create({ externalUserId });
  return fixture;
};

test('a list gives every item once, over as many pages as it takes, and asks for nothing before it is read', async (t) => {
  const { shaky, line } = await openList(t);
  const list = shaky.users.list({ limit: 3 });
  assert.equal(line.passed.length, 0);
  const names = (await Array.fromAsync(list)).map(({ externalUserId }) => externalUserId);
  assert.deepEqual(names.sort(), NAMES);
  assert.equal(passedOf(line, 'GET /api/v1/users').length, 3);
});

test('a loop that is left early requests no further page', async (t) => {
  const { shaky, line } = await openList(t);
  for await (const _ of shaky.users.list({ limit: 3 })) break;
  assert.equal(line.passed.length, 1);
});

test('a page says whether there is another, and its cursor leads there', async (t) => {
  const { client } = await openList(t);
  const first = await client.users.list({ limit: 5 }).page();
  assert.deepEqual([first.items.length, first.hasMore], [5, true]);
  const second = await client.users.list({ limit: 5, cursor: first.nextCursor! }).page();
  assert.deepEqual([second.items.length, second.hasMore, second.nextCursor], [2, false, null]);
  const sizes = (await Array.fromAsync(client.users.list({ limit: 5 }).pages())).map(({ items }) => items.length);
  assert.deepEqual(sizes, [5, 2]);
});

test('toArray holds at most what it was told and never leaves anything out', async (t) => {
  const { client } = await openList(t);
  assert.equal((await client.users.list({ limit: 2 }).toArray({ max: 7 })).length, 7);
  await assert.rejects(client.users.list({ limit: 2 }).toArray({ max: 6 }), RangeError);
});

test('a page that is lost on the way is asked for again, and nothing is missing', async (t) => {
  const { shaky, line } = await openList(t);
  line.play('cursor=', 'cut-answer');
  assert.equal((await shaky.users.list({ limit: 4 }).toArray({ max: 10 })).length, 7);
});
