// Opening credits that were sent before: by another API key, with another amount, years ago, or by another run at the same time. None of
// them is credited twice.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import { type Any, CSV, countsOf, FILES, openImport } from './fixture.ts';

const RULE = [{ action: 'balance.credit', amountFrom: '100.00', currency: 'USD' }];
const MORE = { 'balances.csv': CSV['balances.csv'].replace('100.5,', '110.5,') };

const codesOf = (rows: Any): string[][] =>
  rows.filter(({ what }: Any) => what === 'balance of ada in USD').map(({ what, code }: Any) => [what, code]);

test('a credit that waits is not sent again by another API key, nor with another amount', async (t) => {
  const app = await startApp(t);
  const { apply, run, tool, write, done, balanceOf, marketplaceId } = await openImport(t, app);
  await write(CSV);
  await done('PUT /approval-rules', RULE);
  const waiting = await apply(FILES);
  assert.equal(waiting.code, 4, waiting.err + waiting.out);
  const args = [...FILES, '--apply', waiting.json.plan];
  const other = await app.key(['*'], marketplaceId);
  const repeated = await tool.run(['--key', other, 'import', ...args, '--json']);
  assert.equal(repeated.code, 4, repeated.err + repeated.out);
  assert.deepEqual(codesOf(repeated.json.waiting), [['balance of ada in USD', 'APPROVAL_PENDING']]);
  const [pending, ...more] = await done('GET /approvals');
  assert.deepEqual(more, [], 'there is no second request');

  await write(MORE);
  const changed = await run(FILES);
  assert.equal(changed.code, 1);
  assert.match(changed.json.problems.join(), new RegExp(`${pending.id} waits with 155.50 USD, .* now says 165.50`));
  assert.equal((await run([...FILES, '--apply', changed.json.plan])).code, 1);
  assert.equal((await done('GET /approvals')).length, 1);

  await write(CSV);
  const approved = await app.call(`POST /approvals/${pending.id}/approve`, { key: other });
  assert.equal(approved.status, 200, approved.text);
  assert.equal((await tool.run(['--key', other, 'import', ...args, '--json'])).code, 0);
  assert.deepEqual(await balanceOf('ada'), ['100.50', '55.00']);
});

test('a credit whose approval was rejected is reported, and the run after it asks anew', async (t) => {
  const app = await startApp(t);
  const { apply, run, write, done, marketplaceId } = await openImport(t, app);
  await write(CSV);
  await done('PUT /approval-rules', RULE);
  const { json } = await apply(FILES);
  const args = [...FILES, '--apply', json.plan];
  const [pending] = await done('GET /approvals?status=PENDING');
  const key = await app.key(['*'], marketplaceId);
  const rejected = await app.call(`POST /approvals/${pending.id}/reject`, { key, body: { reason: 'not yet' } });
  assert.equal(rejected.status, 200, rejected.text);
  const refused = await run(args);
  assert.equal(refused.code, 1, refused.err + refused.out);
  assert.deepEqual(codesOf(refused.json.refused), [['balance of ada in USD', 'APPROVAL_REJECTED']]);
  assert.equal((await run(args)).code, 4);
  assert.equal((await done('GET /approvals?status=PENDING')).length, 1);
});

test('a key that was used with other data stops its row, and no later run takes another key', async (t) => {
  const app = await startApp(t);
  const { apply, run, tool, write, balanceOf, marketplaceId } = await openImport(t, app);
  const setLimit = async (limit: Record<string, string>): Promise<void> => {
    const body = { currency: 'USD', ...limit };
    const { status, text } = await app.call(`PUT /marketplaces/${marketplaceId}/limits`, { key: MASTER_KEY, body });
    assert.equal(status, 200, text);
  };
  await write(CSV);
  await setLimit({ manualCreditPerUserDay: '50.00' });
  assert.equal((await apply(FILES)).code, 1);
  await setLimit({});
  await rm(path.join(tool.folder, 'import-opening.jsonl'));
  await write(MORE);
  const first = await apply(FILES);
  const second = await run([...FILES, '--apply', first.json.plan]);
  for (const { code, json } of [first, second]) {
    assert.equal(code, 1);
    assert.deepEqual(codesOf(json.refused), [['balance of ada in USD', 'IDEMPOTENCY_KEY_REUSED']]);
    assert.match(json.refused[0].reason, /Restore the row in the source/);
  }
  assert.deepEqual(await balanceOf('ada'), ['0.00', '0.00']);
});

/** Forwards every request. Before the first opening credit, another API key sends the same one. */
const startRival = async (t: Hooks, app: TestApp) => {
  const rival: { key: string | null } = { key: null };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const { method = 'GET', url = '/' } = request;
    const { key } = rival;
    if (key !== null && method === 'POST' && url.endsWith('/balance/credit')) {
      rival.key = null;
      await app.call(`POST ${url.replace('/api/v1', '')}`, { key, body: JSON.parse(body.toString()) });
    }
    const { host: _, connection: _c, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(`${app.url}${url}`, { method, headers, ...(body.length === 0 ? {} : { body }) });
    const text = await answer.text();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { rival, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

test('a credit that another run has booked in the same moment is already there', async (t) => {
  const app = await startApp(t);
  const { rival, url } = await startRival(t, app);
  const { apply, write, balanceOf, assertProof, marketplaceId } = await openImport(t, app, { url });
  await write({ ...CSV, 'balances.csv': 'externalUserId,currency,available,reserved\nada,USD,100.50,60.00\n' });
  rival.key = await app.key(['*'], marketplaceId);
  const applied = await apply(FILES);
  assert.equal(applied.code, 0, applied.err + applied.out);
  assert.equal(rival.key, null, 'the other key was first');
  assert.deepEqual(countsOf(applied)['opening balances'], [1, 0, 1, 0, 0]);
  assert.deepEqual(await balanceOf('ada'), ['100.50', '55.00']);
  await assertProof();
});

test('a credit from more than two years ago is found', async (t) => {
  const app = await startApp(t);
  const { apply, run, write, tool, balanceOf, marketplaceId } = await openImport(t, app);
  await write(CSV);
  const applied = await apply(FILES);
  assert.equal(applied.code, 0, applied.err + applied.out);
  const before = "- interval '800 days'";
  await app.sql('alter table postings disable trigger user');
  await app.sql(`update postings set posted_at = posted_at ${before} where marketplace_id = $1`, [marketplaceId]);
  await app.sql(`update users set created_at = created_at ${before} where marketplace_id = $1`, [marketplaceId]);
  await app.sql('delete from idempotency_answers where marketplace_id = $1', [marketplaceId]);
  await app.sql('alter table postings enable trigger user');
  await rm(path.join(tool.folder, 'import-opening.jsonl'));
  const repeated = await run(FILES);
  assert.deepEqual(countsOf(repeated)['opening balances'], [3, 0, 3, 0, 0], repeated.out);
  assert.deepEqual(await balanceOf('ada'), ['100.50', '55.00']);
});
