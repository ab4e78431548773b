// What is kept and shown about operators: ended sessions are deleted after their time, and colleagues do not see addresses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { trimSessions } from '../../server/src/modules/operator-sessions/queries.ts';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { anOperator, ask, invite, signIn } from '../support/operator-fixture.ts';

const DAY_MS = 86_400_000;

test('sessions that were over before the time are deleted with their uses, and open ones are not', async (t) => {
  const app = await startApp(t);
  const operator = await anOperator(app, { role: 'admin' });
  const ended = await signIn(app, operator);
  await ask(app, 'DELETE /console/session', ended);
  const open = await signIn(app, operator);
  const old = new Date(Date.now() - 91 * DAY_MS).toISOString();
  await app.sql('update operator_sessions set expires_at = $1 where id = $2', [old, ended.sessionId]);
  await app.sql(
    `insert into operator_session_uses (marketplace_id, session_id, last_used_at) values ('mkt_default', $1, $2)
     on conflict (marketplace_id, session_id) do update set last_used_at = excluded.last_used_at`,
    [ended.sessionId, old],
  );
  const pool = new pg.Pool({ ...app.connection, max: 1 });
  const olderThan = new Date(Date.now() - 90 * DAY_MS).toISOString();
  try {
    assert.equal(await trimSessions(pool, { olderThan, batch: 10 }), 1);
    assert.equal(await trimSessions(pool, { olderThan, batch: 10 }), 0);
  } finally {
    await pool.end();
  }
  const left = (await app.sql('select id from operator_sessions')).map(({ id }) => id);
  assert.ok(left.includes(open.sessionId) && !left.includes(ended.sessionId));
  assert.deepEqual(await app.sql('select 1 from operator_session_uses where session_id = $1', [ended.sessionId]), []);
  assert.equal((await open.call('GET /auth/me')).status, 200);
  const { text } = await app.call('GET /audit/logs?action=OPERATOR_SIGNED_IN', { key: MASTER_KEY });
  assert.ok(text.includes(ended.sessionId));
});

test('only callers who may do everything see the addresses of others', async (t) => {
  const app = await startApp(t);
  const invited = await invite(app, { email: 'grace@shop.example', name: 'Grace Hopper' });
  const viewer = await anOperator(app, { role: 'viewer' });
  const admin = await anOperator(app, { role: 'admin' });
  const path = `GET /operators/${invited.id}`;
  const reading = await app.key(['read']);
  const everything = await app.key(['*']);
  const seen = [
    (await viewer.call(path)).body.data.email,
    (await app.call(path, { key: reading })).body.data.email,
    (await admin.call(path)).body.data.email,
    (await app.call(path, { key: everything })).body.data.email,
    (await app.call(path, { key: MASTER_KEY })).body.data.email,
  ];
  assert.deepEqual(seen, [null, null, 'grace@shop.example', 'grace@shop.example', 'grace@shop.example']);
  assert.equal((await viewer.call(path)).body.data.name, 'Grace Hopper');
  const listed = (await viewer.call('GET /operators')).body.data.data as { id: string; email: string | null }[];
  assert.deepEqual(
    listed.filter(({ email }) => email !== null).map(({ id }) => id),
    [viewer.id],
  );
});
