// Which Chromium the browser tests use on which machine.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findChromium, type Machine } from '../browser/support/find-chromium.ts';

const PACKAGED = { executable: '/cache/chromium', env: { FONTCONFIG_PATH: '/cache/fonts' } };

const machine = (changes: Partial<Machine> & { runs?: readonly string[] }): Machine => ({
  platform: 'linux',
  arch: 'x64',
  home: '/nowhere',
  env: {},
  starts: ({ executable }) => (changes.runs ?? []).includes(executable),
  packaged: async () => [PACKAGED],
  ...changes,
});

const executableOf = async (on: Machine): Promise<string | null> => {
  const found = await findChromium(on);
  return found.ok ? found.chromium.executable : null;
};

test('Linux x64 takes the packaged Chromium, and an installed one where the packaged one does not start', async () => {
  assert.equal(await executableOf(machine({ runs: ['/cache/chromium', 'chromium'] })), '/cache/chromium');
  assert.equal(await executableOf(machine({ runs: ['chromium'] })), 'chromium');
});

test('another processor never unpacks the packaged Chromium and takes what is installed', async () => {
  const packaged = () => Promise.reject(new Error('unpacked'));
  const on = (runs: string[]) => machine({ arch: 'arm64', packaged, runs });
  assert.equal(await executableOf(on(['chromium', 'google-chrome'])), 'chromium');
  assert.equal(await executableOf(on(['google-chrome'])), 'google-chrome');
  assert.equal(await executableOf(on(['chromium', 'chromium-headless-shell'])), 'chromium-headless-shell');
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  assert.equal(await executableOf({ ...on([mac]), platform: 'darwin' }), mac);
});

test('CHROMIUM_PATH is used when it is set, and one that does not start is named', async () => {
  const env = { CHROMIUM_PATH: '/opt/browser' };
  assert.equal(await executableOf(machine({ env, runs: ['/opt/browser', '/cache/chromium'] })), '/opt/browser');
  const found = await findChromium(machine({ env, runs: ['chromium'] }));
  assert.deepEqual(found, {
    ok: false,
    reason: 'CHROMIUM_PATH=/opt/browser does not start. Name another one, or unset CHROMIUM_PATH.',
  });
});

test('where there is none the reason names the one command that installs it', async () => {
  const found = await findChromium(machine({ arch: 'arm64' }));
  assert.equal(found.ok, false);
  assert.match(
    found.ok ? '' : found.reason,
    /^no Chromium was found\. Install one: sudo apt-get install --yes chromium$/,
  );
});

test('every script that .ci/run starts exists', () => {
  const named = readFileSync('.ci/run', 'utf8').match(/\b[\w./-]+\.ts\b/g) ?? [];
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((path) => !existsSync(path)),
    [],
  );
});
