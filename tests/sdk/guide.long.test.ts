// Every step of the guide does what its page says: as a process of its own, in order, against a real server with the sandbox.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { openApp } from '../support/shared-app.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGES = globSync('docs/guide/*.md', { cwd: ROOT }).sort();

/** What differs from run to run, as the pages write it. */
const normal = (text: string): string =>
  text
    .replace(/\b([a-z]{3})_[0-9A-Z]{26}\b/g, '$1_…')
    .replace(/http:\/\/127\.0\.0\.1:\d+\/payin\/[\w-]+/g, 'http://127.0.0.1:4010/payin/…')
    .replace(/\bC[A-Z2-7]{55}\b/g, 'C…');

/** The program that a page runs, and what it prints according to the page. */
const claimOf = (page: string): { program: string; prints: string } => {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const [, program, prints] =
    /^```console\n\$ npx node (sdk\/examples\/guide\/\S+\.ts)\n([\s\S]*?)^```$/m.exec(text) ?? [];
  assert.ok(program && prints, `${page} shows no run of its program`);
  return { program, prints };
};

const start = (t: TestContext, program: string, env: Record<string, string>) => {
  const child = spawn(process.execPath, [path.join(ROOT, program)], { env: { ...process.env, ...env } });
  const said = { out: '', err: '' };
  child.stdout.on('data', (piece) => (said.out += piece));
  child.stderr.on('data', (piece) => (said.err += piece));
  const ended = once(child, 'close').then(([code]) => code as number);
  afterwards(t, () => child.kill('SIGKILL'));
  return { child, said, ended };
};

test('the steps of the guide print what their pages show', { timeout: 280_000 }, async (t) => {
  const app = await openApp(t, { sandbox: true });
  const cursor = path.join(await temporaryFolder(t), 'cursor.txt');
  const env = { HOLDFAST_URL: app.url, HOLDFAST_KEY: await app.key(['*']), CURSOR_FILE: cursor };
  assert.equal(PAGES.length, 10);
  for (const page of PAGES) {
    const { program, prints } = claimOf(page);
    const { child, said, ended } = start(t, program, env);
    if (program.endsWith('08-events.ts')) {
      // It runs until Ctrl-C.
      await until(() => normal(said.out).length >= prints.length, `${page}: ${said.out}${said.err}`);
      child.kill('SIGINT');
    }
    assert.equal(await ended, 0, `${page}: ${said.out}${said.err}`);
    assert.equal(normal(said.out), prints, page);
  }

  // The service of step 8 continues after the last event that it has handled.
  const again = start(t, 'sdk/examples/guide/08-events.ts', env);
  const buyerId = await app.aUser();
  const sellerId = await app.aUser();
  await app.call('POST /orders', { body: { buyerId, sellerId, amount: '1.00' } });
  await until(() => again.said.out !== '', 'the new order was seen');
  assert.equal(again.said.out, 'order.created\n');
});

test('a step that is run too early says what to do', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const env = { HOLDFAST_URL: app.url, HOLDFAST_KEY: await app.key(['*']) };
  const { said, ended } = start(t, 'sdk/examples/guide/04-escrow.ts', env);
  assert.equal(await ended, 1);
  assert.match(said.err, /There is no order guide-website\. Run the steps of the guide in order\./);
});
