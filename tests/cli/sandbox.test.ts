// The sandbox from the command line: triggers, and a server without a sandbox. sandbox.long.test.ts has payments, faults and the clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { openTool } from './tool.ts';

test('the sandbox from the command line', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  const ok = async (...args: string[]) => {
    const ended = await tool.run(args);
    assert.equal(ended.code, 0, ended.err);
    return ended;
  };

  await t.test(
    'trigger without arguments lists what there is; with a wrong or half name it is wrong usage',
    async () => {
      assert.match((await ok('trigger')).out, /payin\.succeeded\s+a top-up/);
      assert.equal((await tool.run(['trigger', 'payin.exploded', 'x'])).code, 2);
      const half = await tool.run(['trigger', 'payin.succeeded']);
      assert.equal(half.code, 2);
      assert.match(half.err, /needs a top-up/);
    },
  );

  await t.test('the escrow provider repeats what is true of an order', async () => {
    const order = (await ok('orders', 'run', '--amount', '9.00', '--ids')).out.trim();
    assert.match((await ok('trigger', 'escrow.funded', order)).out, /escrow\.funded about ord_\w+ was processed/);
  });
});

test('where there is no sandbox, what plays with money is refused, and the proof has no test money', async (t) => {
  const app = await openApp(t);
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  for (const args of [['load', '--seconds', '1'], ['demo'], ['faults', 'list']]) {
    assert.equal((await tool.run(args)).code, 1, args.join(' '));
  }
  assert.equal((await tool.run(['orders', 'run', '--amount', '1.00'])).code, 2);
  await app.aUser({ available: '5.00' });
  const { out } = await tool.run(['proof']);
  assert.match(out, /^USD +5\.0+ /m);
  assert.doesNotMatch(out, /test money/);
});
