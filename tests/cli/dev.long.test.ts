// `holdfast dev` without a reader and without the sandbox, and `holdfast demo` with a server of its own.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openTool } from './tool.ts';

const READY = 'Events appear below';
const FREE_PORTS = ['--port', '0', '--sandbox-port', '0'];

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
