// GET /users/{userId}/wallet/deposit, by status.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';
import { openWallets } from '../ledger/wallet-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

/** All tests of this file use it; each has users of its own. */
const server = shareInFile((t) => openWallets(t as TestContext));

test('200 with the address, the asset with its issuer, and the network', async () => {
  const fixture = server();
  const { id, wallet } = await fixture.user();
  const answer = await fixture.call(`GET /users/${id}/wallet/deposit`);
  assert.equal(answer.status, 200);
  const { instructions, ...rest } = answer.body.data;
  assert.deepEqual(rest, {
    provider: 'crypto',
    method: 'stellar_address',
    address: wallet.address,
    asset: { code: 'USDC', issuer: fixture.ledger.issuer },
    network: PASSPHRASE,
  });
  assert.match(instructions, /Send USDC .+ wait until the wallet is active/);
});

// The last one, because it stops the ledger.
test('200 no longer asks for patience once the wallet is active, and needs no ledger to say so', async () => {
  const fixture = server();
  const { id, wallet } = await fixture.user();
  await fixture.activate(wallet);
  await fixture.ledger.sandbox.close();
  const { status, body } = await fixture.call(`GET /users/${id}/wallet/deposit`);
  assert.equal(status, 200);
  assert.doesNotMatch(body.data.instructions, /wait/);
});
