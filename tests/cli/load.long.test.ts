// Whole load tests from the command line: as JSON, as a table, and with requests that fail.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLine } from '../sdk/line.ts';
import { openApp } from '../support/shared-app.ts';
import { openTool } from './tool.ts';

test('a load test says how fast everything was, and that the books hold', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  const { json } = await tool.run(['load', '--seconds', '2', '--connections', '1', '--orders', '--json']);
  const names = json.samples.map((each: { name: string }) => each.name);
  assert.deepEqual(names, ['GET /health', 'credits', 'order lives']);
  for (const { count, p50, p99, errors } of json.samples) {
    assert.ok(count > 0 && p50 > 0 && p99 >= p50);
    assert.deepEqual(errors, {});
  }
  assert.equal(json.proof.holds, true);
});

test('a load test shows a table for people', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  const { code, out, err } = await tool.run(['load', '--seconds', '1', '--connections', '1']);
  assert.equal(code, 0, err);
  assert.match(out, /request\s+done\s+per second\s+p50\s+p95\s+p99\s+errors/);
  assert.match(out, /Balanced: every cent/);
});

test('a load test that fails more often than not ends with 1', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const line = await openLine(t, app.url);
  const tool = await openTool(t, { url: line.url, key: await app.key(['*']) });
  const refused = { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":{"code":"NO"}}' };
  line.play('/balance/credit', ...Array.from({ length: 100_000 }, () => refused));
  assert.equal((await tool.run(['load', '--seconds', '1', '--connections', '2'])).code, 1);
});
