// GET /users/{userId}/wallet/transactions, by status.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { faucet, settle } from '../../tools/simulation/ledger-accounts.ts';
import { openWallets } from '../ledger/wallet-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

/** All tests of this file use it; each has users of its own. */
const server = shareInFile((t) => openWallets(t as TestContext));

test('200 with an empty page while there is no account', async () => {
  const fixture = server();
  const { id } = await fixture.user();
  const { status, body } = await fixture.call(`GET /users/${id}/wallet/transactions`);
  assert.equal(status, 200);
  assert.deepEqual(body.data, { success: true, data: [], hasMore: false, nextCursor: null });
});

test('200 with what came and what went, newest first, with every field', async () => {
  const fixture = server();
  const { id, wallet } = await fixture.user();
  await fixture.activate(wallet);
  const paid = await faucet(fixture.ledger, { address: wallet.address, asset: 'USDC', amount: '7.0000001' });
  const friend = await settle(fixture.ledger);
  await fixture.pay(wallet, { to: friend.publicKey(), units: 10_000_000n });
  const { body } = await fixture.call(`GET /users/${id}/wallet/transactions`);
  const [out, deposit, birth, ...more] = body.data.data;
  assert.equal(more.length, 0);
  assert.deepEqual(
    [out.type, out.from, out.to, out.amount],
    ['PAYMENT', wallet.address, friend.publicKey(), '1.0000000'],
  );
  const { id: paymentId, createdAt, from, ...rest } = deposit;
  assert.match(paymentId, /^\d+$/);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT/);
  assert.match(from, /^G/);
  assert.deepEqual(rest, {
    type: 'PAYMENT',
    to: wallet.address,
    amount: '7.0000001',
    asset: { code: 'USDC', issuer: fixture.ledger.issuer },
    hash: paid.hash,
    successful: true,
  });
  assert.deepEqual(
    [birth.type, birth.amount, birth.asset],
    ['CREATE_ACCOUNT', '10000.0000000', { code: 'XLM', issuer: null }],
  );
});

test('pages of any size give every payment once, in one order, and say when there is no more', async () => {
  const fixture = server();
  const { id, wallet } = await fixture.user();
  await fixture.activate(wallet);
  for (let i = 1; i <= 6; i++) await faucet(fixture.ledger, { address: wallet.address, asset: 'USDC', amount: `${i}` });
  const whole = (await fixture.call(`GET /users/${id}/wallet/transactions`)).body.data.data;
  assert.equal(whole.length, 7);
  for (const limit of [1, 3, 7, 100]) {
    const items: unknown[] = [];
    let cursor: string | null = '';
    let pages = 0;
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { data } = (await fixture.call(`GET /users/${id}/wallet/transactions?limit=${limit}${query}`)).body;
      assert.ok(data.data.length <= limit);
      assert.equal(data.hasMore, data.nextCursor !== null);
      items.push(...data.data);
      cursor = data.nextCursor;
      pages += 1;
    }
    assert.deepEqual(items, whole, `pages of ${limit}`);
    assert.equal(pages, Math.ceil(7 / limit));
  }
});

test('400 VALIDATION_ERROR for a cursor that cannot be', async () => {
  const fixture = server();
  const { id } = await fixture.user();
  for (const query of ['cursor=abc', 'cursor=-1', `cursor=${'9'.repeat(19)}`]) {
    const { status, body } = await fixture.call(`GET /users/${id}/wallet/transactions?${query}`);
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR'], query);
  }
});
