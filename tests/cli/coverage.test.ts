// Every operation of the API has a command, or a reason why it has none; and the commands for users, policies and deadlines work.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '../../cli/src/program.ts';
import { ROUTES } from '../../sdk/src/printed/routes.ts';
import { openApp } from '../support/shared-app.ts';
import { COMMANDS, LEFT_OUT } from './operations-covered.ts';
import { openTool } from './tool.ts';

const waysOf = (command: Command, way: readonly string[] = []): string[] =>
  command.commands.length === 0
    ? [way.join(' ')]
    : command.commands.flatMap((each) => waysOf(each, [...way, each.name()]));

test('every operation of the API has a command, or a reason why it has none', () => {
  const named = [...Object.keys(COMMANDS), ...Object.keys(LEFT_OUT)].sort();
  assert.deepEqual(named, Object.keys(ROUTES).sort());
  const ways = new Set(waysOf(createProgram()));
  assert.deepEqual(
    Object.entries(COMMANDS).filter(([, command]) => !ways.has(command)),
    [],
  );
});

test('users, policies and deadlines from the command line', { timeout: 300_000 }, async (t) => {
  const app = await openApp(t, { sandbox: true });
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  const done = async (...args: string[]) => {
    const ended = await tool.run([...args, '--json']);
    assert.equal(ended.code, 0, `${args.join(' ')}: ${ended.err}`);
    return ended.json;
  };
  const buyer = await app.aUser({ available: '100.00' });
  const seller = await app.aUser();

  await t.test('a user is changed key by key, previewed, and its fields are cleared', async () => {
    const changed = await done('users', 'update', buyer, '--name', 'Ada', '--set', 'plan=gold', '--set', 'age=7');
    assert.deepEqual([changed.name, changed.metadata], ['Ada', { plan: 'gold', age: 7 }]);
    const preview = await tool.run(['users', 'update', buyer, '--no-name', '--dry-run']);
    assert.match(preview.out, /Nothing was changed/);
    const cleared = await done('users', 'update', buyer, '--no-name', '--remove', 'age');
    assert.deepEqual([cleared.name, cleared.metadata], [null, { plan: 'gold' }]);
    assert.equal((await tool.run(['users', 'update', buyer])).code, 2);
  });

  await t.test('a user that exists with other data is named with what differs', async () => {
    await done('users', 'create', 'known', '--email', 'ada@shop.example');
    const again = await tool.run(['users', 'create', 'known', '--email', 'grace@shop.example']);
    assert.equal(again.code, 0, again.err);
    assert.match(again.err, /exists with another email, and was not changed/);
  });

  await t.test('money is reserved, released and canceled by hand', async () => {
    assert.equal((await done('users', 'reserve', buyer, '10.00', '--order', 'cart')).reserved, '10.00');
    assert.equal((await done('users', 'release', buyer, '4.00', '--order', 'cart')).reserved, '6.00');
    assert.equal((await done('users', 'reservations', buyer)).items[0].remaining, '6.00');
    assert.equal((await done('users', 'cancel-reservation', buyer, 'cart')).reserved, '0.00');
  });

  await t.test('a policy is published from a file, and its deadline is held, extended and triggered', async () => {
    const file = path.join(tool.folder, 'rules.json');
    await writeFile(file, JSON.stringify({ autoReleaseAfter: 'P7D', platformFee: { percent: '8' } }));
    assert.equal((await done('policies', 'create', 'standard', file)).version, 1);
    await writeFile(file, '{');
    assert.equal((await tool.run(['policies', 'create', 'standard', file])).code, 2);
    const sides = ['--buyer', buyer, '--seller', seller];
    const order = await done('orders', 'run', ...sides, '--amount', '20.00', '--policy', 'standard');
    assert.deepEqual([order.platformFeePercent, order.platformFeeAmount, order.sellerNet], ['8.00', '1.60', '18.40']);
    const held = await done('deadlines', 'hold', order.id, 'auto_release', '--reason', 'holiday');
    assert.equal(held.deadlines[0].status, 'HELD');
    await done('deadlines', 'resume', order.id, 'auto_release');
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const extended = await done('deadlines', 'extend', order.id, 'auto_release', until);
    assert.ok(extended.deadlines[0].at > order.deadlines[0].at);
    assert.equal((await tool.run(['deadlines', 'hold', order.id, 'soon'])).code, 2);
    const shown = await tool.run(['orders', 'show', order.id]);
    assert.match(shown.out, /platform fee\s+8\.00 %, 1\.60/);
    assert.match(shown.out, /seller gets\s+18\.40/);
  });

  await t.test('orders run leaves nothing behind when its order would be refused', async () => {
    const users = async (): Promise<number> => (await app.sql('select count(*)::int as n from users'))[0].n;
    const before = await users();
    const refused = [
      ['--amount', '20.001'],
      ['--amount', '20.00', '--policy', 'unknown'],
      ['--amount', '20.00', '--title', 'x'.repeat(201)],
      ['--milestone', 'a:5.00:One', '--milestone', 'a:5.00:Two'],
    ];
    for (const args of refused) assert.notEqual((await tool.run(['orders', 'run', ...args])).code, 0, args.join(' '));
    assert.equal(await users(), before);
  });
});
