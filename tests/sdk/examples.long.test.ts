// Every program of the guide does what the guide says, as a process of its own against a real server.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { signWebhook } from '@holdfast/sdk';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { MASTER_KEY, type TestApp } from '../support/app.ts';
import { openApp, openPeopleApp } from '../support/shared-app.ts';

const EXAMPLES = path.resolve(import.meta.dirname, '../../sdk/examples');

const start = (t: TestContext, name: string, env: Record<string, string>) => {
  const child = spawn(process.execPath, [path.join(EXAMPLES, `${name}.ts`)], { env: { ...process.env, ...env } });
  const said = { out: '', err: '' };
  child.stdout.on('data', (piece) => (said.out += piece));
  child.stderr.on('data', (piece) => (said.err += piece));
  const ended = once(child, 'close').then(([code]) => code as number);
  afterwards(t, () => child.kill('SIGKILL'));
  return { child, said, ended };
};

const settingsOf = async (app: TestApp) => ({
  HOLDFAST_URL: app.url,
  HOLDFAST_KEY: await app.key(['*']),
  HOLDFAST_SECOND_KEY: await app.key(['*']),
  HOLDFAST_MASTER_KEY: MASTER_KEY,
  // The programs are no children of this test to their own test runner.
  NODE_TEST_CONTEXT: '',
});

/** Programs that end without a signal, and their output. */
const SAYS: Readonly<Record<string, RegExp>> = {
  'quick-start':
    /^The order is CLOSED: RELEASED\nThe seller has 38\.00 USD\n(\S+Z order\.\w+\n)+\S+Z order\.released\n\S+Z order\.closed\n$/,
  errors: /^1000000\.00 wanted, 60\.00 USD there\n$/,
  idempotency: /^(\d+\.00) and still \1\ntrue\n$/,
  lists: /^(\w+\n){3,}2 and [12], more: (true|false)\n\d+ users\n$/,
  'webhook-test': /^order\.released, signed v1,\S+\n$/,
  'surface-b': /^released: 60\ncredit 57 USD\n$/,
  'policy-freelance':
    /^The author gets 450\.00, the fee is 50\.00\nDraft: RELEASED 200\.00, fee 20\.00\nFinal text: RELEASED 300\.00, fee 30\.00\nRELEASED, the author has 450\.00\n$/,
  'policy-shop':
    /^reminder PENDING\nauto_release PENDING\norder\.deadline_reminder\norder\.deadline_passed\nThe seller has 56\.70\n$/,
  'policy-rental':
    /^(The owner: 582\.00 to 630\.50\nThe tenant: 0\.00 to 150\.00|The tenant: 0\.00 to 150\.00\nThe owner: 582\.00 to 630\.50)\nSPLIT: 630\.50 to the owner, 150\.00 back, fee 19\.50\n$/,
  'top-up': /^Send the payer to confirmationUri\nTOPUP_SUCCEEDED: 25\.00 USD\n$/,
  milestones: /^The seller has 95\.00, 200\.00 are in escrow\nCLOSED: 285\.00 for the seller, fee 15\.00\n$/,
  dispute: /^scratch\.txt, 22 bytes\nRESOLVED, SPLIT: 20\.00 and 40\.00\nThe seller has 19\.00\n$/,
  withdrawal: /^20\.00 are reserved\nWITHDRAWAL_COMPLETED, 30\.00 left\n$/,
  fees: /^usual: 4\.00 of 80\.00, the seller gets 76\.00\nby policy: 1\.90, the seller gets 78\.10\nfor this order: 0\.00, the seller gets 80\.00\ncomputed: 4\.00, the seller gets 76\.00\n$/,
  amounts:
    /^25\.00, \$25\.00, 2500 cents\n19\.99, 1\.67, -1\ntrue false\n"twenty" is not a valid amount\. Use digits and a point only.*\n$/,
  statements: /^100\.00, then 100\.00\n-12\.50, then 87\.50\ntogether 87\.50\n6 lines of CSV, .*\n$/,
  approvals: /^APPROVED\n5000\.00\n$/,
  'own-tests': /pass 3\n[\s\S]*fail 0\n/,
  'time-outs': /^GET \/health #1: 200\nThe service is ok\nECONNREFUSED\n$/,
};

/** Programs that run until they are stopped. */
const ON_AND_ON = ['events', 'webhooks'];

test('every example is run by a test', () => {
  const names = globSync('*.ts', { cwd: EXAMPLES }).map((file) => path.basename(file, '.ts'));
  assert.deepEqual(names.sort(), [...Object.keys(SAYS), ...ON_AND_ON].sort());
});

test('programs that end without a signal print the output of the guide', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const env = await settingsOf(app);
  const envOfSurfaceB = await settingsOf(await openPeopleApp(t, { sandbox: true }));
  for (const [name, says] of Object.entries(SAYS)) {
    const { said, ended } = start(t, name, name === 'surface-b' ? envOfSurfaceB : env);
    assert.equal(await ended, 0, `${name}: ${said.err}`);
    assert.match(said.out, says, name);
  }
});

test('the reader of events resumes at its checkpoint after a restart', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser({ available: '1.00' });
  const cursorFile = path.join(await temporaryFolder(t), 'cursor.txt');
  const env = { ...(await settingsOf(app)), CURSOR_FILE: cursorFile };
  const first = start(t, 'events', env);
  await until(() => first.said.out.includes('+1.00'), 'the credit was seen');
  await app.call(`POST /users/${userId}/balance/debit`, { body: { amount: '0.25' } });
  await until(() => first.said.out.includes('-0.25'), 'the debit was seen');
  first.child.kill('SIGINT');
  assert.equal(await first.ended, 0, first.said.err);
  assert.match(first.said.out, /stopped at \d{4}-.*Z\n$/);
  const cursor = await readFile(cursorFile, 'utf8');
  assert.ok(first.said.out.includes(cursor));
  const second = start(t, 'events', env);
  await app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '3.00' } });
  await until(() => second.said.out.includes('+3.00'), 'the next credit was seen');
  assert.equal(second.said.out, `${userId} +3.00 USD\n`);
});

test('the receiver of webhooks accepts signed messages and refuses others', async (t) => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const { said } = start(t, 'webhooks', { WEBHOOK_SECRET: secret, PORT: '0' });
  await until(() => /port: \d+/.test(said.out), 'it listens');
  const url = `http://127.0.0.1:${/port: (\d+)/.exec(said.out)![1]}/`;
  const event = { eventId: 'evt_1', eventType: 'order.released', payload: { sellerId: 'usr_grace' } };
  const good = await fetch(url, { method: 'POST', ...(await signWebhook(event, { secret })) });
  const bad = await fetch(url, { method: 'POST', ...(await signWebhook(event, { secret: 'another' })) });
  assert.deepEqual([good.status, bad.status], [204, 400]);
  await until(() => said.out.includes('usr_grace is paid'), 'the event was handled');
});
