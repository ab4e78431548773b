// GET /users/{userId}/wallets, POST …/wallet/challenge and …/wallet/proof, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair, Networks, TransactionBuilder, WebAuth } from '@stellar/stellar-sdk';
import { PASSPHRASE, settle } from '../../tools/simulation/ledger-accounts.ts';
import { HURRIED } from '../payments/payment-fixture.ts';
import { openSharedWithdrawals, type WithdrawalFixture } from '../payments/withdrawal-fixture.ts';
import { codeOf } from '../support/app.ts';

const open = (...args: Parameters<typeof openSharedWithdrawals>) =>
  openSharedWithdrawals(args[0], { ledger: true, ...args[1] });

/** The signed challenge, as a wallet returns it. */
const signedBy = (
  transaction: string,
  { keys, network = PASSPHRASE }: { keys: Keypair[]; network?: string },
): string => {
  const read = TransactionBuilder.fromXDR(transaction, network);
  read.sign(...keys);
  return read.toXDR();
};

const linked = async ({ app, aPayee, expect }: WithdrawalFixture, key = Keypair.random()) => {
  const userId = await aPayee();
  const link = { body: { publicKey: key.publicKey() }, status: 201 };
  const wallet = await expect(`POST /users/${userId}/wallet/link`, link);
  const challenge = (body?: object) => app.call(`POST /users/${userId}/wallet/challenge`, { body });
  const prove = (transaction: unknown) => app.call(`POST /users/${userId}/wallet/proof`, { body: { transaction } });
  return { userId, key, wallet, challenge, prove };
};

test('200 with a challenge that a wallet of SEP-10 accepts, and nothing is stored', async (t) => {
  const fixture = await open(t);
  const { key, challenge } = await linked(fixture);
  const count = () => fixture.app.sql('select count(*) from events');
  const before = await count();
  const { status, body } = await challenge();
  assert.equal(status, 200);
  const { transaction, signedBy: server, homeDomain, networkPassphrase, publicKey, expiresAt } = body.data;
  assert.deepEqual([publicKey, networkPassphrase, homeDomain], [key.publicKey(), PASSPHRASE, 'localhost']);
  const read = WebAuth.readChallengeTx(transaction, server, PASSPHRASE, homeDomain, homeDomain);
  assert.deepEqual([read.clientAccountID, read.tx.sequence], [key.publicKey(), '0']);
  const { minTime, maxTime } = read.tx.timeBounds!;
  assert.equal(Number(maxTime) - Number(minTime), 900);
  assert.equal(Date.parse(expiresAt), Number(maxTime) * 1_000);
  const again = await challenge({ publicKey: key.publicKey() });
  assert.notEqual(again.body.data.transaction, transaction);
  assert.deepEqual(await count(), before);
});

test('200 marks the wallet as proved, once, with an event and an audit entry', async (t) => {
  const fixture = await open(t);
  const { userId, key, wallet, challenge, prove } = await linked(fixture);
  const signed = signedBy((await challenge()).body.data.transaction, { keys: [key] });
  const { status, body } = await prove(signed);
  assert.equal(status, 200);
  const { provedAt, ...rest } = body.data;
  assert.deepEqual(rest, wallet);
  assert.match(provedAt, /Z$/);
  const again = await prove(signed);
  assert.deepEqual([again.status, again.body.data], [200, body.data]);
  const events = await fixture.app.sql("select envelope from events where event_type = 'wallet.proved'");
  assert.deepEqual(
    events.map(({ envelope }) => JSON.parse(envelope).payload),
    [{ userId, walletId: wallet.id, ledgerAddress: key.publicKey(), provedAt }],
  );
  const entries = await fixture.app.sql(
    "select resource_id, user_id from audit_entries where action = 'WALLET_PROVED'",
  );
  assert.deepEqual(entries, [{ resource_id: wallet.id, user_id: userId }]);
  const relinked = await fixture.app.call(`POST /users/${userId}/wallet/link`, {
    body: { publicKey: key.publicKey() },
  });
  assert.deepEqual([relinked.status, relinked.body.data], [200, body.data]);
  const listed = await fixture.app.call(`GET /users/${userId}/wallets`);
  assert.deepEqual([listed.status, listed.body.data.data.length], [200, 2]);
  assert.deepEqual(listed.body.data.data[0], body.data);
  assert.deepEqual([listed.body.data.data[1].type, 'provedAt' in listed.body.data.data[1]], ['INVISIBLE', false]);
  const page = await fixture.app.call(`GET /users/${userId}/wallets?limit=1&cursor=${wallet.id}`);
  assert.deepEqual(
    page.body.data.data.map(({ type }: { type: string }) => type),
    ['INVISIBLE'],
  );
});

test('200 for an address with an account on the ledger', async (t) => {
  const fixture = await open(t);
  const { key, challenge, prove } = await linked(fixture, await settle(fixture.ledger));
  const signed = signedBy((await challenge()).body.data.transaction, { keys: [key] });
  assert.equal((await prove(signed)).status, 200);
});

test('400 VALIDATION_ERROR for a body of another form', async (t) => {
  const fixture = await open(t);
  const { userId, challenge, prove } = await linked(fixture);
  for (const answer of [
    await prove(undefined),
    await prove(7),
    await prove(''),
    await prove('A'.repeat(8_193)),
    await challenge({ publicKey: 7 }),
    await challenge({ address: 'G' }),
    await fixture.app.call(`GET /users/${userId}/wallets?cursor=nonsense`),
  ]) {
    assert.equal(codeOf(answer), '400 VALIDATION_ERROR');
  }
});

test('404 for an unknown user, a wallet of another user, and a user without a linked wallet', async (t) => {
  const fixture = await open(t);
  const { challenge } = await linked(fixture);
  const other = await linked(fixture);
  const unknown = 'usr_01J9ZQ8H7K5M3N2P4R6S8T0V1W';
  for (const path of ['challenge', 'proof']) {
    const ask = { body: path === 'proof' ? { transaction: 'AAAA' } : {} };
    assert.equal(codeOf(await fixture.app.call(`POST /users/${unknown}/wallet/${path}`, ask)), '404 USER_NOT_FOUND');
  }
  assert.equal(codeOf(await fixture.app.call(`GET /users/${unknown}/wallets`)), '404 USER_NOT_FOUND');
  assert.equal(codeOf(await challenge({ publicKey: other.key.publicKey() })), '404 WALLET_NOT_FOUND');
  const alone = await fixture.aPayee();
  assert.equal(codeOf(await fixture.app.call(`POST /users/${alone}/wallet/challenge`)), '404 WALLET_NOT_FOUND');
});

test('409 INVALID_STATE for the custodial wallet', async (t) => {
  const fixture = await open(t);
  const { userId, challenge } = await linked(fixture);
  const { body } = await fixture.app.call(`GET /users/${userId}/wallet`);
  assert.equal(codeOf(await challenge({ publicKey: body.data.publicKey })), '409 INVALID_STATE');
});

test('422 WALLET_PROOF_INVALID for every signature that proves nothing, and the wallet stays unproved', async (t) => {
  const fixture = await open(t);
  const { userId, key, challenge, prove } = await linked(fixture);
  const other = await linked(fixture);
  const transaction: string = (await challenge()).body.data.transaction;
  const theirs: string = (await other.challenge()).body.data.transaction;
  const stranger = Keypair.random();
  const own = WebAuth.buildChallengeTx(stranger, key.publicKey(), 'localhost', 900, PASSPHRASE, 'localhost');
  for (const [what, sent] of Object.entries({
    text: 'not a transaction',
    unsigned: transaction,
    'of another key': signedBy(transaction, { keys: [stranger] }),
    'with a second key': signedBy(transaction, { keys: [key, stranger] }),
    'for another network': signedBy(transaction, { keys: [key], network: Networks.PUBLIC }),
    'of another user': signedBy(theirs, { keys: [other.key] }),
    'not made by the server': signedBy(own, { keys: [key] }),
  })) {
    const answer = await prove(sent);
    assert.equal(codeOf(answer), '422 WALLET_PROOF_INVALID', what);
    assert.ok(answer.body.error.details.reason.length > 10, what);
  }
  const { body } = await fixture.app.call(`GET /users/${userId}/wallets`);
  assert.ok(body.data.data.every((wallet: object) => !('provedAt' in wallet)));
});

test('504 PROVIDER_TIMEOUT while the ledger cannot say which keys may sign, and nothing changes', async (t) => {
  const fixture = await open(t, { env: HURRIED });
  const { key, challenge, prove } = await linked(fixture);
  const signed = signedBy((await challenge()).body.data.transaction, { keys: [key] });
  fixture.arm({ operation: 'account', fault: 'timeout', count: 9, match: key.publicKey() });
  assert.equal(codeOf(await prove(signed)), '504 PROVIDER_TIMEOUT');
  fixture.sandbox.faults.clear();
  assert.equal((await prove(signed)).status, 200);
});
