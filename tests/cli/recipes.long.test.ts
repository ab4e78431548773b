// docs/recipes.md: its `sh` examples run from top to bottom, and its program pays each seller once a week.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { runPage } from './run-page.ts';
import { ROOT } from './tool.ts';

test('every recipe runs, one after the other', { timeout: 290_000 }, async (t) => {
  const app = await startApp(t, { sandbox: true });
  // The recipe about a leaked key creates one, which only the master key may.
  const { said } = await runPage(t, { page: 'docs/recipes.md', app, key: MASTER_KEY });
  assert.match(said, /TOPUP_AWAITING_USER_CONFIRMATION/);
  // 1000.00 and credits of 5.00 (sent twice, booked once) and 10.00; 60.00 and 40.00 were paid to the seller, 20.00 are in escrow.
  const users = (await app.call('GET /users?externalUserId=recipes-ada', { key: MASTER_KEY })).body.data.data;
  assert.equal(users[0].balance.available, '895.00');
});

test('the weekly payout pays a seller once, also when it runs twice', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const env = { ...process.env, HOLDFAST_URL: app.url, HOLDFAST_KEY: await app.key(['read', 'payout']) };
  const seller = async (externalUserId: string, amount: string) => {
    const body = { externalUserId, email: `${externalUserId}@shop.example`, type: 'SELLER' };
    const { id } = (await app.call('POST /users', { body })).body.data;
    await app.call(`POST /users/${id}/balance/credit`, { body: { amount } });
    return id as string;
  };
  const rich = await seller('rich', '75.50');
  await seller('poor', '19.99');
  const program = path.join(ROOT, 'sdk/examples/recipes/weekly-payouts.ts');
  const run = async () => (await promisify(execFile)(process.execPath, [program], { env })).stdout;

  assert.equal(await run(), 'rich: 75.50 USD, WITHDRAWAL_COMMITTED\n');
  await app.call(`POST /users/${rich}/balance/credit`, { body: { amount: '30.00' } });
  assert.equal(await run(), 'rich: not paid, IDEMPOTENCY_KEY_REUSED\n');
  const paid = (await app.call(`GET /withdrawals?userId=${rich}`)).body.data.data;
  assert.deepEqual(
    paid.map(({ amount }: { amount: string }) => amount),
    ['75.50'],
  );
});
