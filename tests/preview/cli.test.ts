// `--dry-run` of the CLI: a table for people, JSON for programs, the refusal of the server, and nothing changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTool } from '../cli/tool.ts';
import { openApp } from '../support/shared-app.ts';

test('--dry-run shows what a command would do, and changes nothing', async (t) => {
  const app = await openApp(t);
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  const userId = await app.aUser({ available: '10.00' });
  const shown = await tool.run(['users', 'credit', userId, '5.00', '--dry-run']);
  assert.equal(shown.code, 0, shown.err);
  assert.match(shown.out, /Preview: the request would succeed\. Nothing was changed\./);
  assert.match(shown.out, /credit\s+5\.00 USD\s+operator:adjustments/);
  assert.match(shown.out, /10\.00\s+15\.00\s+0\.00\s+0\.00/);
  assert.match(shown.out, /Events: balance\.credited/);
  const { json, code } = await tool.run(['users', 'debit', userId, '4.00', '--dry-run', '--json']);
  assert.equal(code, 0);
  assert.deepEqual(json.balances[0].after, { available: '6.00', reserved: '0.00' });
  const refused = await tool.run(['users', 'debit', userId, '99.00', '--dry-run']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /INSUFFICIENT_FUNDS|too low|not enough/i);
  const { body } = await app.call(`GET /users/${userId}/balance`);
  assert.equal(body.data.available, '10.00');
  assert.equal((await tool.run(['users', 'list', '--dry-run'])).code, 2);
});
