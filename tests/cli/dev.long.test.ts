// `holdfast dev` for real: a server of its own, with PostgreSQL and the sandbox, in a temporary folder, and all its ends.
// `holdfast demo` with a server of its own. tests/stories/quick-start.test.ts has the first steps.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { openTool } from './tool.ts';

const READY = 'Events appear below';
const FREE_PORTS = ['--port', '0', '--sandbox-port', '0'];

test('dev starts everything, other commands find it, and killed or ended by Ctrl-C it leaves no server behind', {
  timeout: 240_000,
}, async (t) => {
  const tool = await openTool(t);
  const first = tool.start(['dev', ...FREE_PORTS, '--marketplace', 'mkt_shop']);
  await first.says(READY);
  const file = path.join(tool.env.DATA_DIR!, 'dev-key.json');
  const { url, key, marketplaceId } = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(marketplaceId, 'mkt_shop');
  assert.equal(statSync(file).mode & 0o777, 0o600);

  // The key is in its file and nowhere on the screen.
  assert.ok(!(first.out() + first.err()).includes(key));
  assert.doesNotMatch(first.out() + first.err(), /master_/);

  const order = await tool.run(['orders', 'run', '--amount', '20.00', '--release', '--ids']);
  assert.equal(order.code, 0, order.err);
  await first.says(new RegExp(`order\\.closed +${order.out.trim()} .*RELEASED`));
  assert.match((await tool.run(['keys', 'create', 'shop'])).out, /^key\s+hf_/);

  const port = new URL(url).port;
  const second = await tool.run([
    'dev',
    '--port',
    port,
    '--sandbox-port',
    '0',
    '--data',
    path.join(tool.folder, 'other'),
  ]);
  assert.equal(second.code, 1);
  assert.match(second.err, new RegExp(`A Holdfast server already runs at http://127.0.0.1:${port}`));

  // Nor does one in the same folder get anywhere, or touch the log of the one that is there.
  const log = path.join(tool.env.DATA_DIR!, 'dev.log');
  const before = readFileSync(log, 'utf8');
  const third = await tool.run(['dev', ...FREE_PORTS]);
  assert.equal(third.code, 1);
  assert.match(third.err, /in use by another Holdfast server/);
  assert.ok(before !== '' && readFileSync(log, 'utf8').startsWith(before));

  // Killed, it can do nothing any more: its server notices by itself, and lets go of the folder.
  const folder = tool.env.DATA_DIR!;
  const holder = path.join(folder, 'server.pid');
  assert.ok(existsSync(holder));
  first.child.kill('SIGKILL');
  await until(() => !existsSync(holder), 'the server has stopped');

  // The same folder again: the same key, and what happened before is there.
  const same = ['--marketplace', 'mkt_shop', '--data', folder];
  const again = tool.start(['dev', ...FREE_PORTS, '--json', ...same], { env: { DATA_DIR: '' } });
  await again.says(READY);
  assert.ok(again.err().includes(`unchanged; other commands find it with DATA_DIR=${folder}`));
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).key, key);
  assert.equal((await tool.run(['orders', 'show', order.out.trim(), '--json'])).json.finalStatus, 'RELEASED');

  again.interrupt();
  const ended = await again.ended;
  assert.equal(ended.code, 0, ended.err);
  assert.doesNotMatch(ended.err, /server \w+: *$/m);
  assert.doesNotMatch(ended.err, /idle database connection/);
  assert.match(ended.err, /Stopped\.\n$/);
  assert.equal((await tool.run(['health'])).code, 3);
});

test('dev ends and leaves no server behind when the reader of its output closes the pipe', async (t) => {
  const tool = await openTool(t);
  const running = tool.start(['dev', ...FREE_PORTS]);
  await running.says(READY);
  running.child.stdout!.destroy();
  await tool.run(['users', 'create', 'ada']);
  assert.equal((await running.ended).code, 0);
  assert.equal((await tool.run(['health'])).code, 3);
});

test('dev without the sandbox has no development key, and the one from before is gone', async (t) => {
  const tool = await openTool(t);
  const file = path.join(tool.env.DATA_DIR!, 'dev-key.json');
  const first = tool.start(['dev', ...FREE_PORTS]);
  await first.says(READY);
  assert.equal(existsSync(file), true);
  first.interrupt();
  assert.equal((await first.ended).code, 0);
  const without = tool.start(['dev', ...FREE_PORTS], { env: { SANDBOX: 'off' } });
  await without.says(READY);
  assert.match(without.err(), /Key +none: /);
  assert.equal(existsSync(file), false);
});

test('demo runs the complete example on its own server, every cent is accounted for, and nothing is left behind', async (t) => {
  const tool = await openTool(t);
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'demo-test-'));
  afterwards(t, () => rm(temporary, { recursive: true, force: true }));
  const { code, json, err } = await tool.run(['demo', '--start', '--json'], { env: { TMPDIR: temporary } });
  assert.equal(code, 0, err);
  assert.match(err, /✓ Grace withdraws 50\.00/);
  assert.equal(json.proof.holds, true);
  assert.ok(json.money.currencies.every((each: { difference: string }) => each.difference === '0.00'));
  assert.deepEqual(
    readdirSync(temporary).filter((name) => name.startsWith('holdfast-demo')),
    [],
  );
});
