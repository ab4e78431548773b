// GET /users/{userId}/wallet, by status.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import { faucet, perform, settle } from '../../tools/simulation/ledger-accounts.ts';
import { MARKETPLACE, openWallets, type WalletFixture } from '../ledger/wallet-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

/** All tests of this file use it; each has users of its own. */
const server = shareInFile((t) => openWallets(t as TestContext));

let bare = 0;

/** As users were before there were wallets. */
const bareUser = async (fixture: WalletFixture): Promise<string> => {
  const input = {
    externalUserId: `bare-${++bare}`,
    email: null,
    type: 'BOTH',
    metadata: {},
    baseCurrency: 'USD',
  } as const;
  const outcome = await fixture.submit({ command: createUser, input, context: fixture.contextOf(MARKETPLACE) });
  assert.ok(outcome.kind === 'reply');
  return outcome.reply.user.id;
};

test('200 with zeros and not active while the account is still to be made, without asking the ledger', async () => {
  const fixture = server();
  const { id, wallet } = await fixture.user();
  fixture.ledger.sandbox.faults.arm({ operation: 'account', fault: 'outage', count: 100 });
  const answer = await fixture.call(`GET /users/${id}/wallet`);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body.data, {
    id: wallet.id,
    publicKey: wallet.address,
    type: 'INVISIBLE',
    provider: 'STELLAR',
    isActive: false,
    isPrimary: true,
    balance: { usdc: '0.0000000', xlm: '0.0000000' },
    createdAt: wallet.createdAt,
  });
  fixture.ledger.sandbox.faults.clear();
});

test('200 with what the ledger shows right now, to the last place', async () => {
  const fixture = server();
  const { id, wallet } = await fixture.user();
  await fixture.activate(wallet);
  await faucet(fixture.ledger, { address: wallet.address, asset: 'USDC', amount: '12.3456789' });
  const { data } = (await fixture.call(`GET /users/${id}/wallet`)).body;
  assert.equal(data.isActive, true);
  assert.deepEqual(data.balance, { usdc: '12.3456789', xlm: '9999.9999900' });
  await faucet(fixture.ledger, { address: wallet.address, asset: 'USDC', amount: '0.0000001' });
  assert.equal((await fixture.call(`GET /users/${id}/wallet`)).body.data.balance.usdc, '12.3456790');
});

test('504 PROVIDER_TIMEOUT when the ledger cannot be asked: never a zero', async (t) => {
  const fixture = await openWallets(t, { timeoutMs: 500 });
  const { id, wallet } = await fixture.user();
  await fixture.activate(wallet);
  fixture.ledger.sandbox.faults.arm({ operation: 'account', fault: 'outage', count: 100 });
  await fixture.ledger.sandbox.close();
  for (const path of ['wallet', 'wallet/transactions']) {
    const { status, body } = await fixture.call(`GET /users/${id}/${path}`);
    assert.deepEqual(
      [status, body.error.code, body.error.details.provider],
      [504, 'PROVIDER_TIMEOUT', 'ledger-network'],
    );
  }
});

test('404 names what is missing: the user, or the wallet of a user without one', async () => {
  const fixture = server();
  const { id } = await fixture.user();
  const without = await bareUser(fixture);
  for (const path of ['wallet', 'wallet/deposit', 'wallet/transactions']) {
    const codeOf = async (userId: string, marketplaceId = MARKETPLACE) => {
      const { status, body } = await fixture.call(`GET /users/${userId}/${path}`, { marketplaceId });
      return [status, body.error?.code];
    };
    assert.deepEqual(await codeOf('usr_unknown'), [404, 'USER_NOT_FOUND']);
    assert.deepEqual(await codeOf(without), [404, 'WALLET_NOT_FOUND']);
    assert.deepEqual(await codeOf(id, 'mkt_other'), [404, 'USER_NOT_FOUND']);
  }
});

test('a user whose only wallet is an external one sees its balance, or that it is not on the ledger', async () => {
  const fixture = server();
  const id = await bareUser(fixture);
  const publicKey = Keypair.random().publicKey();
  assert.equal(
    (await fixture.call(`POST /users/${id}/wallet/link`, { body: { publicKey } })).body.data.isPrimary,
    true,
  );
  assert.equal((await fixture.call(`GET /users/${id}`)).body.data.ledgerAddress, publicKey);
  const before = (await fixture.call(`GET /users/${id}/wallet`)).body.data;
  assert.deepEqual([before.type, before.isActive, before.balance.xlm], ['EXTERNAL', false, '0.0000000']);
  await fixture.network.friendbot(publicKey);
  const after = (await fixture.call(`GET /users/${id}/wallet`)).body.data;
  assert.deepEqual([after.isActive, after.balance.xlm], [true, '10000.0000000']);
  const deposit = await fixture.call(`GET /users/${id}/wallet/deposit`);
  assert.deepEqual([deposit.status, deposit.body.error.code], [404, 'WALLET_NOT_FOUND']);
});

test('an asset of the same name by another issuer is not shown as ours', async () => {
  const fixture = server();
  const id = await bareUser(fixture);
  const person = await settle(fixture.ledger, { usdc: '2' });
  const forger = await settle(fixture.ledger);
  const forged = new Asset('USDC', forger.publicKey());
  await perform(fixture.ledger, { by: person, operations: [Operation.changeTrust({ asset: forged })] });
  const payment = Operation.payment({ destination: person.publicKey(), asset: forged, amount: '1000000' });
  await perform(fixture.ledger, { by: forger, operations: [payment] });
  await fixture.call(`POST /users/${id}/wallet/link`, { body: { publicKey: person.publicKey() } });
  assert.equal((await fixture.call(`GET /users/${id}/wallet`)).body.data.balance.usdc, '2.0000000');
});
