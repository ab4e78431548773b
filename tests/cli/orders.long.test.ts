// Orders from the command line: whole runs, refunds, cancellations, disputes about a milestone, and lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { openTool } from './tool.ts';

test('orders and disputes from the command line, the other commands', { timeout: 300_000 }, async (t) => {
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

  await t.test(
    'orders run makes the users up, goes to the end, and what it says stays off standard output',
    async () => {
      const ended = await tool.run(['orders', 'run', '--amount', '20.00', '--release', '--json']);
      assert.equal(ended.code, 0, ended.err);
      assert.deepEqual([ended.json.status, ended.json.finalStatus], ['CLOSED', 'RELEASED']);
      assert.match(ended.err, /✓ funded: IN_PROGRESS/);
    },
  );

  await t.test('an order is refunded, another canceled, and a refund needs a reason', async () => {
    const onlyIds = await tool.run(['orders', 'run', ...sides, '--amount', '15.00', '--ids']);
    assert.match(onlyIds.out, /^ord_\w+\n$/);
    const id = onlyIds.out.trim();
    const silent = await tool.run(['orders', 'refund', id]);
    assert.equal(silent.code, 2);
    assert.equal((await step('refund', id, '--reason', 'out of stock')).finalStatus, 'REFUNDED');
    const other = await step('create', ...sides, '--amount', '3.00');
    assert.equal((await step('cancel', other.id)).finalStatus, 'CANCELED');
    const late = await tool.run(['orders', 'reserve', other.id]);
    assert.equal(late.code, 1);
    assert.match(late.err, /the order is CLOSED\. No further actions are possible\.\nRequest/);
  });

  await t.test('a dispute about a milestone gives the id of the dispute', async () => {
    const milestones = ['--milestone', 'draft:3.00:The draft', '--milestone', 'site:2.00:The site'];
    const order = (await tool.run(['orders', 'run', ...sides, '--amount', '5.00', ...milestones, '--ids'])).out.trim();
    const about = ['--by', 'BUYER', '--reason', 'QUALITY_ISSUE', '--ids'];
    const opened = await tool.run(['orders', 'milestone-dispute', order, 'site', ...about]);
    assert.match(opened.out, /^dsp_\w+\n$/, opened.err);
    const { json: dispute } = await tool.run(['disputes', 'show', opened.out.trim(), '--json']);
    assert.deepEqual([dispute.orderId, dispute.milestoneRef], [order, 'site']);
  });

  await t.test('a list can be filtered, cut into pages and gone on with', async () => {
    const first = (await tool.run(['orders', 'list', '--status', 'CLOSED', '--limit', '2', '--json'])).json;
    assert.deepEqual([first.items.length, first.hasMore], [2, true]);
    const page = await tool.run(['orders', 'list', '--limit', '2']);
    assert.match(page.err, /More results: --cursor ord_/);
    const next = await tool.run(['orders', 'list', '--status', 'CLOSED', '--cursor', first.nextCursor, '--ids']);
    assert.ok(!next.out.includes(first.items[0].id));
  });
});
