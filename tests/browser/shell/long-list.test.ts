// Long lists: a refetch takes two requests, no row is lost or shown twice, and the names in the rows are loaded
// together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page as Answer } from '@holdfast/sdk';
import { eachOnce, mergePage, stepAt } from '../../../console/src/parts/lists/page-merge.ts';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openBrowser } from '../support/browser-fixture.ts';

type Row = { readonly id: string };

const page = (ids: string, nextCursor: string | null): Answer<Row> => ({
  items: [...ids].map((id) => ({ id })),
  hasMore: nextCursor !== null,
  nextCursor,
});

const idsIn = ({ items }: Answer<Row>): string => items.map(({ id }) => id).join('');

test('rows pushed off a page stay, removed rows go, and a page without a common row restarts the list', () => {
  assert.equal(idsIn(mergePage(page('abcd', 'd'), page('xyab', 'b'))), 'xyabcd');
  assert.equal(mergePage(page('abcd', 'd'), page('xyab', 'b')).nextCursor, 'd');
  assert.equal(idsIn(mergePage(page('abcd', 'd'), page('acde', 'e'))), 'acde');
  assert.deepEqual(mergePage(page('abcd', 'd'), page('wxyz', 'z')), page('wxyz', 'z'));
  assert.deepEqual(mergePage(page('abcd', 'd'), page('ab', null)), page('ab', null));
  assert.deepEqual(eachOnce(page('abcab', null).items), page('abc', null).items);
});

test('a refetch loads the first page and one other page, and every page has its turn', () => {
  const shown = { pages: [page('ab', 'b'), page('cd', 'd'), page('ef', 'f')], pageParams: [undefined, 'b', 'd'] };
  const steps = (turn: number) => [undefined, 'b', 'd'].map((cursor) => stepAt(shown, { cursor, turn })).join(' ');
  assert.equal(steps(1), 'fetch keep fetch');
  assert.equal(steps(2), 'fetch fetch keep');
  assert.equal(stepAt(shown, { cursor: 'f', turn: 1 }), 'fetch');
  assert.equal(stepAt(shown, { cursor: 'new', turn: 1 }), 'skip');
});

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t, { sandbox: false });
  const made = Array.from({ length: 65 }, (_, at) =>
    fixture.app.call('POST /users', { body: { externalUserId: `many-${at}` } }),
  );
  const people: string[] = [];
  for (const { status, text, body } of await Promise.all(made)) {
    assert.equal(status, 201, text);
    people.push(body.data.id);
  }
  return { fixture, people, shown: await fixture.open('/health') };
});

test('the names of twenty buyers and twenty sellers are loaded in one request', async () => {
  const { fixture, people, shown } = shared();
  const trade = await tradeIn(fixture.app, {});
  for (let at = 0; at < 40; at += 2) {
    const between = { buyer: people[at]!, seller: people[at + 1]! };
    await trade.anOrder({ between, amount: '5.00', title: `Order ${at}` });
  }
  const names: string[] = [];
  shown.on('request', (request) => {
    if (request.url().includes('/api/v1/users')) names.push(request.url());
  });
  await shown.getByRole('link', { name: 'Orders' }).click();
  await shown.getByRole('row', { name: /Order 38 .*many-.*many-/ }).waitFor();
  assert.ok(names.length > 0 && names.length < 6, names.join('\n'));
});

test('three pages of users take two requests when a user is created', async () => {
  const { fixture, shown } = shared();
  await goTo(shown, '/users');
  await shown.getByText('Live', { exact: true }).waitFor();
  for (const count of [40, 60]) {
    await shown.getByRole('button', { name: 'Load more' }).click();
    await shown.getByText(`${count} users so far`).waitFor();
  }
  const requested: string[] = [];
  shown.on('request', (request) => {
    if (/\/api\/v1\/users(\?|$)/.test(request.url())) requested.push(request.url());
  });
  await fixture.app.aUser({ available: '5.00' });
  await shown.getByText('61 users so far').waitFor();
  const others = requested.filter((url) => url.includes('cursor='));
  assert.ok(requested.length > 0 && others.length <= requested.length - others.length, requested.join('\n'));
  await shown.getByRole('button', { name: 'Load more' }).click();
  await shown.getByText('68 users', { exact: true }).waitFor();
});
