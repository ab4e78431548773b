// Stored answers that carry a secret: the caller can have them again, the database alone cannot tell them.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';

const server = shareInFile((t) => startApp(t));

/** Every table's every row as text. */
const wholeDatabase = async (app: TestApp): Promise<string> => {
  const tables = await app.sql(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    for (const row of await app.sql(`select r::text as text from "${name}" r`)) texts.push(row.text);
  }
  return texts.join('\n');
};

const twice = async (app: TestApp, request: string, ask: { key: string; body?: object }) => {
  const idempotencyKey = randomUUID();
  const call = () => app.call(request, { ...ask, headers: { 'idempotency-key': idempotencyKey } });
  const first = await call();
  const again = await call();
  assert.deepEqual([first.status, again.status, again.headers.get('idempotency-replay')], [201, 201, 'true']);
  assert.equal(again.text, first.text);
  return { idempotencyKey, data: first.body.data };
};

test('a created key, a rotated key and a token are replayed, and none can be read in the database', async () => {
  const app = server();
  const made = await twice(app, 'POST /auth/api-keys', {
    key: MASTER_KEY,
    body: { name: 'Shop', scopes: ['read', 'write'] },
  });
  const rotated = await twice(app, `POST /auth/api-keys/${made.data.id}/rotate`, { key: MASTER_KEY });
  const token = await twice(app, `POST /auth/api-keys/${made.data.id}/token`, { key: rotated.data.key });
  for (const bearer of [made.data.key, rotated.data.key, token.data.token]) {
    assert.equal((await app.call('GET /auth/me', { key: bearer })).status, 200);
  }
  const text = await wholeDatabase(app);
  const secrets = [
    made.data.key,
    made.data.key.slice(-43),
    rotated.data.key,
    rotated.data.key.slice(-43),
    token.data.token,
    token.data.token.split('.')[2],
    ...[made, rotated, token].map((each) => each.idempotencyKey),
    ...[made, rotated, token].map((each) => each.idempotencyKey.replaceAll('-', '')),
  ];
  for (const secret of secrets) assert.equal(text.includes(secret), false);
  const sealed = await app.sql("select count(*)::int as count from idempotency_answers where body like 'sealed.v1.%'");
  assert.equal(sealed[0].count, 3);
});

test('an Idempotency-Key is stored as a hash, also where the answer is no secret', async () => {
  const app = server();
  const idempotencyKey = randomUUID();
  const headers = { 'idempotency-key': idempotencyKey };
  assert.equal((await app.call('POST /users', { headers, body: { externalUserId: 'ada' } })).status, 201);
  assert.equal((await wholeDatabase(app)).includes(idempotencyKey), false);
});
