// GET /reconciliation/breaks, by status, filter and page.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BreakKind } from '@holdfast/contract/states.ts';
import { fromUnits } from '../../server/src/books/money.ts';
import { MARKETPLACE, openDepositFixture } from '../ledger/deposit-fixture.ts';
import { type LedgerCall, openLedgerApi } from '../ledger/ledger-api.ts';
import { shareInFile } from '../support/share-in-file.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;
type Item = { kind: string; subject: string; isOpen: boolean };

const shared = shareInFile(async (t) => {
  const fixture = await openDepositFixture(t as TestContext);
  return { fixture, api: await openLedgerApi(t as TestContext, fixture) };
});

let made = 0;

/** The tests share a database; each has a marketplace of its own, and another one. */
const openBreaks = () => {
  const { fixture, api } = shared();
  const own = `mkt_own-${++made}`;
  const other = `mkt_other-${made}`;
  const see = (kind: BreakKind, subject: string, marketplaceId = own) =>
    fixture.breaks.see({ marketplaceId, kind, subject, expected: fromUnits(20_000_000n), actual: fromUnits(5n) });
  const call: LedgerCall = (request, ask = {}) =>
    api(request, { ...ask, key: ask.key?.includes('@') ? ask.key : `${ask.key ?? '*'}@${own}` });
  return { fixture, own, other, see, call };
};

const subjectsOf = async (call: LedgerCall, query = '', key?: string): Promise<string[]> => {
  const { status, body } = await call(`GET /reconciliation/breaks${query}`, key === undefined ? {} : { key });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.data.map(({ subject }: Item) => subject);
};

test('200 shows expected, actual, difference and age of each break', async () => {
  const { see, call } = openBreaks();
  await see('wallet-usdc', 'GA');
  const { status, body } = await call('GET /reconciliation/breaks', { key: 'read' });
  assert.equal(status, 200);
  const [{ firstSeenAt, lastSeenAt, ...item }] = body.data.data;
  assert.deepEqual(item, {
    id: 'wallet-usdc:GA',
    kind: 'wallet-usdc',
    subject: 'GA',
    expected: '2.0000000',
    actual: '0.0000005',
    difference: '-1.9999995',
    reason: null,
    owner: null,
    userId: null,
    orderId: null,
    isOpen: true,
    ageSeconds: 0,
    resolvedAt: null,
  });
  assert.ok(Math.abs(Date.parse(firstSeenAt) - Date.now()) < 60_000 && lastSeenAt === firstSeenAt);
  assert.deepEqual([body.data.success, body.data.hasMore, body.data.nextCursor], [true, false, null]);
});

test('200 names the owner of an address', async () => {
  const { fixture } = shared();
  const { marketplaceId, userId, address } = { marketplaceId: MARKETPLACE, ...(await fixture.user()) };
  const seen = { marketplaceId, expected: fromUnits(2n), actual: fromUnits(5n) };
  await fixture.breaks.see({ ...seen, kind: 'wallet-xlm', subject: address });
  await fixture.breaks.see({ ...seen, kind: 'short-funding', subject: 'ord_1' });
  const { body } = await shared().api('GET /reconciliation/breaks', { key: `read@${marketplaceId}` });
  const about = body.data.data.map(({ kind, owner, userId: user, orderId }: Any) => [kind, owner, user, orderId]);
  assert.deepEqual(about, [
    ['short-funding', null, null, 'ord_1'],
    ['wallet-xlm', 'user', userId, null],
  ]);
});

test('200 newest first, page by page, without a gap or a repeat', async () => {
  const { fixture, own, see, call } = openBreaks();
  for (const subject of ['GA', 'GB', 'GC', 'GD', 'GE']) await see('wallet-usdc', subject);
  // Seen in the same moment.
  await fixture.sql(
    `update breaks set first_seen_at = (select min(first_seen_at) from breaks where marketplace_id = $1)
     where marketplace_id = $1 and subject < 'GC'`,
    [own],
  );
  const seen: string[] = [];
  let query = '?limit=2';
  for (;;) {
    const { body } = await call(`GET /reconciliation/breaks${query}`);
    seen.push(...body.data.data.map(({ subject }: Item) => subject));
    if (!body.data.hasMore) break;
    query = `?limit=2&cursor=${body.data.nextCursor}`;
  }
  assert.deepEqual(seen, ['GE', 'GD', 'GC', 'GB', 'GA']);
});

test('200 filters by kind, subject, whether it is open and when it was first seen', async () => {
  const { fixture, own, see, call } = openBreaks();
  await see('wallet-usdc', 'GA');
  await see('wallet-xlm', 'GA');
  await see('wallet-xlm', 'GB');
  await fixture.breaks.resolve({ marketplaceId: own, kind: 'wallet-xlm', subject: 'GB' });
  assert.deepEqual(await subjectsOf(call, '?kind=wallet-xlm'), ['GB', 'GA']);
  assert.deepEqual(await subjectsOf(call, '?subject=GA&kind=wallet-usdc'), ['GA']);
  assert.deepEqual(await subjectsOf(call, '?open=true'), ['GA', 'GA']);
  assert.deepEqual(await subjectsOf(call, '?open=false'), ['GB']);
  const { body } = await call('GET /reconciliation/breaks?subject=GB');
  const at = body.data.data[0].firstSeenAt;
  assert.deepEqual(await subjectsOf(call, `?from=${at}`), ['GB']);
  assert.deepEqual(await subjectsOf(call, `?to=${at}`), ['GA', 'GA']);
  assert.deepEqual(await subjectsOf(call, `?from=${at}&to=${at}`), []);
});

test("200 shows the caller's marketplace and no other", async () => {
  const { other, see, call } = openBreaks();
  await see('wallet-usdc', 'GA');
  await see('wallet-usdc', 'GB', other);
  assert.deepEqual(await subjectsOf(call), ['GA']);
  assert.deepEqual(await subjectsOf(call, '', `read@${other}`), ['GB']);
});

test('400 VALIDATION_ERROR for a cursor, a limit, a kind or a flag that is none', async () => {
  const { call } = openBreaks();
  const nothing = Buffer.from('["yesterday","wallet-usdc","GA"]').toString('base64url');
  for (const query of [
    'cursor=nonsense',
    `cursor=${nothing}`,
    'limit=0',
    'limit=101',
    'kind=all',
    'open=maybe',
    'from=yesterday',
    'x=1',
  ]) {
    const { status, body } = await call(`GET /reconciliation/breaks?${query}`);
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR'], query);
  }
});

test('an open break fails the proof, and a resolved one does not', async () => {
  const { fixture, own, other, see, call } = openBreaks();
  const failing = async () => {
    const { body } = await call('GET /audit/proof');
    return body.data.checks.filter(({ holds }: { holds: boolean }) => !holds);
  };
  assert.deepEqual(await failing(), []);
  await see('wallet-usdc', 'GA');
  await see('wallet-usdc', 'GB', other);
  const detail = 'Open breaks between the books and the outside systems: 1.';
  assert.deepEqual(await failing(), [{ name: 'no-open-breaks', holds: false, detail }]);
  await fixture.breaks.resolve({ marketplaceId: own, kind: 'wallet-usdc', subject: 'GA' });
  assert.deepEqual(await failing(), []);
});
