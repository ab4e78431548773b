// GET /users, by status. Pages, limits and cursors: lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { assertNoTrace, readRefusal } from './refusals.ts';

type Listed = { id: string };

const list = async (app: TestApp, query = '') => {
  const answer = await app.call(`GET /users${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.data.success, true);
  return answer.body.data;
};

const idsOf = async (app: TestApp, query = ''): Promise<string[]> =>
  (await list(app, query)).data.map((user: Listed) => user.id);

const create = async (app: TestApp, body: object): Promise<string> =>
  (await app.call('POST /users', { body })).body.data.id;

test('200 lists newest first, each user as the single read shows it', async (t) => {
  const app = await openApp(t);
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift(await app.aUser({ available: `${i + 1}.00` }));
  const page = await list(app);
  assert.deepEqual([page.hasMore, page.nextCursor], [false, null]);
  assert.deepEqual(
    page.data.map((user: Listed) => user.id),
    ids,
  );
  for (const user of page.data) assert.deepEqual(user, (await app.call(`GET /users/${user.id}`)).body.data);
});

test('200 with an empty list in a marketplace without users', async (t) => {
  const app = await openApp(t);
  assert.deepEqual(await list(app), { success: true, data: [], hasMore: false, nextCursor: null });
});

test('each filter keeps what it names, and filters add up', async (t) => {
  const app = await openApp(t);
  const ada = await create(app, { externalUserId: 'ada', email: 'ada@example.com', type: 'BUYER' });
  const bob = await create(app, { externalUserId: 'bob', email: 'bob@example.com', type: 'SELLER' });
  const cyd = await create(app, { externalUserId: 'cyd', email: 'ada@example.com' });
  await app.call(`POST /users/${bob}/suspend`);
  assert.deepEqual(await idsOf(app, '?status=ACTIVE'), [cyd, ada]);
  assert.deepEqual(await idsOf(app, '?status=SUSPENDED'), [bob]);
  assert.deepEqual(await idsOf(app, '?status=PENDING_VERIFICATION'), []);
  assert.deepEqual(await idsOf(app, '?type=BUYER'), [ada]);
  assert.deepEqual(await idsOf(app, '?type=BOTH'), [cyd]);
  assert.deepEqual(await idsOf(app, '?externalUserId=bob'), [bob]);
  assert.deepEqual(await idsOf(app, '?external_user_id=bob'), [bob]);
  assert.deepEqual(await idsOf(app, '?email=ada@example.com'), [cyd, ada]);
  assert.deepEqual(await idsOf(app, '?email=ada@example.com&type=BUYER'), [ada]);
  assert.deepEqual(await idsOf(app, '?status=ACTIVE&limit=1'), [cyd]);
});

test('createdAfter and createdBefore leave out the very moment they name', async (t) => {
  const app = await openApp(t);
  const ids = [await app.aUser(), await app.aUser(), await app.aUser()];
  const { createdAt } = (await app.call(`GET /users/${ids[1]}`)).body.data;
  assert.deepEqual(await idsOf(app, `?createdAfter=${createdAt}`), [ids[2]]);
  assert.deepEqual(await idsOf(app, `?created_after=${createdAt}`), [ids[2]]);
  assert.deepEqual(await idsOf(app, `?createdBefore=${createdAt}`), [ids[0]]);
  assert.deepEqual(await idsOf(app, `?created_before=${createdAt}&createdAfter=${createdAt}`), []);
});

test('one marketplace never lists the users of another', async (t) => {
  const app = await openApp(t);
  const a = await app.key(['*'], 'mkt_a');
  const b = await app.key(['*'], 'mkt_b');
  const ofA = await app.aUser({ key: a });
  const ofB = await app.aUser({ key: b });
  const seen = async (key: string, query = '') =>
    (await app.call(`GET /users${query}`, { key })).body.data.data.map((user: Listed) => user.id);
  assert.deepEqual([await seen(a), await seen(b)], [[ofA], [ofB]]);
  // A cursor is a place in the order and no way in.
  assert.deepEqual(await seen(a, `?cursor=${ofB}`), ofA < ofB ? [ofA] : []);
});

test('400 VALIDATION_ERROR on a bad filter', async (t) => {
  const app = await openApp(t);
  await app.aUser();
  const bad = [
    'cursor=usr_01ARZ3NDEKTSV4RRFFQ69G5FA',
    'status=GONE',
    'type=ALIEN',
    'email=nope',
    'createdAfter=yesterday',
    'createdBefore=2026-13-01T00:00:00Z',
    'createdAfter=2026-01-01T00:00:00Z&created_after=2026-01-01T00:00:00Z',
  ];
  await assertNoTrace(app, async () => {
    for (const query of bad) {
      const { status, code, details } = readRefusal(await app.call(`GET /users?${query}`));
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], query);
      assert.ok(details.validationErrors.length > 0);
    }
  });
});
