// Secrets at rest: each under a key of its own, bound to its row, opened only by the key-encryption key that sealed it.

import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { test } from 'node:test';
import { Keypair, StrKey } from '@stellar/stellar-sdk';
import { formatAddress, parseAddress } from '../../server/src/base/ledger-address.ts';
import { readConfig } from '../../server/src/config/config.ts';
import type { KeyKeeper } from '../../server/src/ledger/keys/key-keeper.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { keyIdOf, openSecret, resealSecret, sealedWith, sealSecret } from '../../server/src/ledger/keys/seal.ts';
import { signAndWipe, walletMaker } from '../../server/src/ledger/keys/wallet-keys.ts';

const PLACE = { marketplaceId: 'mkt_a', walletId: 'wal_1', address: 'GA' };
const kek = (version: number) => ({ version, key: randomBytes(32) });

test('a sealed secret opens to what it was, and two seals of one secret have nothing in common', async () => {
  const keeper = keepKeks([kek(1)]);
  const secret = randomBytes(32);
  const one = await sealSecret(keeper, { secret, place: PLACE });
  const two = await sealSecret(keeper, { secret, place: PLACE });
  assert.deepEqual(await openSecret(keeper, { sealed: one, place: PLACE }), secret);
  const [, , keyOfOne, secretOfOne] = one.split('.');
  const [, , keyOfTwo, secretOfTwo] = two.split('.');
  assert.notEqual(keyOfOne, keyOfTwo);
  assert.notEqual(secretOfOne, secretOfTwo);
  assert.ok(!Buffer.from(one).includes(secret.toString('base64url')));
});

test('a sealed secret cannot be opened in another row: other marketplace, other wallet, other address', async () => {
  const keeper = keepKeks([kek(1)]);
  const sealed = await sealSecret(keeper, { secret: randomBytes(32), place: PLACE });
  for (const change of [{ marketplaceId: 'mkt_b' }, { walletId: 'wal_2' }, { address: 'GB' }]) {
    await assert.rejects(openSecret(keeper, { sealed, place: { ...PLACE, ...change } }), /does not open this/);
    await assert.rejects(resealSecret(keeper, { sealed, place: { ...PLACE, ...change } }), /does not open this/);
  }
});

test('the secret of one row under the data key of another does not open, and no changed byte goes unnoticed', async () => {
  const keeper = keepKeks([kek(1)]);
  const [a, b] = await Promise.all([1, 2].map(() => sealSecret(keeper, { secret: randomBytes(32), place: PLACE })));
  const [form, id, key] = a!.split('.');
  await assert.rejects(openSecret(keeper, { sealed: [form, id, key, b!.split('.')[3]].join('.'), place: PLACE }));
  for (const part of [2, 3]) {
    const parts = a!.split('.');
    const bytes = Buffer.from(parts[part]!, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      const sealed = parts.with(part, changed.toString('base64url')).join('.');
      await assert.rejects(openSecret(keeper, { sealed, place: PLACE }), `part ${part}, byte ${index}`);
    }
  }
  for (const sealed of ['', 'v1', 'v2.1.a.b', 'v1.1.a', 'v1.1.a.b.c', 'v1..a.b']) {
    await assert.rejects(openSecret(keeper, { sealed, place: PLACE }), /the form of a sealed secret is unknown/);
  }
});

test('the first key-encryption key seals and all of them open; a missing one is named, not guessed', async () => {
  const old = kek(1);
  const fresh = kek(2);
  const secret = randomBytes(32);
  const sealed = await sealSecret(keepKeks([old]), { secret, place: PLACE });
  assert.equal(keyIdOf(sealed), '1');
  const both = keepKeks([fresh, old]);
  assert.deepEqual(await openSecret(both, { sealed, place: PLACE }), secret);
  assert.equal(keyIdOf(await sealSecret(both, { secret, place: PLACE })), '2');
  await assert.rejects(openSecret(keepKeks([fresh]), { sealed, place: PLACE }), /key-encryption key 1 is missing/);
  const impostor = keepKeks([{ version: 1, key: fresh.key }]);
  await assert.rejects(openSecret(impostor, { sealed, place: PLACE }), /another value under that version/);
});

test('sealing anew changes the data key alone: the sealed secret stays bit by bit what it was', async () => {
  const old = kek(1);
  const fresh = kek(2);
  const secret = randomBytes(32);
  const before = await sealSecret(keepKeks([old]), { secret, place: PLACE });
  const after = await resealSecret(keepKeks([fresh, old]), { sealed: before, place: PLACE });
  assert.ok(after.startsWith(sealedWith('2')));
  assert.equal(after.split('.')[3], before.split('.')[3]);
  assert.deepEqual(await openSecret(keepKeks([fresh]), { sealed: after, place: PLACE }), secret);
});

test('a key management service can take the place of the keys in the settings', async () => {
  const vault = new Map<string, { dataKey: Buffer; bound: string }>();
  const keeper: KeyKeeper = {
    currentKeyId: 'arn:vault:eu-1:17:key/ab-12',
    has: () => true,
    async seal(dataKey, bound) {
      const handle = randomBytes(8);
      vault.set(handle.toString('hex'), { dataKey: Buffer.from(dataKey), bound: bound.toString() });
      return { keyId: 'arn:vault:eu-1:17:key/ab-12', sealed: handle };
    },
    async open({ sealed }, bound) {
      const entry = vault.get(sealed.toString('hex'));
      if (entry?.bound !== bound.toString()) throw new Error('denied');
      return Buffer.from(entry.dataKey);
    },
  };
  const secret = randomBytes(32);
  const sealed = await sealSecret(keeper, { secret, place: PLACE });
  assert.deepEqual(await openSecret(keeper, { sealed, place: PLACE }), secret);
  await assert.rejects(openSecret(keeper, { sealed, place: { ...PLACE, walletId: 'wal_2' } }), /denied/);
});

test("a wallet's address is the public key of its secret, as the network's own library sees it", async () => {
  const keeper = keepKeks([kek(1)]);
  const wallet = await walletMaker(keeper)('mkt_a');
  assert.match(wallet.id, /^wal_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.ok(StrKey.isValidEd25519PublicKey(wallet.address));
  const place = { marketplaceId: 'mkt_a', walletId: wallet.id, address: wallet.address };
  const seed = await openSecret(keeper, { sealed: wallet.sealedSecret, place });
  const pair = Keypair.fromRawEd25519Seed(Buffer.from(seed));
  assert.equal(pair.publicKey(), wallet.address);
  const message = randomBytes(32);
  const signature = signAndWipe(seed, message);
  assert.ok(pair.verify(message, signature));
  assert.deepEqual(seed, Buffer.alloc(32), 'the seed is wiped');
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), parseAddress(wallet.address)!]);
  assert.ok(verify(null, message, createPublicKey({ key: spki, format: 'der', type: 'spki' }), signature));
});

test('addresses are written and read as the network does, and a typing mistake is found', () => {
  for (let i = 0; i < 50; i++) {
    const pair = Keypair.random();
    const text = formatAddress(pair.rawPublicKey());
    assert.equal(text, pair.publicKey());
    assert.deepEqual(Buffer.from(parseAddress(text)!), Buffer.from(pair.rawPublicKey()));
    const at = 1 + (i % 55);
    const wrong = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    assert.equal(parseAddress(wrong), null);
    assert.equal(StrKey.isValidEd25519PublicKey(wrong), false);
  }
  const others = [StrKey.encodeContract(randomBytes(32)), Keypair.random().secret(), '', 'G', 'G'.repeat(56), ' '];
  for (const text of others) assert.equal(parseAddress(text), null);
});

test('WALLET_KEK takes versions with 32 bytes each, the newest first, and refuses anything else without showing it', () => {
  const one = randomBytes(32).toString('base64');
  const two = randomBytes(32).toString('base64');
  const read = readConfig({ WALLET_KEK: `2:${two},1:${one}` });
  assert.ok(read.ok);
  assert.deepEqual(
    read.config.keys.walletKeks?.map(({ version, key }) => [version, key.toString('base64')]),
    [
      [2, two],
      [1, one],
    ],
  );
  const short = randomBytes(31).toString('base64');
  for (const text of [one, `0:${one}`, `1:${short}`, `1:${one},1:${two}`, `2:${one},1:${one}`, `1:${one},`, 'x:y']) {
    const bad = readConfig({ WALLET_KEK: text });
    assert.ok(!bad.ok, text);
    assert.match(bad.problems.join(), /^WALLET_KEK is \(\d+ characters, not shown\)/);
    assert.ok(!bad.problems.join().includes(one));
  }
  const weak = readConfig({ WALLET_KEK: `1:${Buffer.alloc(32, 1).toString('base64')}` });
  assert.ok(!weak.ok && /WALLET_KEK has so few different bytes/.test(weak.problems.join()));
});
