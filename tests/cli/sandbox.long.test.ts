// The sandbox from the command line: deposits, payments, faults, its clock, the demo, and a load test that is interrupted.
// load-sample.test.ts is about what a load test measures, load.long.test.ts has whole ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { startApp } from '../support/app.ts';
import { openTool } from './tool.ts';

test('the sandbox from the command line, with a server of its own', { timeout: 300_000 }, async (t) => {
  const app = await startApp(t, { sandbox: true, env: { DEPOSIT_POLL_S: '1' } });
  const key = await app.key(['*']);
  const tool = await openTool(t, { url: app.url, key });
  const ok = async (...args: string[]) => {
    const ended = await tool.run(args);
    assert.equal(ended.code, 0, ended.err);
    return ended;
  };

  await t.test('a deposit is paid to a user who was made a moment ago, and credited', async () => {
    const user = await app.aUser({ key });
    assert.equal((await tool.run(['trigger', 'deposit', user])).code, 2);
    assert.match((await ok('trigger', 'deposit', user, '--amount', '7.50')).out, /Paid 7\.50 USDC/);
    await until(async () => (await tool.run(['users', 'show', user, '--json'])).json.balance.available === '7.50');
  });

  await t.test('a payin fails with its reason, and a payout completes', async () => {
    const user = await app.aUser({ key, available: '50.00' });
    const topup = (await ok('topups', 'create', user, '5.00', '--ids')).out.trim();
    await ok('trigger', 'payin.failed', topup, '--reason', 'declined');
    assert.match((await ok('topups', 'show', topup)).out, /TOPUP_FAILED/);
    const created = await ok('withdrawals', 'create', user, '5.00', '--email', 'a@shop.example', '--ids');
    const withdrawal = created.out.trim();
    const pulls = async () => (await tool.run(['trigger', 'payout.completed', withdrawal])).code === 0;
    await until(pulls, 'the completion');
    await until(async () => (await ok('withdrawals', 'show', withdrawal)).out.includes('WITHDRAWAL_COMPLETED'));
  });

  await t.test('a fault is armed, listed, strikes and is cleared', async () => {
    await ok('faults', 'add', 'deploy', 'refusal', '--count', '20');
    assert.match((await ok('faults', 'list')).out, /deploy\s+refusal\s+20/);
    assert.match((await ok('faults', 'list', '--known')).out, /payout-commit\s+timeout/);
    const struck = await tool.run(['orders', 'run', '--amount', '9.00']);
    assert.equal(struck.code, 1);
    await ok('faults', 'clear');
    assert.match((await ok('faults', 'list')).err, /No faults are armed/);
    assert.equal((await tool.run(['faults', 'add', 'deploy', 'nonsense'])).code, 1);
  });

  await t.test('the clock goes forward by as much as is said', async () => {
    const before = Date.parse((await ok('clock', 'show')).out.trim());
    const { time } = (await ok('clock', 'advance', '1d', '2h', '--json')).json;
    assert.ok(Date.parse(time) - before >= 26 * 3_600_000);
  });

  await t.test('the demo prints each step and ends with a table of all balances', async () => {
    const { out, err } = await ok('demo');
    assert.equal(err.match(/^✓ /gm)?.length, 8);
    assert.match(out, /Where every cent is[\s\S]*Liabilities[\s\S]*available to users +\d+\.\d\d +█/);
    assert.match(out, /Assets[\s\S]*difference 0\.00\n/);
    assert.match(out, /Balanced: every cent/);
  });

  await t.test('the proof says in one line that its assets contain test money', async () => {
    const { out } = await ok('proof');
    assert.match(out, /^Sandbox: test money is in the assets, and with a minus in the manual adjustments\.$/m);
    assert.equal((await ok('proof', '--json')).json.holds, true);
  });

  await t.test('a load test that is interrupted ends at once, and its exit code says that it was', async () => {
    const running = tool.start(['load', '--seconds', '600', '--connections', '1', '--verbose']);
    await running.says('GET /health 200');
    running.interrupt();
    assert.equal((await running.ended).code, 130);
  });
});
