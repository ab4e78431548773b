// GET /sandbox/state and POST /sandbox/faucet, by status: only what is the marketplace's own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openSandboxRoutes } from './sandbox-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

const shared = shareInFile(openSandboxRoutes);

test("200 shows the marketplace's payins, accounts and contracts, and nothing of another's", async () => {
  const { app, callSandbox, parties, anOrder, expect, stranger } = shared();
  const who = await parties();
  const order = await anOrder({ at: 'IN_PROGRESS', between: who });
  const topup = await expect('POST /topups', { body: { userId: who.buyer, amount: '25.00' }, status: 201 });
  const state = await callSandbox('GET /sandbox/state');
  assert.deepEqual(
    state.payins.map(({ topupId, status, amount }: Any) => ({ topupId, status, amount })),
    [{ topupId: topup.id, status: 'CREATED', amount: '25.00' }],
  );
  assert.deepEqual(
    state.contracts.map(({ contractId, orderId, amount, balances }: Any) => [
      contractId,
      orderId,
      amount,
      balances.USDC,
    ]),
    [[order.escrow.providerContractId, order.id, '100.00', '100.0000000']],
  );
  const owners = state.accounts.map(({ owner, userId }: Any) => userId ?? owner);
  for (const owner of [who.buyer, who.seller, 'treasury', 'platform']) assert.ok(owners.includes(owner), owner);

  await app.aUser({ key: stranger });
  const { payins, payouts, contracts, webhooks, accounts } = (await app.call('GET /sandbox/state', { key: stranger }))
    .body.data;
  assert.deepEqual([payins, payouts, contracts, webhooks], [[], [], [], []]);
  const own = new Set(state.accounts.map(({ address }: Any) => address));
  assert.ok(accounts.every(({ address }: Any) => !own.has(address)));
});

test("200 pays play money to a user's address, which is then a deposit in the books", async () => {
  const { app, callSandbox, parties, addressOf, balance } = shared();
  const { seller } = await parties();
  const address = await addressOf(seller);
  const { transactionHash } = await callSandbox('POST /sandbox/faucet', { address, asset: 'USDC', amount: '25.50' });
  assert.match(transactionHash, /^[0-9a-f]{64}$/);
  await until(async () => (await balance(seller)).available === '25.50', 'the deposit is in the books');
  const rows = await app.sql('select user_id from deposits where transaction_hash = $1', [transactionHash]);
  assert.deepEqual(rows, [{ user_id: seller }]);
});

test("404 WALLET_NOT_FOUND for an address that is not the marketplace's, and nothing is paid", async () => {
  const { refused, parties, addressOf, atRest, simulator, stranger } = shared();
  const { buyer, seller } = await parties();
  await addressOf(buyer);
  const address = await addressOf(seller);
  await atRest();
  const paid = async () => (await simulator('GET /state')).transactions.length;
  const before = await paid();
  const body = { address, asset: 'XLM', amount: '1' };
  assert.equal((await refused('POST /sandbox/faucet', { body, key: stranger })).code, '404 WALLET_NOT_FOUND');
  assert.equal(await paid(), before);
});

test('400 VALIDATION_ERROR for an asset or an amount that is none, and for an account that cannot take it', async () => {
  const { refused, parties, app, addressOf } = shared();
  const { seller } = await parties();
  const address = await addressOf(seller);
  for (const more of [
    { asset: 'EUR', amount: '1' },
    { asset: 'XLM', amount: '-1' },
    { asset: 'XLM', amount: '0.00' },
  ]) {
    assert.equal((await refused('POST /sandbox/faucet', { body: { address, ...more } })).code, '400 VALIDATION_ERROR');
  }
  // An address of ours that no longer, or not yet, lives on the ledger.
  const absent = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
  await app.sql('update wallets set address = $1 where address = $2', [absent, address]);
  const body = { address: absent, asset: 'XLM', amount: '1' };
  const { code, details } = await refused('POST /sandbox/faucet', { body });
  assert.equal(code, '400 VALIDATION_ERROR');
  assert.match(details.validationErrors[0], /does not exist/);
});
