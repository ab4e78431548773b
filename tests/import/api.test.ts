// An import from a server that answers like the nearest comparable system.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { type Any, countsOf, openImport } from './fixture.ts';
import { OTHER_KEY, startOtherSystem } from './other-system.ts';

test('from a system that writes numbers, refuses parameters and says nothing about pages', async (t) => {
  const old = await startOtherSystem(t);
  const { run, apply, done, userOf, balanceOf } = await openImport(t, await openApp(t));
  const source = ['--source-url', `${old.url}/`];
  const refused = await run(source);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /The source refuses the key \(401/);

  const applied = await apply([...source, '--source-key', OTHER_KEY]);
  assert.equal(applied.code, 0, applied.err + applied.out);
  assert.deepEqual(countsOf(applied), {
    users: [15, 15, 0, 0, 0],
    'opening balances': [2, 2, 0, 0, 0],
    orders: [3, 1, 0, 2, 0],
  });
  assert.deepEqual(await balanceOf('old usr_000'), ['90071992547.41', '25.00'], 'a float would be off by a cent');
  assert.deepEqual(await balanceOf('old usr_001'), ['0.10', '0.00']);
  const { email, name } = await userOf('old usr_014');
  assert.deepEqual([email, name], ['usr_014@old.example', 'Name of usr_014']);
  const [order] = await done('GET /orders?clientOrderRef=ord_1');
  assert.deepEqual(
    [order.status, order.platformFee, order.metadata.rank, order.milestones.map(({ amount }: Any) => amount)],
    ['FUNDS_RESERVED', '2.50', 7, ['10.50', '14.50']],
  );
  assert.deepEqual([...new Set(old.seen.map((each) => each.split(' ')[0]))], ['GET'], 'the source is only read');
  assert.ok(!(applied.out + applied.err).includes(OTHER_KEY));
});
