// An export whose connection breaks: the SDK continues it, and the command-line tool continues the file of an earlier run. The result has
// the bytes of an uninterrupted export.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { Holdfast } from '../../sdk/src/index.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openTool } from '../cli/tool.ts';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';

/** Passes requests on, and breaks the connection after this many bytes of each answer, while it is told to. */
const openBreaker = async (t: TestContext, { url }: Pick<TestApp, 'url'>) => {
  const state = { breakAfter: Number.POSITIVE_INFINITY, requests: [] as string[] };
  const server = createServer((incoming, outgoing) => {
    state.requests.push(incoming.url!);
    const { method, headers } = incoming;
    const passed = request(`${url}${incoming.url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      let left = state.breakAfter;
      answer.on('data', (bytes: Buffer) => {
        outgoing.write(bytes.subarray(0, Math.max(left, 0)));
        left -= bytes.length;
        if (left < 0) setImmediate(() => outgoing.destroy());
      });
      answer.on('end', () => outgoing.end());
    });
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const open = async (t: TestContext) => {
  const app = await openApp(t);
  for (let made = 0; made < 5; made++) await app.aUser({ available: '1.00' });
  const key = await app.key(['read']);
  const breaker = await openBreaker(t, app);
  const to = new Date().toISOString();
  const { text: whole } = await app.call(`GET /exports/journal?format=jsonl&to=${to}`, { key });
  return { app, key, breaker, to, whole };
};

test('the SDK continues an export after each loss of the connection', async (t) => {
  const { key, breaker, to, whole } = await open(t);
  breaker.state.breakAfter = 400;
  const client = new Holdfast({ url: breaker.url, apiKey: key });
  const journal = await client.exports.journal({ format: 'jsonl', to });
  const received: Uint8Array[] = [];
  for await (const bytes of journal.bytes) received.push(bytes);
  assert.equal(Buffer.concat(received).toString('utf8'), whole);
  assert.ok(breaker.state.requests.length > 3, String(breaker.state.requests.length));
  await assert.rejects(client.exports.journal({ from: to, to }), { code: 'VALIDATION_ERROR' });
});

test('an end that was not given is the same in every part', async (t) => {
  const { app, key, breaker } = await open(t);
  breaker.state.breakAfter = 500;
  const client = new Holdfast({ url: breaker.url, apiKey: key });
  const journal = await client.exports.journal({ format: 'csv' });
  const received: Uint8Array[] = [];
  for await (const bytes of journal.bytes) {
    received.push(bytes);
    await app.aUser({ available: '2.00' });
  }
  const again = await app.call(`GET /exports/journal?format=csv&to=${journal.to}`, { key });
  assert.equal(Buffer.concat(received).toString('utf8'), again.text);
});

test('the tool continues the file of an earlier run, and checks its hash', async (t) => {
  const { key, breaker, to, whole } = await open(t);
  const tool = await openTool(t, { url: breaker.url, key });
  const args = ['export', '--format', 'jsonl', '--to', to, '--out', 'books.jsonl'];
  const file = (name: string): string => path.join(tool.folder, name);
  breaker.state.breakAfter = 0;
  const broken = await tool.run(args);
  assert.notEqual(broken.code, 0);
  await writeFile(file('books.jsonl.part'), whole.slice(0, 700));
  breaker.state.breakAfter = Number.POSITIVE_INFINITY;
  const done = await tool.run(args);
  assert.equal(done.code, 0, done.err);
  assert.match(done.err, /Continuing books\.jsonl\.part after 700 bytes/);
  assert.match(done.out, /books\.jsonl: \d+ postings, \d+ bytes, complete and with the right hash/);
  assert.equal(await readFile(file('books.jsonl'), 'utf8'), whole);
  assert.deepEqual(
    (await readdir(tool.folder)).filter((name) => name.startsWith('books')),
    ['books.jsonl'],
  );
  const shown = await tool.run(['export', '--format', 'jsonl', '--to', to]);
  assert.equal(shown.out, whole);
});

test('the tool replaces no file unless the command says so', async (t) => {
  const { app, key, to, whole } = await open(t);
  const tool = await openTool(t, { url: app.url, key });
  const args = ['export', '--format', 'jsonl', '--to', to, '--out', 'books.jsonl'];
  const file = path.join(tool.folder, 'books.jsonl');
  for (const [content, told] of [
    ['my notes\n', /books\.jsonl exists and is not a complete export\. .*--force/],
    [whole, /books\.jsonl is a complete export already\. .*--force/],
  ] as const) {
    await writeFile(file, content);
    const refused = await tool.run(args);
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(refused.err, told);
    assert.equal(await readFile(file, 'utf8'), content);
    assert.equal((await tool.run([...args, '--force'])).code, 0);
    assert.equal(await readFile(file, 'utf8'), whole);
  }
});

test('a part that was altered is noticed, and the next run begins anew', async (t) => {
  const { key, breaker, to, whole } = await open(t);
  const tool = await openTool(t, { url: breaker.url, key });
  const args = ['export', '--format', 'jsonl', '--to', to, '--out', 'books.jsonl'];
  const part = path.join(tool.folder, 'books.jsonl.part');
  await writeFile(part, whole.slice(0, 700).replace('1.0', '9.0'));
  await writeFile(`${part}.json`, JSON.stringify({ format: 'jsonl', from: null, named: to, to }));
  const altered = await tool.run(args);
  assert.equal(altered.code, 1);
  assert.match(altered.err, /does not have the hash of its last line/);
  assert.equal((await tool.run(args)).code, 0);
  assert.equal(await readFile(path.join(tool.folder, 'books.jsonl'), 'utf8'), whole);
});
