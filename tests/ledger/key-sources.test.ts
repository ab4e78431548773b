// Where key-encryption keys come from besides WALLET_KEK: the output of a command, and a PKCS#11 token. A source that fails gives a
// sentence and never what it printed.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Env, readConfig } from '../../server/src/config/config.ts';
import { loadSecrets } from '../../server/src/config/secrets.ts';
import type { Kek } from '../../server/src/ledger/keys/key-keeper.ts';
import { keepKeks, openKeyRing } from '../../server/src/ledger/keys/key-ring.ts';
import { openKeySource } from '../../server/src/ledger/keys/key-sources.ts';
import { keyIdOf, openSecret, resealSecret, sealSecret } from '../../server/src/ledger/keys/seal.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { openToken, whyNoToken } from './token-fixture.ts';

const PLACE = { marketplaceId: 'mkt_a', walletId: 'wal_1', address: 'GA' };
const kek = (version: number): Kek => ({ version, key: randomBytes(32) });
const textOf = (keks: readonly Kek[]): string =>
  keks.map(({ version, key }) => `${version}:${key.toString('base64')}`).join(',');

const sourceOf = (env: Env, former: readonly Kek[] = []) => {
  const read = readConfig(env);
  if (!read.ok) throw new Error(read.problems.join(' '));
  return openKeySource({ settings: read.config.walletKeys, settingsKeks: async () => former });
};

/** A program that prints a file, so that its output can be changed. */
const aProgram = async (t: TestContext, lines: string) => {
  const folder = await temporaryFolder(t);
  const program = path.join(folder, 'print-keys');
  const output = path.join(folder, 'output');
  await writeFile(program, `#!/bin/sh\n${lines.replaceAll('OUTPUT', output)}\n`);
  await chmod(program, 0o755);
  return {
    env: { WALLET_KEK_SOURCE: 'command', WALLET_KEK_COMMAND: program },
    print: (text: string) => writeFile(output, text),
  };
};

test('the keys of a command seal and open, and keys of WALLET_KEK still open', async (t) => {
  const program = await aProgram(t, 'cat OUTPUT');
  const old = kek(1);
  const fresh = kek(2);
  await program.print(`${textOf([fresh])}\n`);
  const ring = await openKeyRing(sourceOf(program.env, [old]));
  assert.deepEqual(ring.keyIds, ['2', '1']);
  const secret = randomBytes(32);
  const sealed = await sealSecret(ring, { secret, place: PLACE });
  assert.equal(keyIdOf(sealed), '2');
  assert.deepEqual(await openSecret(keepKeks([fresh]), { sealed, place: PLACE }), secret);
  const before = await sealSecret(keepKeks([old]), { secret, place: PLACE });
  assert.deepEqual(await openSecret(ring, { sealed: before, place: PLACE }), secret);
});

test('a key that the command prints later is found when a row needs it, and does not seal by itself', async (t) => {
  const program = await aProgram(t, 'cat OUTPUT');
  const old = kek(1);
  const fresh = kek(2);
  await program.print(textOf([old]));
  const ring = await openKeyRing(sourceOf(program.env));
  await program.print(textOf([fresh, old]));
  const secret = randomBytes(32);
  const sealed = await sealSecret(keepKeks([fresh]), { secret, place: PLACE });
  assert.deepEqual(await openSecret(ring, { sealed, place: PLACE }), secret);
  assert.equal(ring.currentKeyId, '1');
  await program.print(textOf([fresh]));
  await assert.rejects(ring.refresh(), /lacks the key-encryption key 1, which seals: add it again/);
  assert.deepEqual(ring.keyIds, ['2', '1'], 'the keys stay as they were');
});

const SECRET_TEXT = 'aGVsbG8taGVsbG8taGVsbG8';

test('a command that gives no keys is refused with a sentence that never shows its output', async (t) => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      `echo ${SECRET_TEXT}; echo ${SECRET_TEXT} >&2; exit 3`,
      /WALLET_KEK_COMMAND gave no secret: it ended with exit code 3/,
    ],
    [`echo ${SECRET_TEXT}`, /WALLET_KEK_COMMAND printed 23 characters that are not keys/],
    [`echo 1:${Buffer.alloc(32, 7).toString('base64')}`, /printed a key that can be guessed/],
    ['kill -9 $$', /it was ended by SIGKILL/],
    ['head -c 100000 /dev/zero', /it printed more than 65536 bytes/],
    [`echo ${SECRET_TEXT}; exec sleep 600`, /it took longer than 1 seconds and was stopped/],
  ];
  for (const [lines, message] of cases) {
    const program = await aProgram(t, lines);
    const env = { ...program.env, WALLET_KEK_COMMAND_TIMEOUT_S: '1' };
    await assert.rejects(openKeyRing(sourceOf(env)), (error: Error) => {
      assert.match(error.message, message);
      assert.doesNotMatch(`${error.message} ${error.stack}`, new RegExp(SECRET_TEXT));
      return true;
    });
  }
  const missing = { WALLET_KEK_SOURCE: 'command', WALLET_KEK_COMMAND: '/no/such/program' };
  await assert.rejects(openKeyRing(sourceOf(missing)), /the program does not exist/);
});

test('a command runs without a shell, and two different keys of one version are refused', async (t) => {
  const program = await aProgram(t, 'cat "$1"');
  const env = { ...program.env, WALLET_KEK_COMMAND: `${program.env.WALLET_KEK_COMMAND} $(touch` };
  await assert.rejects(openKeyRing(sourceOf(env)), /exit code 1/);
  const other = await aProgram(t, 'cat OUTPUT');
  await other.print(textOf([kek(1)]));
  await assert.rejects(
    openKeyRing(sourceOf(other.env, [kek(1)])),
    /different keys of version 1: give one a new version/,
  );
});

test('with another source no key is generated into the data folder, and one that is there is still loaded', async (t) => {
  const keys = { masterKey: null, jwtSecrets: null, walletKeks: null } as Parameters<typeof loadSecrets>[0]['keys'];
  const empty = await temporaryFolder(t);
  assert.deepEqual((await loadSecrets({ dataDir: empty, keys, kekIsElsewhere: true })).walletKeks, []);
  assert.deepEqual((await loadSecrets({ dataDir: empty, keys, kekIsElsewhere: true })).created, []);
  const used = await temporaryFolder(t);
  const { walletKeks } = await loadSecrets({ dataDir: used, keys });
  assert.deepEqual((await loadSecrets({ dataDir: used, keys, kekIsElsewhere: true })).walletKeks, walletKeks);
});

test('settings of a source that are incomplete stop the start with a sentence', () => {
  const problemsOf = (env: Env): string => {
    const read = readConfig(env);
    return read.ok ? '' : read.problems.join(' ');
  };
  assert.match(problemsOf({ WALLET_KEK_SOURCE: 'command' }), /WALLET_KEK_COMMAND is missing/);
  assert.match(problemsOf({ WALLET_KEK_SOURCE: 'pkcs11' }), /PKCS11_MODULE and WALLET_KEK_PKCS11_TOKEN are needed/);
  assert.match(problemsOf({ WALLET_KEK_SOURCE: 'pkcs11' }), /Set one of WALLET_KEK_PKCS11_PIN_FILE and/);
  assert.match(problemsOf({ WALLET_KEK_COMMAND: 'cat keys' }), /the absolute path of a program/);
});

test('keys in a token seal and open, move a secret from WALLET_KEK, and never leave the token', {
  skip: whyNoToken(),
}, async (t) => {
  const token = await openToken(t);
  await assert.rejects(openKeyRing(sourceOf(token.env)), /has no AES key of 256 bits with the label holdfast-kek-1/);
  await token.createKey('holdfast-kek-1');
  await token.createKey('other-9');
  const old = kek(1);
  const ring = await openKeyRing(sourceOf(token.env, [old]));
  t.after(ring.close);
  assert.deepEqual(ring.keyIds, ['pkcs11:holdfast-kek-1', '1']);
  const secret = randomBytes(32);
  const before = await sealSecret(keepKeks([old]), { secret, place: PLACE });
  const sealed = await resealSecret(ring, { sealed: before, place: PLACE });
  assert.equal(keyIdOf(sealed), 'pkcs11:holdfast-kek-1');
  assert.deepEqual(await openSecret(ring, { sealed, place: PLACE }), secret);
  await assert.rejects(openSecret(ring, { sealed, place: { ...PLACE, walletId: 'wal_2' } }), /does not open this/);
  const many = await Promise.all(Array.from({ length: 20 }, () => sealSecret(ring, { secret, place: PLACE })));
  const opened = await Promise.all(many.map((one) => openSecret(ring, { sealed: one, place: PLACE })));
  assert.ok(opened.every((one) => one.equals(secret)));

  await token.createKey('holdfast-kek-2');
  await ring.refresh();
  assert.deepEqual(ring.keyIds, ['pkcs11:holdfast-kek-2', 'pkcs11:holdfast-kek-1', '1']);
  ring.sealWith('pkcs11:holdfast-kek-2');
  const newest = await resealSecret(ring, { sealed, place: PLACE });
  assert.equal(keyIdOf(newest), 'pkcs11:holdfast-kek-2');
  assert.deepEqual(await openSecret(ring, { sealed: newest, place: PLACE }), secret);
});

test('a token that is missing, or a PIN that is wrong, is named', { skip: whyNoToken() }, async (t) => {
  const token = await openToken(t);
  await token.createKey('holdfast-kek-1');
  const openWith = (env: Env) => openKeyRing(sourceOf({ ...token.env, ...env }));
  await assert.rejects(openWith({ WALLET_KEK_PKCS11_TOKEN: 'elsewhere' }), /no token with the label elsewhere/);
  await assert.rejects(
    openWith({ WALLET_KEK_PKCS11_MODULE: '/no/such.so' }),
    /WALLET_KEK_PKCS11_MODULE \/no\/such.so cannot/,
  );
  await writeFile(token.pinFile, 'wrong\n');
  await assert.rejects(openWith({}), /did not accept the login: CKR_PIN_INCORRECT\. Check its PIN/);
});
