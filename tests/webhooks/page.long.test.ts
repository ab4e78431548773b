// docs/webhooks.md: its commands run from top to bottom, its two receivers take what the server sends, and its links have targets.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { signWebhook } from '@holdfast/sdk';
import { ROWS } from '../../server/src/config/settings.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { blocksOf, commandLines, parseOnly } from '../cli/command-lines.ts';
import { BIN, openTool } from '../cli/tool.ts';
import { ROOT, readText } from '../tidy/sources.ts';
import { openSending } from './fixture.ts';

const page = readText('docs/webhooks.md');

/** Does what `curl -sf url -H header … -d body` does, for machines without curl. */
const CURL = `const words = process.argv.slice(1);
  const after = (flag) => words.filter((_, at) => words[at - 1] === flag);
  const headers = Object.fromEntries(after("-H").map((each) => each.split(/: (.*)/).slice(0, 2)));
  const answer = await fetch(words.find((each) => each.startsWith("http")), { method: "POST", headers, body: after("-d")[0] });
  process.stdout.write(await answer.text());
  process.exitCode = answer.ok ? 0 : 22;`;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
};

type Run = { readonly folder: string; readonly env: Record<string, string> };

const runShell = async (script: string, { folder, env }: Run): Promise<string> => {
  const child = spawn('bash', ['--norc', '-x'], { cwd: folder, env: { ...env, NODE: process.execPath } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const curl = `command -v curl > /dev/null || curl() { "$NODE" --input-type=module -e '${CURL}' "$@"; }`;
  const npx = `npx() { shift; "$NODE" "${BIN}" "$@"; }`;
  child.stdin.end(['set -euo pipefail', curl, npx, script].join('\n'));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, said.slice(-3_000));
  return said;
};

/** A program of the page, in a process of its own. */
const startProgram = async (t: TestContext, text: string, { folder, env }: Run) => {
  const file = path.join(folder, `receiver-${env.PORT}.mjs`);
  await writeFile(file, text);
  const child = spawn(process.execPath, [file], { cwd: folder, env });
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said.text += chunk));
  const ended = once(child, 'close');
  afterwards(t, async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const url = `http://127.0.0.1:${env.PORT}/`;
  const isUp = () => fetch(url).then(Boolean, () => false);
  await until(isUp, `it listens: ${said.text}`);
  return { said, url };
};

const statusOf = async (url: string, signed: Awaited<ReturnType<typeof signWebhook>>): Promise<number> =>
  (await fetch(url, { method: 'POST', ...signed })).status;

test('the commands run, both receivers take what the server sends, and refuse what is not signed', async (t) => {
  const app = await openSending(t);
  const key = await app.key(['*']);
  const { folder, env } = await openTool(t, { url: app.url, key });
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const port = await freePort();
  const [create, ...rest] = blocksOf(page, 'sh').map((block) => block.replaceAll('4100', String(port)));
  await runShell(create!, { folder, env });
  const { id, secret } = JSON.parse(readFileSync(path.join(folder, 'endpoint.json'), 'utf8')).data;

  const [bySdk, byHand] = blocksOf(page, 'js');
  const secretEnv = { ...env, WEBHOOK_SECRET: secret };
  const first = await startProgram(t, bySdk!, { folder, env: { ...secretEnv, PORT: String(port) } });
  const said = await runShell(rest.join('\n'), { folder, env });
  assert.match(said, /^result +delivered\nanswer +204$/m);
  await until(() => first.said.text.includes('balance.credited usr_'), 'the receiver has printed an event');
  assert.doesNotMatch(first.said.text, /webhook\.test/);

  // The rotation of the page has made a second secret; the one that the receivers have is still valid.
  const second = await startProgram(t, byHand!, { folder, env: { ...secretEnv, PORT: String(await freePort()) } });
  const changed = await app.call(`PATCH /webhook-endpoints/${id}`, { body: { url: second.url } });
  assert.equal(changed.status, 200, changed.text);
  const userId = await app.aUser({ available: '3.00' });
  await until(() => second.said.text.includes(`balance.credited ${userId}`), 'the receiver has printed the event');

  const event = { eventId: 'evt_1', eventType: 'order.released', aggregateId: 'ord_1' };
  for (const { url } of [first, second]) {
    assert.equal(await statusOf(url, await signWebhook(event, { secret })), 204);
    assert.equal(await statusOf(url, await signWebhook(event, { secret: 'whsec_AAAA' })), 400);
    const timestamp = new Date(Date.now() - 3_600_000);
    assert.equal(await statusOf(url, await signWebhook(event, { secret, timestamp })), 400);
  }
});

test('commands, settings, links and headings that the page names exist', async () => {
  const lines = blocksOf(page, 'sh').flatMap(commandLines);
  assert.ok(lines.length > 10);
  for (const words of lines) await assert.doesNotReject(parseOnly(words), words.join(' '));
  const known: readonly string[] = ROWS.map(({ setting }) => setting.name);
  const named = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=\w+)?`/g)].map(([, name]) => name!);
  const ours = ['WEBHOOK_SECRET', 'FAILED_FOR_DAYS'];
  assert.deepEqual(
    named.filter((name) => !known.includes(name) && !ours.includes(name)),
    [],
  );
  const anchorsOf = (file: string): string[] =>
    [...readText(file).matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
      text!
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
  for (const [, file, anchor] of page.matchAll(/\]\((?!http)([^)#]*)(?:#([\w-]+))?\)/g)) {
    const target = file === '' ? 'docs/webhooks.md' : `docs/${file}`;
    assert.ok(existsSync(path.join(ROOT, target)), target);
    if (anchor) assert.ok(anchorsOf(target).includes(anchor), `${target}#${anchor}`);
  }
});
