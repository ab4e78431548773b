// `holdfast dev` and `holdfast demo` for real: servers of their own, with PostgreSQL and the sandbox, in temporary folders.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { until } from '../committer/bend.ts';
import { afterwards } from '../support/afterwards.ts';
import { openTool } from './tool.ts';

const READY = 'Events appear below';
const FREE_PORTS = ['--port', '0', '--sandbox-port', '0'];

test('dev starts everything, other commands find it, and Ctrl-C ends it in good order', {
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
  assert.match(second.err, new RegExp(`A Holdfast server runs at http://127.0.0.1:${port} already`));

  // Nor does one in the same folder get anywhere, or touch the log of the one that is there.
  const log = path.join(tool.env.DATA_DIR!, 'dev.log');
  const before = readFileSync(log, 'utf8');
  const third = await tool.run(['dev', ...FREE_PORTS]);
  assert.equal(third.code, 1);
  assert.match(third.err, /in use by another Holdfast server/);
  assert.ok(before !== '' && readFileSync(log, 'utf8').startsWith(before));

  first.interrupt();
  const ended = await first.ended;
  assert.equal(ended.code, 0, ended.err);
  assert.doesNotMatch(ended.err, /server \w+: *$/m);
  assert.doesNotMatch(ended.err, /idle database connection/);
  assert.match(ended.err, /Stopped\.\n$/);
  assert.equal((await tool.run(['health'])).code, 3);

  // The same folder again: the same key, and what happened before is there.
  const folder = tool.env.DATA_DIR!;
  const same = ['--marketplace', 'mkt_shop', '--data', folder];
  const again = tool.start(['dev', ...FREE_PORTS, '--json', ...same], { env: { DATA_DIR: '' } });
  await again.says(READY);
  assert.ok(again.err().includes(`as before; other commands find it with DATA_DIR=${folder}`));
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).key, key);
  assert.equal((await tool.run(['orders', 'show', order.out.trim(), '--json'])).json.finalStatus, 'RELEASED');

  // Whoever reads its output goes away: it ends, and leaves no server behind.
  again.child.stdout!.destroy();
  await tool.run(['users', 'create', 'ada']);
  assert.equal((await again.ended).code, 0);
  assert.equal((await tool.run(['health'])).code, 3);

  // Killed, it can do nothing any more: its server notices by itself, and lets go of the folder.
  // Without the sandbox there is no development key either, and the one from before is gone.
  const killed = tool.start(['dev', ...FREE_PORTS], { env: { SANDBOX: 'off' } });
  await killed.says(READY);
  assert.match(killed.err(), /Key +none: /);
  assert.equal(existsSync(file), false);
  const holder = path.join(folder, 'server.pid');
  assert.ok(existsSync(holder));
  killed.child.kill('SIGKILL');
  await until(() => !existsSync(holder), 'the server has stopped');
});

test('demo tells the whole story on a server of its own, every cent is there, and nothing is left behind', async (t) => {
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
