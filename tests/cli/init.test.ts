// `holdfast init`: the files that it writes, that their settings are accepted, and that it never replaces a secret.

import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { PROVIDER_SETTINGS, readEnv } from '../../cli/src/init/env-file.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { ROWS } from '../../server/src/config/settings.ts';
import { checkSettings } from '../../server/src/programs/doctor/settings-checks.ts';
import { readText } from '../tidy/sources.ts';
import { openTool } from './tool.ts';

const SECRETS = ['DATABASE_PASSWORD', 'MASTER_KEY', 'JWT_SECRET', 'WALLET_KEK', 'METRICS_TOKEN'];

const envIn = async (folder: string): Promise<Map<string, string>> =>
  readEnv(await readFile(path.join(folder, '.env'), 'utf8'));

/** As the image starts the server. */
const configOf = (env: ReadonlyMap<string, string>) => {
  const { DATABASE_PASSWORD: _, ...settings } = Object.fromEntries(env);
  return readConfig({ HOST: '0.0.0.0', ...settings });
};

test('init writes fresh secrets that only the owner can read, and shows none of them', async (t) => {
  const tool = await openTool(t);
  const made = await tool.run(['init', 'one', '--json']);
  assert.equal(made.code, 0, made.err);
  const other = await tool.run(['init', 'two']);
  assert.match(other.out, /Next steps:/);
  const [one, two] = await Promise.all(['one', 'two'].map((name) => envIn(path.join(tool.folder, name))));
  for (const name of SECRETS) {
    assert.ok(one!.get(name)!.length >= 32, name);
    assert.notEqual(one!.get(name), two!.get(name), name);
    assert.ok(![made.out, made.err].some((text) => text.includes(one!.get(name)!)), name);
  }
  assert.equal((await stat(path.join(tool.folder, 'one/.env'))).mode & 0o777, 0o600);
  assert.deepEqual(made.json.unset, ['PUBLIC_URL', ...PROVIDER_SETTINGS]);
});

test('the next steps need no checkout, except to build an image', async (t) => {
  const tool = await openTool(t);
  const { steps } = (await tool.run(['init', 'pay', '--port', '8080', '--json'])).json as { steps: string[] };
  assert.ok(steps.some((step) => step.endsWith('docker compose exec server holdfast doctor')));
  assert.ok(steps.some((step) => step.includes('http://127.0.0.1:8080/docs/settings')));
  const ofCheckout = steps.filter((step) => /server\/src|\.md\b|deploy\//.test(step));
  assert.deepEqual(
    ofCheckout.filter((step) => !step.startsWith('Build the image in a checkout')),
    [],
  );
});

test('a server accepts the settings, and the doctor finds no mistake in those of real providers', async (t) => {
  const tool = await openTool(t);
  const known = [...ROWS.map(({ setting }) => setting.name), 'DATABASE_PASSWORD'];
  for (const providers of ['real', 'sandbox'] as const) {
    const url = ['--public-url', 'https://pay.shop.example'];
    assert.equal((await tool.run(['init', providers, '--providers', providers, ...url])).code, 0);
    const env = await envIn(path.join(tool.folder, providers));
    assert.deepEqual(
      [...env.keys()].filter((name) => !known.includes(name)),
      [],
      'every name is a setting',
    );
    const read = configOf(env);
    assert.deepEqual(read.ok ? [] : read.problems, []);
    if (!read.ok) continue;
    const wrong = checkSettings({ config: read.config, sandboxIsOn: providers === 'sandbox' })
      .filter(({ state }) => state === 'failed')
      .map(({ name }) => name);
    assert.deepEqual(wrong, providers === 'sandbox' ? ['sandbox'] : []);
  }
});

/** Without what may differ: comments, how the image is made, the port of this machine, and whether simulators are the default. */
const comparable = (text: string): string[] =>
  text
    .replace(/^ {4}build:\n( {6}.+\n)+/m, '    image: holdfast\n')
    .replace(/^ {4}image: holdfast.*$/m, '    image: holdfast')
    .replace(/"127\.0\.0\.1:\d+:4000"/, '"127.0.0.1:4000:4000"')
    .replace(/SANDBOX:-\w+/, 'SANDBOX:-off')
    .split('\n')
    .filter((line) => !/^\s*#/.test(line) && line !== '    env_file: .env');

test('the compose file is that of the checkout, with an image instead of a build', async (t) => {
  const tool = await openTool(t);
  assert.equal((await tool.run(['init', '--port', '8080', '--image', 'holdfast:7'])).code, 0);
  const written = await readFile(path.join(tool.folder, 'compose.yaml'), 'utf8');
  assert.match(written, /image: holdfast:7\n/);
  assert.match(written, /"127\.0\.0\.1:8080:4000"/);
  assert.deepEqual(comparable(written), comparable(readText('deploy/compose.yaml')));
});

test('files that exist are refused; --force keeps every value, adds what is missing, and closes the mode', async (t) => {
  const tool = await openTool(t);
  await writeFile(path.join(tool.folder, '.env'), 'WALLET_KEK=1:old\nLOG_LEVEL=debug\n', { mode: 0o644 });
  const refused = await tool.run(['init']);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /\.env exists/);
  assert.equal(await readFile(path.join(tool.folder, '.env'), 'utf8'), 'WALLET_KEK=1:old\nLOG_LEVEL=debug\n');
  const forced = await tool.run(['init', '--force']);
  assert.equal(forced.code, 0, forced.err);
  const env = await envIn(tool.folder);
  assert.deepEqual([env.get('WALLET_KEK'), env.get('LOG_LEVEL')], ['1:old', 'debug']);
  assert.ok(env.get('MASTER_KEY')!.length >= 32);
  assert.equal((await stat(path.join(tool.folder, '.env'))).mode & 0o777, 0o600);
  await tool.run(['init', '--force']);
  assert.deepEqual(await envIn(tool.folder), env);
});

test('--force leaves every line of .env as it is, however a secret is written', async (t) => {
  const tool = await openTool(t);
  const file = path.join(tool.folder, '.env');
  const text = "# kept\nexport WALLET_KEK='1:old'\n  MASTER_KEY = mine # by hand\nJWT_SECRET=\nlower=1\n";
  await writeFile(file, text);
  assert.equal((await tool.run(['init', '--force'])).code, 0);
  const written = await readFile(file, 'utf8');
  assert.ok(written.startsWith(text));
  const added = written.slice(text.length);
  assert.doesNotMatch(added, /WALLET_KEK=|MASTER_KEY=/);
  assert.match(added, /^JWT_SECRET=\w{64}$/m);
});

test('a wrong address, port or image is refused before anything is written', async (t) => {
  const tool = await openTool(t);
  for (const args of [
    ['--public-url', 'pay.shop.example'],
    ['--public-url', 'https://pay.shop.example/path'],
    ['--port', '70000'],
    ['--image', 'a b'],
    ['--providers', 'none'],
  ]) {
    assert.equal((await tool.run(['init', 'new', ...args])).code, 2, args.join(' '));
    await assert.rejects(stat(path.join(tool.folder, 'new')), { code: 'ENOENT' });
  }
});
