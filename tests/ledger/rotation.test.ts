// Rotation of the key-encryption key: every wallet comes under the newest one, no secret is touched, and it can be
// stopped and started again at any moment.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Submit } from '../../server/src/commit/command.ts';
import type { Kek } from '../../server/src/ledger/keys/key-keeper.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { rotateWallets } from '../../server/src/ledger/keys/rotation.ts';
import { openSecret } from '../../server/src/ledger/keys/seal.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { MARKETPLACE, openWallets, type WalletFixture } from './wallet-fixture.ts';

const kek = (version: number): Kek => ({ version, key: randomBytes(32) });

const sealsOf = async (fixture: WalletFixture): Promise<{ keyIds: string[]; secrets: string[] }> => {
  const rows = await fixture.sql('select sealed_secret from wallets where sealed_secret is not null order by address');
  const parts = rows.map((row) => row.sealed_secret.split('.'));
  return { keyIds: [...new Set(parts.map((part) => part[1]))].sort(), secrets: parts.map((part) => part[3]) };
};

const rotate = (fixture: WalletFixture, keks: readonly Kek[], submit: Submit = fixture.submit) =>
  rotateWallets({ wallets: fixture.wallets, keeper: keepKeks(keks), submit, batch: 3 });

test('every wallet of every marketplace is sealed by the newest key, and no sealed secret changes', async (t) => {
  const fixture = await openWallets(t);
  for (let i = 0; i < 7; i++) await fixture.user();
  for (let i = 0; i < 4; i++) await fixture.user({ marketplaceId: 'mkt_other' });
  const before = await sealsOf(fixture);
  const keks = [kek(2), ...fixture.keks];
  assert.deepEqual(await rotate(fixture, keks), { done: 11, of: 11 });
  assert.deepEqual(await sealsOf(fixture), { keyIds: ['2'], secrets: before.secrets });
  const entries = await fixture.sql(`select * from audit_entries where action = 'WALLET_KEY_ROTATED'`);
  assert.equal(entries.length, 11);
  assert.deepEqual(JSON.parse(entries[0].payload_before), { keyEncryptionKey: '1' });
  assert.deepEqual(JSON.parse(entries[0].payload_after), { keyEncryptionKey: '2' });
  assert.deepEqual(await rotate(fixture, keks), { done: 0, of: 0 }, 'a second run finds nothing to do');
});

test('after a rotation the newest key alone opens every wallet, and the old one none', async (t) => {
  const fixture = await openWallets(t);
  const { wallet } = await fixture.user();
  const fresh = kek(2);
  await rotate(fixture, [fresh, ...fixture.keks]);
  const rotated = (await fixture.wallets.find(MARKETPLACE, wallet.id))!;
  const ask = {
    sealed: rotated.sealedSecret!,
    place: { marketplaceId: MARKETPLACE, walletId: wallet.id, address: wallet.address },
  };
  const secret = await openSecret(keepKeks([fresh]), ask);
  assert.deepEqual(secret, await openSecret(fixture.keeper, { ...ask, sealed: wallet.sealedSecret! }));
  await assert.rejects(openSecret(fixture.keeper, ask), /key-encryption key 2 is missing/);
});

test('a rotation that breaks off in the middle is finished by the next run, from where it stopped', async (t) => {
  const fixture = await openWallets(t);
  for (let i = 0; i < 10; i++) await fixture.user();
  const keks = [kek(2), ...fixture.keks];
  let batches = 0;
  const breaking: Submit = (submission) => {
    batches += 1;
    if (batches === 3) throw new Error('the power went');
    return fixture.submit(submission);
  };
  await assert.rejects(rotate(fixture, keks, breaking), /the power went/);
  assert.deepEqual((await sealsOf(fixture)).keyIds, ['1', '2']);
  assert.deepEqual(await rotate(fixture, keks), { done: 4, of: 4 });
  assert.deepEqual((await sealsOf(fixture)).keyIds, ['2']);
});

test('without a key that rows still need, nothing is changed, and the sentence says which and how many', async (t) => {
  const fixture = await openWallets(t);
  for (let i = 0; i < 3; i++) await fixture.user();
  const before = await fixture.sql('select * from wallets order by id');
  await assert.rejects(
    rotate(fixture, [kek(3)]),
    /^Error: Nothing was changed: WALLET_KEK lacks the key-encryption key 1 \(3 wallets\)\. Add it/,
  );
  assert.deepEqual(await fixture.sql('select * from wallets order by id'), before);
});

test('two rotations at once do each wallet once', async (t) => {
  const fixture = await openWallets(t);
  for (let i = 0; i < 9; i++) await fixture.user();
  const keks = [kek(2), ...fixture.keks];
  const [one, other] = await Promise.all([rotate(fixture, keks), rotate(fixture, keks)]);
  assert.equal(one.done + other.done, 9);
  const [{ count }] = await fixture.sql(
    `select count(*)::int as count from audit_entries where action = 'WALLET_KEY_ROTATED'`,
  );
  assert.equal(count, 9);
});

test('users are created, and a wallet signs, while the rotation runs', async (t) => {
  const fixture = await openWallets(t);
  const first = await fixture.user();
  for (let i = 0; i < 6; i++) await fixture.user();
  const keks = [kek(2), ...fixture.keks];
  const [progress] = await Promise.all([
    rotate(fixture, keks),
    fixture.activate(first.wallet),
    ...Array.from({ length: 5 }, () => fixture.user()),
  ]);
  assert.ok(progress.done >= 7);
  await rotate(fixture, keks);
  assert.deepEqual((await sealsOf(fixture)).keyIds, ['2']);
});

test('npm run wallets:rotate says how far it is, and refuses with a sentence and no change when a key is missing', async (t) => {
  const fixture = await openWallets(t);
  for (let i = 0; i < 5; i++) await fixture.user();
  const text = (keks: readonly Kek[]) =>
    keks.map(({ version, key }) => `${version}:${key.toString('base64')}`).join(',');
  const dataDir = await temporaryFolder(t);
  const run = async (keks: readonly Kek[]) => {
    const script = new URL('../../server/src/programs/rotate-wallet-keys.ts', import.meta.url).pathname;
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: urlOf(fixture.connection),
      DATA_DIR: dataDir,
      WALLET_KEK: text(keks),
    };
    const done = promisify(execFile)(process.execPath, [script], { env });
    return done.then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  };
  const fresh = kek(2);
  const lacking = await run([fresh]);
  assert.equal(lacking.code, 1, lacking.stderr);
  assert.match(lacking.stderr, /Nothing was changed: WALLET_KEK lacks the key-encryption key 1 \(5 wallets\)/);
  assert.deepEqual((await sealsOf(fixture)).keyIds, ['1']);
  const full = await run([fresh, ...fixture.keks]);
  assert.deepEqual([full.code, full.stderr], [0, '']);
  assert.equal(full.stdout, '5 of 5 wallets\nWallets sealed with the key-encryption key 2: 5.\n');
  assert.deepEqual((await sealsOf(fixture)).keyIds, ['2']);
});
