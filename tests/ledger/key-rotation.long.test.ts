// Rotation of the key-encryption key while servers run: no server seals with a key that another running server lacks, and every secret
// comes under the new key beside live traffic.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { urlOf } from '../../tools/cluster/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { codeOf, MASTER_KEY, startApp } from '../support/app.ts';
import { changingSource, kek, startKeyServer } from './key-servers.ts';

const sealsIn = async (sql: (text: string) => Promise<{ key: string }[]>): Promise<string[]> =>
  (await sql(`select distinct split_part(sealed_secret, '.', 2) as key from wallets order by 1`)).map(({ key }) => key);

test('a server that starts with a new version first does not seal with it while another server lacks it', async (t) => {
  const old = kek(1);
  const first = await startKeyServer(t, [old]);
  const second = await startKeyServer(t, [kek(2), old], first.app);
  assert.equal(await second.sealOfNewUser(), '1');
  await first.app.close();
  const third = await startKeyServer(t, [old], first.app);
  assert.equal(await third.sealOfNewUser(), '1');
});

test('a rotation waits for the server that lacks the key, then all secrets come under it and the old key can be removed', async (t) => {
  const old = kek(1);
  const fresh = kek(2);
  const one = await startKeyServer(t, [old]);
  const other = await startKeyServer(t, [old], one.app);
  for (const server of [one, other, one]) assert.equal(await server.sealOfNewUser(), '1');

  one.source.set([fresh, old]);
  const announced = await one.rotate();
  assert.equal(announced.status, 200, announced.text);
  assert.deepEqual([announced.body.data.phase, announced.body.data.announcedKeyId], ['announced', '2']);
  assert.equal(await one.sealOfNewUser(), '1', 'nothing is sealed with a key that the other server lacks');
  const confirmed = (await other.keys()).servers.map((server: { confirmedKeyId: string }) => server.confirmedKeyId);
  assert.deepEqual(confirmed.sort(), ['2', null]);

  // The same version with another value is not the same key.
  other.source.set([kek(2), old]);
  assert.equal((await other.rotate('2')).body.data.phase, 'announced');

  other.source.set([fresh, old]);
  await until(async () => (await one.keys()).finishedAt !== null);
  assert.deepEqual(await sealsIn(one.app.sql), ['2']);
  for (const server of [one, other]) assert.equal(await server.sealOfNewUser(), '2');
  const { keys, phase } = await other.keys();
  assert.equal(phase, 'idle');
  assert.deepEqual(keys, [
    { keyId: '2', wallets: 6, credentials: 0, removable: false },
    { keyId: '1', wallets: 0, credentials: 0, removable: true },
  ]);
  const actions = await one.app.sql(`select action from audit_entries where resource_type = 'WalletKey' order by seq`);
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['WALLET_KEY_ANNOUNCED', 'WALLET_KEY_CHANGED', 'WALLET_KEYS_RESEALED'],
  );

  for (const server of [one, other]) server.source.set([fresh]);
  assert.equal((await one.rotate()).status, 200);
  assert.equal(await one.sealOfNewUser(), '2');
});

test('a server that lacks the key that seals does not start, and says which key it lacks', async (t) => {
  const old = kek(1);
  const fresh = kek(2);
  const one = await startKeyServer(t, [fresh, old]);
  await one.rotate('1');
  await one.rotate('2');
  await until(async () => (await one.keys()).sealingKeyId === '2');
  for (const keks of [[old], [kek(2), old]]) {
    const start = startApp(t, { connection: one.app.connection, keySource: changingSource(keks) });
    await assert.rejects(start, /Secrets are sealed with a key-encryption key that this server does not have: the key/);
  }
  assert.equal((await one.keys()).servers.length, 1, 'the refused servers left no trace');
});

test('of two rotations at once to different keys one is refused, and to the same key both are the same rotation', async (t) => {
  const keks = [kek(3), kek(2), kek(1)];
  const one = await startKeyServer(t, [keks[2]!]);
  const other = await startKeyServer(t, [keks[2]!], one.app);
  one.source.set(keks);
  const answers = await Promise.all([one.rotate('2'), one.rotate('3')]);
  assert.deepEqual(answers.map(codeOf).sort(), ['200 undefined', '409 INVALID_STATE']);
  const { announcedKeyId } = await one.keys();
  const repeats = await Promise.all([one.rotate(announcedKeyId), one.rotate(announcedKeyId)]);
  assert.deepEqual(repeats.map(codeOf), ['200 undefined', '200 undefined']);

  const withdrawn = await one.rotate('1');
  assert.deepEqual([withdrawn.body.data.announcedKeyId, withdrawn.body.data.sealingKeyId], [null, '1']);
  other.source.set(keks);
  await Promise.all([one.rotate('3'), other.rotate('3')]);
  await until(async () => (await one.keys()).finishedAt !== null);
  assert.equal((await one.keys()).sealingKeyId, '3');
});

test('404 WALLET_KEY_NOT_FOUND and 403 without the master key change nothing, and no answer shows a key', async (t) => {
  const only = kek(1);
  const one = await startKeyServer(t, [only]);
  assert.equal(codeOf(await one.rotate('9')), '404 WALLET_KEY_NOT_FOUND');
  assert.equal((await one.app.call('POST /wallet-keys/rotate', { key: MASTER_KEY, body: { keyId: 7 } })).status, 400);
  const key = await one.app.key(['*']);
  for (const request of ['GET /wallet-keys', 'POST /wallet-keys/rotate']) {
    assert.equal((await one.app.call(request, { key })).status, 403);
    assert.equal((await one.app.call(request, { key: null })).status, 401);
  }
  assert.deepEqual(await one.app.sql('select * from wallet_keys'), []);
  const shown = await one.app.call('GET /wallet-keys', { key: MASTER_KEY });
  assert.ok(!shown.text.includes(only.key.toString('base64').slice(0, 20)));
});

const SCRIPT = new URL('../../server/src/programs/rotate-wallet-keys.ts', import.meta.url).pathname;

test('npm run wallets:rotate changes nothing while a running server lacks the key, and names it', async (t) => {
  const old = kek(1);
  const fresh = kek(2);
  const one = await startKeyServer(t, [old]);
  assert.equal(await one.sealOfNewUser(), '1');
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: urlOf(one.app.connection as Parameters<typeof urlOf>[0]),
    DATA_DIR: await temporaryFolder(t),
    WALLET_KEK: [fresh, old].map(({ version, key }) => `${version}:${key.toString('base64')}`).join(','),
    WALLET_KEY_BEAT_S: '1',
  };
  const rotate = () =>
    promisify(execFile)(process.execPath, [SCRIPT], { env }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  const waiting = await rotate();
  assert.equal(waiting.code, 1);
  assert.match(
    waiting.stderr,
    /these servers do not have the key-encryption key 2: .* \(process \d+\)\. Give it to them/,
  );
  assert.deepEqual(await sealsIn(one.app.sql), ['1']);
  one.source.set([fresh, old]);
  await until(async () => (await one.keys()).finishedAt !== null);
  assert.deepEqual(await sealsIn(one.app.sql), ['2']);
  assert.deepEqual([(await rotate()).code, await one.sealOfNewUser()], [0, '2']);
});
