// Secrets of wallets stay where they are: whatever is done, nothing that could sign appears in a table, a log line, an
// answer, an event or an error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { openSecret } from '../../server/src/ledger/keys/seal.ts';
import { type Answer, MARKETPLACE, openWallets, type WalletFixture } from './wallet-fixture.ts';

/** The secret in every spelling that could give it away. */
const spellings = (seed: Buffer): string[] => {
  const pair = Keypair.fromRawEd25519Seed(seed);
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return [
    pair.secret(),
    seed.toString('hex'),
    seed.toString('base64').replace(/=+$/, ''),
    seed.toString('base64url'),
    pkcs8.toString('base64').slice(22, 60),
    JSON.stringify([...seed]).slice(1, -1),
  ];
};

const tablesOf = async (fixture: WalletFixture): Promise<string> => {
  const names = await fixture.sql(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  assert.ok(names.length > 10);
  const texts = [];
  for (const { name } of names) {
    for (const row of await fixture.sql(`select t::text as text from public."${name}" t`)) texts.push(row.text);
  }
  return texts.join('\n');
};

test('no table, log line or answer holds a secret in any spelling, nor the key-encryption key', async (t) => {
  const fixture = await openWallets(t);
  const answers: Answer[] = [];
  const ada = await fixture.user();
  const bob = await fixture.user();
  await fixture.activate(ada.wallet);
  answers.push(ada.answer, bob.answer);
  for (const path of ['', '/wallet', '/wallet/deposit', '/wallet/transactions']) {
    answers.push(await fixture.call(`GET /users/${ada.id}${path}`));
  }
  const headers = { 'idempotency-key': 'f0e1d2c3-0000-4000-8000-000000000002' };
  const body = { publicKey: Keypair.random().publicKey() };
  answers.push(await fixture.call(`POST /users/${ada.id}/wallet/link`, { body, headers }));
  answers.push(await fixture.call('GET /users'));

  const tables = await tablesOf(fixture);
  const lines = fixture.logs.join('\n');
  const said = answers.map(({ text }) => text).join('\n');
  assert.ok(lines.length > 1_000);
  for (const { wallet } of [ada, bob]) {
    const place = { marketplaceId: MARKETPLACE, walletId: wallet.id, address: wallet.address };
    const seed = await openSecret(fixture.keeper, { sealed: wallet.sealedSecret!, place });
    for (const text of [
      ...spellings(seed),
      ...fixture.keks.flatMap(({ key }) => [key.toString('base64'), key.toString('hex')]),
    ]) {
      assert.ok(!tables.includes(text), 'in a table');
      assert.ok(!lines.includes(text), 'in a log line');
      assert.ok(!said.includes(text), 'in an answer');
    }
    assert.ok(tables.includes(wallet.sealedSecret!), 'the search would have found it');
    assert.ok(!lines.includes(wallet.sealedSecret!), 'not even sealed in a log line');
    assert.ok(!said.includes(wallet.sealedSecret!), 'not even sealed in an answer');
  }
  const elsewhere = await fixture.sql('select envelope from events');
  const audits = await fixture.sql('select payload_before, payload_after from audit_entries');
  assert.doesNotMatch(JSON.stringify([elsewhere, audits]), /sealed/i);
});

test('an error about a secret that does not open says nothing of it', async (t) => {
  const fixture = await openWallets(t);
  const { wallet } = await fixture.user();
  const place = { marketplaceId: 'mkt_other', walletId: wallet.id, address: wallet.address };
  const error = await openSecret(fixture.keeper, { sealed: wallet.sealedSecret!, place }).then(
    () => assert.fail('it opened'),
    (caught: Error) => caught,
  );
  const text = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
  for (const part of wallet.sealedSecret!.split('.').slice(2)) assert.ok(!text.includes(part));
  for (const { key } of fixture.keks) assert.ok(!text.includes(key.toString('base64')));
});
