// An order and a dispute from creation to their end, each step from the command line. orders.long.test.ts has the other commands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { openTool } from './tool.ts';

test('orders and disputes from the command line', { timeout: 300_000 }, async (t) => {
  const app = await openApp(t, { sandbox: true });
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  const buyer = await app.aUser({ available: '500.00' });
  const seller = await app.aUser();
  const sides = ['--buyer', buyer, '--seller', seller];
  const step = async (...args: string[]) => {
    const ended = await tool.run(['orders', ...args, '--json']);
    assert.equal(ended.code, 0, ended.err);
    return ended.json;
  };

  await t.test('an order goes through every step, and its timeline shows the hashes of the ledger', async () => {
    const milestones = ['--milestone', 'draft:30.00:The draft', '--milestone', 'site:20.00:The site'];
    const { id, amount } = await step('create', ...sides, '--title', 'A website', ...milestones);
    assert.equal(amount, '50.00');
    assert.equal((await step('reserve', id)).status, 'FUNDS_RESERVED');
    assert.equal((await step('escrow', id)).status, 'ESCROW_FUNDING');
    assert.equal((await step('fund', id)).status, 'IN_PROGRESS');
    const early = await tool.run(['orders', 'release', id]);
    assert.equal(early.code, 1);
    await step('complete', id, 'draft');
    const done = await step('complete', id);
    assert.ok(done.milestones.every((each: { status: string }) => each.status === 'COMPLETED'));
    assert.equal((await step('release', id, '--reason', 'as agreed')).finalStatus, 'RELEASED');

    const shown = await tool.run(['orders', 'show', id]);
    assert.match(shown.out, /● event\s+order\.created/);
    assert.match(shown.out, /◆ ledger .*\n.*│\s+[0-9a-f]{64}/);
    assert.doesNotMatch(shown.out, /· audit/);
    assert.match((await tool.run(['orders', 'show', id, '--audit'])).out, /· audit\s+ORDER_CREATED/);
    const { timeline } = (await tool.run(['orders', 'show', id, '--json'])).json;
    assert.equal(timeline.orderId, id);
  });

  await t.test('a dispute is opened, assigned and split', async () => {
    const { id } = (await tool.run(['orders', 'run', ...sides, '--amount', '60.00', '--json'])).json;
    const opened = await tool.run(['disputes', 'open', id, '--by', 'BUYER', '--reason', 'QUALITY_ISSUE', '--ids']);
    const dispute = opened.out.trim();
    assert.match((await tool.run(['disputes', 'list', '--status', 'OPEN'])).out, new RegExp(dispute));
    assert.match((await tool.run(['disputes', 'list', '--after', '2020-01-01'])).out, new RegExp(dispute));
    assert.match((await tool.run(['disputes', 'list', '--before', '2020-01-01'])).err, /No matching disputes/);
    assert.match((await tool.run(['disputes', 'assign', dispute, 'grace'])).out, /assigned to\s+grace/);
    const wrong = ['--decision', 'SPLIT', '--seller', '35.00', '--buyer', '1.00'];
    const refused = await tool.run(['disputes', 'resolve', dispute, ...wrong]);
    assert.match(refused.err, /--seller and --buyer must sum to 60\.00/);
    const split = ['--decision', 'SPLIT', '--seller', '35.00', '--buyer', '25.00', '--note', 'half done'];
    const resolved = await tool.run(['disputes', 'resolve', dispute, ...split, '--json']);
    assert.equal(resolved.code, 0, resolved.err);
    assert.deepEqual([resolved.json.sellerAmount, resolved.json.buyerAmount], ['35.00', '25.00']);
    assert.match((await tool.run(['disputes', 'show', dispute])).out, /decision\s+SPLIT/);
  });

  await t.test('an invalid milestone and an unknown order have different exit codes', async () => {
    const wrong = await tool.run(['orders', 'create', ...sides, '--milestone', 'nonsense']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /draft:40\.00:The first draft/);
    const unknown = await tool.run(['orders', 'show', 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAV']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /holdfast orders list/);
  });
});
