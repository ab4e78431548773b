// The load test from the command line: its table, and its end when most requests fail.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLine } from '../sdk/line.ts';
import { openApp } from '../support/shared-app.ts';
import { openTool } from './tool.ts';

test('a load test of whole lives of orders shows a table for people', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  const { code, out, err } = await tool.run(['load', '--seconds', '1', '--connections', '1', '--orders']);
  assert.equal(code, 0, err);
  assert.match(out, /what\s+done\s+a second\s+p50\s+p95\s+p99\s+errors/);
  assert.match(out, /^order lives +[1-9]\d* .* none$/m);
  assert.match(out, /The books hold/);
});

test('a load test that fails more often than not ends with 1', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const line = await openLine(t, app.url);
  const tool = await openTool(t, { url: line.url, key: await app.key(['*']) });
  const refused = { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":{"code":"NO"}}' };
  line.play('/balance/credit', ...Array.from({ length: 100_000 }, () => refused));
  assert.equal((await tool.run(['load', '--seconds', '1', '--connections', '2'])).code, 1);
});
