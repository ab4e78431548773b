// Commands that write: nothing is done before everything that was typed is looked at, and what was done is always said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLine } from '../sdk/line.ts';
import { MASTER_KEY } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { openTool } from './tool.ts';

const LOST = ['lose-answer', 'lose-answer', 'lose-answer'] as const;
const AWAY = ['lose-request', 'lose-request', 'lose-request'] as const;

test('commands that write', { timeout: 300_000 }, async (t) => {
  const app = await openApp(t, { sandbox: true });
  const key = await app.key(['*']);
  const line = await openLine(t, app.url);
  const tool = await openTool(t, { url: line.url, key });
  const balanceOf = async (id: string): Promise<string> =>
    (await tool.run(['users', 'show', id, '--json'])).json.balance.available;

  await t.test('a mistyped amount, currency or sum is wrong usage, and no user is created', async () => {
    for (const args of [
      ['users', 'create', 'ada', '--credit', 'abc'],
      ['orders', 'run', '--amount', '0.00'],
      ['orders', 'run', '--amount', '20.001'],
      ['orders', 'run', '--amount', '5.00', '--currency', 'YEN'],
      ['orders', 'run', '--amount', '5.00', '--milestone', 'draft:4.00:The draft'],
      ['events', 'tail', '--since', '999999999w'],
    ]) {
      assert.equal((await tool.run(args)).code, 2, args.join(' '));
    }
    assert.equal((await tool.run(['users', 'list', '--ids'])).out, '');
  });

  await t.test('a user who cannot be read back after the write is said to be made, and ends with 0', async () => {
    line.play('GET /api/v1/users/', ...AWAY);
    const { code, out, err } = await tool.run(['users', 'create', 'grace', '--credit', '5.00']);
    assert.equal(code, 0, err);
    assert.match(err, /usr_\w+ was created and 5\.00 credited, but it could not be read back/);
    assert.match(out, /USD\s+5\.00/);
  });

  await t.test('a credit in doubt names the key that makes a repeat harmless', async () => {
    const { id } = (await tool.run(['users', 'create', 'linus', '--json'])).json;
    line.play('/balance/credit', ...LOST);
    const { code, err } = await tool.run(['users', 'credit', id, '5.00']);
    assert.equal(code, 3);
    const [, repeat] = /repeat the command with --idempotency-key ([0-9a-f-]{36})/.exec(err) ?? [];
    assert.ok(repeat, err);
    assert.equal((await tool.run(['users', 'credit', id, '5.00', '--idempotency-key', repeat])).code, 0);
    assert.equal(await balanceOf(id), '5.00');
    assert.equal((await tool.run(['users', 'credit', id, '5.00', '--idempotency-key', 'again'])).code, 2);
  });

  await t.test('a credit in doubt after its user was made says how to go on', async () => {
    line.play('/balance/credit', ...LOST);
    const { code, err } = await tool.run(['users', 'create', 'edsger', '--credit', '7.00']);
    assert.equal(code, 3);
    assert.doesNotMatch(err, /repeat the command/);
    const [, again] = /To retry it: holdfast (users credit .*)\n/.exec(err) ?? [];
    const { json } = await tool.run([...again!.split(' '), '--json']);
    assert.equal(json.available, '7.00');
  });

  await t.test('a refused credit after its user was made is called refused', async () => {
    const body = JSON.stringify({
      error: {
        code: 'INSUFFICIENT_SCOPE',
        message: 'The key lacks a scope that this route needs. See details.requiredScope.',
        details: { requiredScope: 'treasury', scopes: ['read', 'write'] },
      },
    });
    line.play('/balance/credit', { status: 403, headers: { 'content-type': 'application/json' }, body });
    const { code, err } = await tool.run(['users', 'create', 'barbara', '--credit', '7.00']);
    assert.equal(code, 1);
    assert.match(err, /^The user was created: usr_\w+\. The credit was refused:\nINSUFFICIENT_SCOPE: The key lacks/);
    assert.match(err, /Required scope: treasury/);
    assert.doesNotMatch(err, /not confirmed/);
  });

  await t.test('a refusal without details is printed too, and its text cannot control the terminal', async () => {
    const body = JSON.stringify({ error: { code: 'VALIDATION_ERROR', message: 'no \u001b[31mred\u202e here' } });
    line.play('/users', { status: 400, headers: { 'content-type': 'application/json' }, body });
    const { code, err } = await tool.run(['users', 'list']);
    assert.deepEqual([code, err.split('\n')[0]], [1, 'VALIDATION_ERROR: no red here']);
  });

  await t.test('--ids is refused before anything is done where there is no id', async () => {
    const { id } = (await tool.run(['users', 'create', 'linus', '--json'])).json;
    assert.equal((await tool.run(['users', 'credit', id, '5.00', '--ids'])).code, 2);
    assert.equal(await balanceOf(id), '5.00');
  });

  await t.test('a key that is made with --ids gives its id, and says what became of the secret', async () => {
    const { out, err } = await tool.run([
      ...['keys', 'create', 'shop', '--ids', '--key', MASTER_KEY, '--marketplace', app.marketplaceId],
    ]);
    assert.match(out, /^key_\w+\n$/);
    assert.match(err, /secret is not shown with --ids/);
  });

  await t.test('a load test with more connections than it may have is wrong usage', async () => {
    assert.equal((await tool.run(['load', '--connections', '100000'])).code, 2);
  });
});
