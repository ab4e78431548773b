// `holdfast statement` and `holdfast orders receipt`: on the screen, as JSON and as files, and the public link of a receipt.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { openOrders } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openTool } from './tool.ts';

const shared = shareInFile((t) => openOrders(t, { env: { PUBLIC_RECEIPTS: 'on' } }));

test('a statement is shown as a table and as JSON, and written as PDF, HTML and CSV', async (t) => {
  const { app } = shared();
  const { run, folder } = await openTool(t, { url: app.url, key: await app.key(['read']) });
  const id = await app.aUser({ available: '12.34' });
  const month = new Date().toISOString().slice(0, 7);
  const shown = await run(['statement', id, '--month', month]);
  assert.deepEqual([shown.code, /closing +12\.34/.test(shown.out)], [0, true], shown.out + shown.err);
  const { json } = await run(['statement', id, '--json']);
  assert.equal(json.closing.total, '12.34');
  for (const [format, start] of [
    ['pdf', '%PDF-'],
    ['html', '<!doctype html>'],
  ] as const) {
    const file = path.join(folder, `statement.${format}`);
    const written = await run(['statement', id, '--month', month, `--${format}`, file]);
    assert.equal(written.code, 0, written.err);
    const bytes = await readFile(file);
    assert.equal(bytes.subarray(0, start.length).toString().toLowerCase(), start.toLowerCase());
    assert.match(written.out, new RegExp(`${bytes.length} bytes`));
  }
  const csv = path.join(folder, 'statement.csv');
  const { from, to } = json;
  assert.equal((await run(['statement', id, '--from', from, '--to', to, '--csv', csv])).code, 0);
  const answer = await app.call(`GET /users/${id}/statement?from=${from}&to=${to}&format=csv`);
  assert.equal(await readFile(csv, 'utf8'), answer.text);
  for (const other of ['--html', '--csv']) {
    const both = await run(['statement', id, '--pdf', 'a.pdf', other, 'a.other']);
    assert.deepEqual([both.code, /not both|one of/.test(both.err)], [2, true]);
  }
});

test('a receipt is shown, and its public link is created and revoked', async (t) => {
  const { app, anOrder } = shared();
  const { run } = await openTool(t, { url: app.url, key: await app.key(['read', 'write']) });
  const order = await anOrder({ at: 'IN_PROGRESS' });
  const shown = await run(['orders', 'receipt', order.id]);
  assert.deepEqual([shown.code, /paid into escrow +100\.00 USD/.test(shown.out)], [0, true], shown.out + shown.err);
  const created = await run(['orders', 'receipt', order.id, '--link', '--days', '7', '--json']);
  assert.equal((await fetch(created.json.url)).status, 200);
  const revoked = await run(['orders', 'receipt', order.id, '--revoke-link']);
  assert.match(revoked.out, /does not work any more/);
  assert.equal((await fetch(created.json.url)).status, 404);
  assert.equal((await run(['orders', 'receipt', order.id, '--link', '--days', 'many'])).code, 2);
});
