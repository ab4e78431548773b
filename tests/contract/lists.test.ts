// What every list of Surface A has in common: the size of a page, cursors, and what it refuses. What a list shows and its own
// filters are in the file of the list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { type Row, tradeIn } from './order-fixture.ts';
import { assertNoTrace, readRefusal } from './refusals.ts';

const PREFIX = '/api/v1';

/** Every route that takes a cursor, about a user who exists where it is about one. A statement has sizes of its own. */
const listsOf = async (app: TestApp, userId: string): Promise<string[]> => {
  const { paths } = (await (await fetch(`${app.url}/docs/openapi.json`)).json()) as Row;
  return Object.entries<Row>(paths)
    .filter(([, { get }]) => get?.parameters.some(({ name }: Row) => name === 'cursor'))
    .map(([path]) => path.slice(PREFIX.length).replace(/\{[^}]+\}/, userId))
    .filter((path) => !path.endsWith('/statement'));
};

/** Lists of everything, and the sessions of operators, are for the master key. */
const asking = (path: string) =>
  path === '/marketplaces' || path.startsWith('/operators/') ? { key: MASTER_KEY } : {};

const BAD = [
  ...['limit=0', 'limit=101', 'limit=-1', 'limit=abc', 'limit=1.5', 'limit=', 'limit=1&limit=2'],
  ...['cursor=x', 'cursor=', 'cursor=key', 'cursor=evt_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'colour=red'],
];

test('400 VALIDATION_ERROR from every list for a limit, a cursor or a parameter that cannot be', async (t) => {
  const app = await openApp(t);
  const lists = await listsOf(app, await app.aUser());
  assert.ok(lists.length >= 12, lists.join());
  await assertNoTrace(app, async () => {
    for (const path of lists) {
      for (const query of BAD) {
        const refusal = readRefusal(await app.call(`GET ${path}?${query}`, asking(path)));
        assert.deepEqual([refusal.status, refusal.code], [400, 'VALIDATION_ERROR'], `${path}?${query}`);
        assert.ok(refusal.details.validationErrors.length > 0);
      }
    }
  });
});

test('200 from every list for a page of one and of a hundred, which says whether there is more', async (t) => {
  const app = await openApp(t);
  for (const path of await listsOf(app, await app.aUser())) {
    // Asks the ledger, which this server does not have: pages of any size are in wallet-transactions.
    if (path.endsWith('/wallet/transactions')) continue;
    // A user is no operator, no dispute and no statement.
    if (/^\/(operators|disputes|provider-statements)\//.test(path)) continue;
    for (const limit of [1, 100]) {
      const { status, body, text } = await app.call(`GET ${path}?limit=${limit}`, asking(path));
      assert.equal(status, 200, `${path}: ${text}`);
      const { data, hasMore, nextCursor } = body.data;
      assert.ok(data.length <= limit, path);
      assert.equal(hasMore, nextCursor !== null, path);
    }
  }
});

type Page = { readonly data: readonly Row[]; readonly hasMore: boolean; readonly nextCursor: string | null };

const pageOf = async (app: TestApp, path: string, query: string): Promise<Page> => {
  const answer = await app.call(`GET ${path}?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};

const idsOf = ({ data }: Page): string[] => data.map(({ id }) => id);

/** Pages of two with all that was there when the first one was read, although one more is added in between. */
const assertPages = async (app: TestApp, path: string, add: () => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < 3; i++) await add();
  const whole = await pageOf(app, path, 'limit=100');
  const ids = idsOf(whole);
  assert.deepEqual(ids, ids.toSorted().reverse(), `${path}: newest first`);
  assert.deepEqual([whole.hasMore, whole.nextCursor], [false, null]);
  const exact = await pageOf(app, path, `limit=${ids.length}`);
  assert.deepEqual([exact.hasMore, exact.nextCursor, exact.data.length], [false, null, ids.length], path);

  const pages = [await pageOf(app, path, 'limit=2')];
  await add();
  while (pages.at(-1)!.hasMore && pages.length < ids.length) {
    pages.push(await pageOf(app, path, `limit=2&cursor=${pages.at(-1)!.nextCursor}`));
  }
  assert.deepEqual(pages.flatMap(idsOf), ids, path);
  assert.equal(pages.length, Math.ceil(ids.length / 2), path);
  for (const page of pages.slice(0, -1)) assert.equal(page.nextCursor, page.data[1]!.id, path);
  assert.equal(pages.at(-1)!.nextCursor, null, path);
};

test('pages follow one another without a gap or a repeat, also when records are added in between', async (t) => {
  const app = await openApp(t);
  const { anOrder } = await tradeIn(app, {});
  await assertPages(app, '/users', () => app.aUser());
  await assertPages(app, '/orders', () => anOrder());
  await assertPages(app, '/auth/api-keys', () => app.key(['read']));
  await assertPages(app, '/audit/logs', () => app.aUser());
});

const COPIES = `insert into orders (marketplace_id, id, version, buyer_id, seller_id, amount, currency, title,
    client_order_ref, metadata, platform_fee_bps, status, created_at, updated_at)
  select marketplace_id, 'ord_' || lpad(n::text, 26, '0'), 1, buyer_id, seller_id, amount, currency, title, null,
    metadata, platform_fee_bps, status, created_at, updated_at
  from (select * from orders where id = $1) o, generate_series(1, 100) n`;

test('a page holds 20 records unless another size is asked for, and 100 at most', async (t) => {
  const app = await openApp(t);
  const { anOrder } = await tradeIn(app, {});
  await Promise.all(Array.from({ length: 99 }, () => app.aUser()));
  await app.sql(COPIES, [(await anOrder()).id]);
  for (const path of ['/users', '/orders', '/audit/logs']) {
    assert.equal((await pageOf(app, path, '')).data.length, 20, path);
    const largest = await pageOf(app, path, 'limit=100');
    assert.deepEqual([largest.data.length, largest.hasMore], [100, true], path);
    const ids = idsOf(largest);
    assert.deepEqual(ids, ids.toSorted().reverse(), path);
  }
});
