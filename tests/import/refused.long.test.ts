// Rows that the server refuses or lets wait: the other rows go on, the exit code says so, and the same command completes the import later.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { type Any, CSV, countsOf, FILES, openImport } from './fixture.ts';

test('opening credits that wait for approval are imported once when they are approved', async (t) => {
  const app = await startApp(t);
  const { apply, run, write, done, balanceOf, assertProof, marketplaceId } = await openImport(t, app);
  await write(CSV);
  await done('PUT /approval-rules', [{ action: 'balance.credit', amountFrom: '100.00', currency: 'USD' }]);
  const waiting = await apply(FILES);
  assert.equal(waiting.code, 4, waiting.err + waiting.out);
  assert.deepEqual(
    waiting.json.waiting.map(({ what, code }: Any) => [what, code]),
    [
      ['balance of ada in USD', 'APPROVAL_PENDING'],
      ['reservation of order old-1', 'APPROVAL_PENDING'],
      ['reserved balance of ada in USD', 'APPROVAL_PENDING'],
    ],
  );
  assert.deepEqual(await balanceOf('grace'), ['0.01', '0.00'], 'the other rows are there');

  const args = [...FILES, '--apply', waiting.json.plan];
  assert.equal((await run(args)).code, 4);
  const [pending, ...more] = await done('GET /approvals?status=PENDING');
  assert.deepEqual(more, [], 'the second run made no second request');
  const other = await app.key(['*'], marketplaceId);
  const approved = await app.call(`POST /approvals/${pending.id}/approve`, { key: other });
  assert.equal(approved.status, 200, approved.text);
  const complete = await run(args);
  assert.equal(complete.code, 0, complete.err + complete.out);
  assert.deepEqual(await balanceOf('ada'), ['100.50', '55.00']);
  await assertProof();
});

test('a credit above the limit of a day is refused with its reason, and imported when the limit is raised', async (t) => {
  const app = await startApp(t);
  const { apply, run, write, balanceOf, marketplaceId } = await openImport(t, app);
  await write(CSV);
  const setLimit = async (perUser: string | null): Promise<void> => {
    const { status, text } = await app.call(`PUT /marketplaces/${marketplaceId}/limits`, {
      key: MASTER_KEY,
      body: { currency: 'USD', ...(perUser === null ? {} : { manualCreditPerUserDay: perUser }) },
    });
    assert.equal(status, 200, text);
  };
  await setLimit('50.00');
  const refused = await apply(FILES);
  assert.equal(refused.code, 1);
  assert.deepEqual(refused.json.refused[0]?.code, 'DAILY_LIMIT_EXCEEDED');
  assert.equal(countsOf(refused)['opening balances']![4], 1);
  await setLimit(null);
  const complete = await run([...FILES, '--apply', refused.json.plan]);
  assert.equal(complete.code, 0, complete.err + complete.out);
  assert.deepEqual(await balanceOf('ada'), ['100.50', '55.00']);
});
