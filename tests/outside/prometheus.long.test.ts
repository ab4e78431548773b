// promtool of Prometheus accepts the alert rules and the metrics of a server at work, and the most important alerts fire for their cause
// and only for it.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { findProgram } from '../../tools/cluster/balancer.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { startApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';
import { ROOT, readText } from '../tidy/sources.ts';

const NO_TOOLS = 'promtool is not installed: apt-get install prometheus';
const ALERTS = path.join(ROOT, 'deploy/prometheus/alerts.yaml');

const findPromtool = (): Promise<string | null> => findProgram('promtool');

const run = async (program: string, args: readonly string[]): Promise<{ isFine: boolean; said: string }> =>
  promisify(execFile)(program, args).then(
    ({ stdout }) => ({ isFine: true, said: stdout }),
    ({ stdout, stderr }) => ({ isFine: false, said: `${stdout}${stderr}` }),
  );

/** What promtool finds in these metrics, a line each. */
const remarksOn = async (promtool: string, metrics: string): Promise<string[]> => {
  const child = spawn(promtool, ['check', 'metrics'], { stdio: ['pipe', 'ignore', 'pipe'] });
  const said = text(child.stderr);
  child.stdin.end(metrics);
  return (await said).split('\n').filter((line) => line !== '');
};

test('promtool accepts the alert rules', async (t) => {
  const promtool = await findPromtool();
  if (promtool === null) return t.skip(NO_TOOLS);
  const { isFine, said } = await run(promtool, ['check', 'rules', ALERTS]);
  assert.ok(isFine, said);
  const count = readText('deploy/prometheus/alerts.yaml').match(/- alert:/g)!.length;
  assert.match(said, new RegExp(`${count} rules found`));
  return undefined;
});

test('the alerts fire for their cause, name it, and are silent without it; a rule with another limit fails', async (t) => {
  const promtool = await findPromtool();
  if (promtool === null) return t.skip(NO_TOOLS);
  const folder = await temporaryFolder(t);
  const judge = async (rules: string) => {
    await writeFile(path.join(folder, 'alerts.yaml'), rules);
    await writeFile(path.join(folder, 'tests.yaml'), readText('tests/outside/alerts.yaml'));
    return run(promtool, ['test', 'rules', path.join(folder, 'tests.yaml')]);
  };
  const rules = readText('deploy/prometheus/alerts.yaml');
  const { isFine, said } = await judge(rules);
  assert.ok(isFine, said);
  const changed = rules.replace('min(holdfast_proof_holds) == 0', 'max(holdfast_proof_holds) == 0');
  assert.notEqual(changed, rules);
  assert.match((await judge(changed)).said, /alertname: ProofDoesNotHold/);
  return undefined;
});

test('promtool has no remark on the metrics of a server after orders, a dispute, a top-up and a withdrawal', async (t) => {
  const promtool = await findPromtool();
  if (promtool === null) return t.skip(NO_TOOLS);
  const app = await startApp(t, { sandbox: true });
  const { anOrder, aDispute, aTopup, aWithdrawal, done } = builderOf(app);
  const order = await anOrder({ at: 'IN_PROGRESS' });
  await done(`POST /orders/${order.id}/resolution/release`);
  await aDispute();
  await done(`POST /sandbox/payins/${(await aTopup()).id}/confirm`);
  await done(`POST /withdrawals/${(await aWithdrawal()).id}/commit`);
  await app.call('GET /orders/unknown');
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  const families = metrics.match(/^# TYPE /gm)!.length;
  assert.ok(families > 60, `${families} metrics`);
  assert.deepEqual(await remarksOn(promtool, metrics), []);
  const wrong = '# HELP holdfast_x_total X.\n# TYPE holdfast_x_total gauge\nholdfast_x_total 1\n';
  assert.equal((await remarksOn(promtool, metrics + wrong)).length, 1, 'a remark is noticed');
  t.diagnostic(`${families} metrics, no remark`);
  return undefined;
});
