// Generated keys: made once, the same for everybody who starts, closed to other users, never replaced.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { type Env, readConfig } from '../../server/src/config/config.ts';
import { loadSecrets } from '../../server/src/config/secrets.ts';

const STRONG = 'v7Qm2xTz9LkRb4WnYc8HsDf3GjPa6EuK';
let parent = '';
let dataDir = '';

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'holdfast-secrets-'));
  dataDir = join(parent, 'data');
});
afterEach(() => rm(parent, { recursive: true }));

function load(env: Env = {}) {
  const read = readConfig(env);
  assert.ok(read.ok);
  return loadSecrets({ dataDir, keys: read.config.keys });
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test('the first start makes every key and says so; the next finds them', async () => {
  const first = await load();
  assert.deepEqual(first.created, ['MASTER_KEY', 'JWT_SECRET', 'WALLET_KEK']);
  assert.match(first.masterKey, /^master_[\w-]{43}$/);
  const second = await load();
  assert.deepEqual(second.created, []);
  assert.deepEqual([second.masterKey, second.jwtSecrets], [first.masterKey, first.jwtSecrets]);
  assert.deepEqual(second.walletKeks, first.walletKeks);
  assert.deepEqual([first.walletKeks[0]?.version, first.walletKeks[0]?.key.length], [1, 32]);
});

test('the file is closed to other users, the folder can be passed through, and no draft is left', async () => {
  await load();
  assert.equal(await modeOf(join(dataDir, 'secrets.json')), 0o600);
  assert.equal(await modeOf(dataDir), 0o711);
  assert.deepEqual(await readdir(dataDir), ['secrets.json']);
});

test('a key from the settings wins over the file and is never written', async () => {
  const kept = await load();
  const given = await load({ MASTER_KEY: STRONG });
  assert.equal(given.masterKey, STRONG);
  assert.deepEqual(given.jwtSecrets, kept.jwtSecrets);
  assert.doesNotMatch(await readFile(join(dataDir, 'secrets.json'), 'utf8'), new RegExp(STRONG));
});

test('with every key in the settings the data folder is not touched', async () => {
  const WALLET_KEK = `7:${Buffer.from(STRONG).toString('base64')}`;
  const given = await load({ MASTER_KEY: STRONG, JWT_SECRET: `${STRONG}jwt`, WALLET_KEK });
  assert.equal(given.walletKeks[0]?.version, 7);
  assert.deepEqual([given.masterKey, given.jwtSecrets, given.created], [STRONG, [`${STRONG}jwt`], []]);
  await assert.rejects(stat(dataDir), { code: 'ENOENT' });
});

test('a key that was not needed before is added without touching the others', async () => {
  await load({ MASTER_KEY: STRONG });
  const before = await readFile(join(dataDir, 'secrets.json'), 'utf8');
  const later = await load();
  assert.deepEqual(later.created, ['MASTER_KEY']);
  assert.equal(await readFile(join(dataDir, 'secrets.json'), 'utf8'), before);
  assert.equal((await load()).masterKey, later.masterKey);
});

test('starts in one process at the same moment agree, and one of them is the maker', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => load()));
  assert.equal(new Set(all.map((secrets) => secrets.masterKey + secrets.jwtSecrets)).size, 1);
  assert.equal(all.filter((secrets) => secrets.created.length > 0).length, 1);
  assert.deepEqual(await readdir(dataDir), ['secrets.json']);
});

test('processes that start at the same moment agree, and one of them is the maker', async () => {
  const module = new URL('../../server/src/config/secrets.ts', import.meta.url).href;
  const script = `const { loadSecrets } = await import(${JSON.stringify(module)});
    const keys = { masterKey: null, jwtSecrets: null, walletKeks: null };
    console.log(JSON.stringify(await loadSecrets({ dataDir: ${JSON.stringify(dataDir)}, keys })));`;
  const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const outputs = await Promise.all([start(), start(), start(), start()]);
  const all = outputs.map(({ stdout }) => JSON.parse(stdout) as Awaited<ReturnType<typeof load>>);
  assert.equal(new Set(all.map((secrets) => secrets.masterKey + secrets.jwtSecrets)).size, 1);
  assert.equal(all.filter((secrets) => secrets.created.length > 0).length, 1);
});

test('a file that others could read is closed, with a sentence that says so', async () => {
  await load();
  await chmod(join(dataDir, 'secrets.json'), 0o644);
  const { notes } = await load();
  assert.equal(await modeOf(join(dataDir, 'secrets.json')), 0o600);
  assert.match(notes.join(), /could be read by other users \(mode 644\); it is now 600/);
});

test('a damaged file is refused, left as it is, and not quoted', async () => {
  await load();
  const path = join(dataDir, 'secrets.json');
  await writeFile(path, '{"MASTER_KEY": "hunter2');
  await assert.rejects(
    load(),
    (error: Error) => /restore it from a backup/.test(error.message) && !/hunter2/.test(error.message),
  );
  assert.equal(await readFile(path, 'utf8'), '{"MASTER_KEY": "hunter2');
});

test('a key in the file that would not do as a setting is refused by its name', async () => {
  await load();
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ MASTER_KEY: 'short', JWT_SECRET: STRONG }));
  await assert.rejects(load(), /MASTER_KEY in the data folder's secrets file is not usable/);
});
