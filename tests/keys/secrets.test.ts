// Secrets appear only in the answer that shows them.

import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type KeyServer, MASTER, openKeyServer } from './key-server.ts';

let server: KeyServer;
before(async () => {
  server = await openKeyServer();
});
after(() => server.close());

const KEYS = '/auth/api-keys';

const everythingStored = async (): Promise<string> => {
  const tables = await server.pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  let text = '';
  for (const { name } of tables.rows) {
    const { rows } = await server.pool.query(`select t::text as row from "${name}" t`);
    for (const { row } of rows) text += `${row}\n`;
  }
  return text;
};

test('keys, tokens and the master key are in no table and in no log line, also when answers are stored', async () => {
  const headers = () => ({ 'idempotency-key': randomUUID() });
  const body = { name: 'Secret keeper', scopes: ['*'] };
  const made = (await server.ask('POST', KEYS, { key: MASTER, body, headers: headers() })).body.data;
  const rotated = (await server.ask('POST', `${KEYS}/${made.id}/rotate`, { key: made.key, headers: headers() })).body
    .data;
  const issued = await server.ask('POST', `${KEYS}/${made.id}/token`, { key: rotated.key, headers: headers() });
  const { token } = issued.body.data;
  await server.statusOf(token);
  await server.statusOf(`${made.key}wrong`);
  await server.uses.close();

  const places = { stored: await everythingStored(), logged: server.logs.join('\n') };
  assert.ok(places.stored.includes(made.id), 'the tables were read');
  assert.ok(places.logged.includes(made.id), 'the log was kept');
  for (const secret of [made.key.slice(-43), rotated.key.slice(-43), token, token.split('.')[2], MASTER]) {
    for (const [place, text] of Object.entries(places)) assert.equal(text.includes(secret), false, place);
    const hex = Buffer.from(secret).toString('hex');
    assert.equal(places.stored.includes(hex), false, 'as bytes');
  }
});

test('the audit trail shows every change of a key, without its secrets or their hashes', async () => {
  const { id, key } = await server.makeKey({
    name: 'Audited',
    marketplaceId: 'mkt_audit',
    expiresAt: '2090-01-01T00:00:00Z',
  });
  const rotated = (await server.ask('POST', `${KEYS}/${id}/rotate`, { key })).body.data.key;
  await server.ask('POST', `${KEYS}/${id}/token`, { key: rotated, body: { scopes: ['read'] } });
  for (let i = 0; i < 2; i++) {
    await server.ask('DELETE', `${KEYS}/${id}`, { key: MASTER, headers: { 'x-marketplace-id': 'mkt_audit' } });
  }
  const { rows } = await server.pool.query(
    "select action, resource_id, actor_type, actor_id, payload_after from audit_entries where marketplace_id = 'mkt_audit' order by seq",
  );
  assert.deepEqual(
    rows.map((row) => [row.action, row.resource_id, row.actor_type, row.actor_id]),
    [
      ['API_KEY_CREATED', id, 'master', 'master'],
      ['API_KEY_ROTATED', id, 'api_key', id],
      ['API_TOKEN_ISSUED', id, 'api_key', id],
      ['API_KEY_REVOKED', id, 'master', 'master'],
    ],
  );
  const fields = rows.map((row) => Object.keys(JSON.parse(row.payload_after)));
  assert.deepEqual(fields, [
    ['name', 'scopes', 'expiresAt', 'rateLimit'],
    ['previousKeyExpiresAt'],
    ['tokenId', 'scopes', 'expiresAt'],
    ['status', 'revokedAt'],
  ]);
});

test('what is stored is the hash of the secret, and no answer ever shows it', async () => {
  const { id, key } = await server.makeKey();
  const { rows } = await server.pool.query('select secret_hash from api_keys where id = $1', [id]);
  assert.equal(rows[0].secret_hash, hash('sha256', key.slice(-43), 'base64'));
  const listed = await server.ask('GET', KEYS, { key: MASTER });
  assert.equal(listed.text.includes(rows[0].secret_hash), false);
});
