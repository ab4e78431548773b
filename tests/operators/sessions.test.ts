// Sessions of operators: the cookie, fixation, forged requests, expiry, the end of a session on every server, and who may end it.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createSessionAuthenticator } from '../../server/src/modules/operator-sessions/authenticator.ts';
import { formatSession, freshSecret } from '../../server/src/modules/operator-sessions/session-text.ts';
import { digestSecret } from '../../server/src/modules/operators/session.ts';
import { until } from '../../tools/until.ts';
import { codeOf as codeAndStatus, MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import {
  accept,
  anOperator,
  ask,
  cookiesOf,
  credentialsOf,
  invite,
  type Joined,
  signIn,
  tokenOf,
} from '../support/operator-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

const shared = shareInFile(startApp);
let app: TestApp;
let operator: Joined;
before(async () => {
  app = shared();
  operator = await anOperator(app, { role: 'admin' });
});

const newUser = { body: { externalUserId: 'someone' } };

test('the cookie is out of reach of scripts and other sites, and the token is not stored', async () => {
  const body = credentialsOf(operator);
  const answer = await ask(app, 'POST /console/session', { body });
  const [cookie] = answer.headers.getSetCookie();
  assert.match(
    cookie!,
    /^holdfast=hfs_default_[0-9A-Z]{26}_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  );
  const secret = /_([\w-]{43});/.exec(cookie!)![1]!;
  assert.equal(answer.text.includes(secret), false);
  const rows = await app.sql('select row_to_json(t)::text as text from operator_sessions t');
  for (const { text } of rows) assert.equal(text.includes(secret), false);
});

test('behind a proxy with TLS the cookie is bound to the host and to https, and the plain name is ignored', async (t) => {
  const secure = await startApp(t, { env: { TRUST_PROXY: '127.0.0.1' }, connection: app.connection });
  const headers = { 'x-forwarded-proto': 'https', origin: secure.url.replace('http:', 'https:') };
  const body = credentialsOf(operator);
  const answer = await ask(secure, 'POST /console/session', { body, headers });
  assert.equal(answer.status, 200, answer.text);
  const [cookie] = answer.headers.getSetCookie();
  assert.match(cookie!, /^__Host-holdfast=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/);
  const plain = cookiesOf(answer).replace('__Host-', '');
  const refused = await ask(secure, 'GET /console/session', { cookie: plain, headers });
  assert.equal(refused.status, 401);
  assert.equal((await ask(secure, 'GET /console/session', { cookie: cookiesOf(answer), headers })).status, 200);
});

test('fixation: a sign-in makes a new token, and one that was there before stays worthless', async () => {
  const planted = formatSession({ marketplaceId: 'mkt_default', sessionId: operator.sessionId, secret: freshSecret() });
  const body = credentialsOf(operator);
  const answer = await ask(app, 'POST /console/session', { body, cookie: `holdfast=${planted}` });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(cookiesOf(answer).includes(planted), false);
  assert.notEqual(answer.body.data.sessionId, operator.sessionId);
  assert.equal((await ask(app, 'GET /console/session', { cookie: `holdfast=${planted}` })).status, 401);
});

test('403 CSRF without the token, with another one, or from another origin; a read needs none of them', async () => {
  const { cookie, csrf } = operator;
  const other = await signIn(app, operator);
  const wrong: Record<string, Record<string, string>> = {
    'no token': { origin: app.url },
    'an empty token': { origin: app.url, 'x-csrf-token': '' },
    'the token of another session': { origin: app.url, 'x-csrf-token': other.csrf },
    'another origin': { origin: 'https://evil.example', 'x-csrf-token': csrf },
    'no origin': { 'x-csrf-token': csrf },
    'a cross-site request': { 'sec-fetch-site': 'cross-site', 'x-csrf-token': csrf },
    'a same-site request': { 'sec-fetch-site': 'same-site', origin: app.url, 'x-csrf-token': csrf },
    'an origin of null': { origin: 'null', 'x-csrf-token': csrf },
  };
  for (const [what, headers] of Object.entries(wrong)) {
    const answer = await app.call('POST /users', { key: null, ...newUser, headers: { cookie, ...headers } });
    assert.equal(codeAndStatus(answer), '403 CSRF', what);
  }
  assert.equal((await app.call('GET /users', { key: null, headers: { cookie } })).status, 200);
  const right: Record<string, string>[] = [{ origin: app.url }, { 'sec-fetch-site': 'same-origin' }];
  for (const headers of right) {
    const name = { externalUserId: JSON.stringify(headers) };
    const asked = { key: null, body: name, headers: { cookie, 'x-csrf-token': csrf, ...headers } };
    assert.equal((await app.call('POST /users', asked)).status, 201);
  }
});

test('another page cannot sign a browser in, accept an invitation, or begin a passkey', async () => {
  const token = tokenOf((await invite(app)).inviteUrl);
  const body = credentialsOf(operator);
  const wrong: Record<string, string>[] = [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
  for (const headers of wrong) {
    const asked = { isOwn: false, headers };
    assert.equal(codeAndStatus(await ask(app, 'POST /console/session', { ...asked, body })), '403 CSRF');
    assert.equal(
      codeAndStatus(await ask(app, 'POST /console/invite/totp', { ...asked, invitation: token })),
      '403 CSRF',
    );
    assert.equal(
      codeAndStatus(await ask(app, 'POST /console/invite', { invitation: token, ...asked, body: {} })),
      '403 CSRF',
    );
    assert.equal(codeAndStatus(await ask(app, 'POST /console/sign-in/passkey', asked)), '403 CSRF');
  }
});

test('a request with a key ignores the cookie, also when the key is not valid', async () => {
  const { cookie } = operator;
  const key = await app.key(['read']);
  const me = await app.call('GET /auth/me', { key, headers: { cookie } });
  assert.equal(me.body.data.type, 'api_key');
  assert.equal((await app.call('GET /auth/me', { key: 'hf_no_such_key', headers: { cookie } })).status, 401);
  const basic = await app.call('GET /auth/me', { key: null, headers: { cookie, authorization: 'Basic eDp5' } });
  assert.equal(basic.status, 401);
});

test('GET /console/session shows operator, token against forged requests, and limits; 401 for a key', async () => {
  const { cookie, csrf, id } = operator;
  const answer = await ask(app, 'GET /console/session', { cookie });
  const { data } = answer.body;
  assert.deepEqual(
    [data.operator.id, data.operator.role, data.operator.scopes, data.csrfToken, data.idleMinutes],
    [id, 'admin', ['*'], csrf, 30],
  );
  const withKey = { headers: { authorization: `Bearer ${MASTER_KEY}` } };
  assert.equal((await ask(app, 'GET /console/session', withKey)).status, 401);
  assert.equal((await ask(app, 'GET /console/session')).status, 401);
});

test('signing out ends the session for good and removes the cookie', async () => {
  const session = await signIn(app, operator);
  const { cookie, csrf } = session;
  assert.equal(codeAndStatus(await ask(app, 'DELETE /console/session', { cookie })), '403 CSRF');
  const answer = await ask(app, 'DELETE /console/session', { cookie, csrf });
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.headers.getSetCookie()[0]!, /^holdfast=; .*Max-Age=0/);
  assert.equal((await session.call('GET /users')).status, 401);
});

test('a session ends on every server at once: by its operator, by an administrator, never by another operator', async (t) => {
  const second = await startApp(t, { connection: app.connection });
  const person = await anOperator(app, { role: 'viewer' });
  const stranger = await anOperator(app, { role: 'finance' });
  const sessions = [await signIn(app, person), await signIn(app, person)];
  const onSecond = (cookie: string) => second.call('GET /users', { key: null, headers: { cookie } });
  for (const { cookie } of sessions) assert.equal((await onSecond(cookie)).status, 200);
  const listed = await sessions[0]!.call(`GET /operators/${person.id}/sessions`);
  const items = listed.body.data.data as { id: string; isOwn: boolean }[];
  assert.deepEqual(
    items.map(({ id, isOwn }) => [id, isOwn]),
    [sessions[1]!, sessions[0]!, person].map(({ sessionId }) => [sessionId, sessionId === sessions[0]!.sessionId]),
  );
  const path = (sessionId: string): string => `/operators/${person.id}/sessions/${sessionId}`;
  for (const request of [`GET /operators/${person.id}/sessions`, `DELETE ${path(person.sessionId)}`]) {
    assert.equal(codeAndStatus(await stranger.call(request)), '403 INSUFFICIENT_SCOPE');
    assert.equal(codeAndStatus(await app.call(request)), '403 INSUFFICIENT_SCOPE');
  }
  const byAdmin = await operator.call(`DELETE ${path(sessions[0]!.sessionId)}`);
  assert.equal(byAdmin.status, 200, byAdmin.text);
  await until(async () => (await onSecond(sessions[0]!.cookie)).status === 401, 'the end on the second server');
  assert.equal((await sessions[0]!.call('GET /users')).status, 401);
  assert.equal((await onSecond(sessions[1]!.cookie)).status, 200);
  assert.equal((await sessions[1]!.call(`DELETE ${path(person.sessionId)}`)).status, 200);
  assert.equal((await person.call('GET /users')).status, 401);
  const unknown = await operator.call(`DELETE /operators/${operator.id}/sessions/${sessions[1]!.sessionId}`);
  assert.equal(codeAndStatus(unknown), '404 OPERATOR_SESSION_NOT_FOUND');
});

test('an open stream of events ends with its session', async () => {
  const person = await anOperator(app);
  const response = await fetch(`${app.url}/api/v1/events`, { headers: { cookie: person.cookie } });
  assert.equal(response.status, 200);
  const ended = response.text();
  await app.call(`DELETE /operators/${person.id}`, { key: MASTER_KEY });
  assert.equal(typeof (await ended), 'string');
});

test('a session that was not used for the idle time is over on a server that never saw it', async (t) => {
  const person = await anOperator(app);
  await app.sql(
    `insert into operator_session_uses values ('mkt_default', $1, now() - interval '31 minutes')
    on conflict (marketplace_id, session_id) do update set last_used_at = excluded.last_used_at`,
    [person.sessionId],
  );
  const second = await startApp(t, { connection: app.connection });
  const answer = await second.call('GET /users', { key: null, headers: { cookie: person.cookie } });
  assert.equal(answer.status, 401);
});

const MINUTE = 60_000_000;

/** One session on a clock that the test moves. */
const clocked = () => {
  const start = Date.UTC(2026, 10, 17) * 1_000;
  const at = (micros: number): string => new Date((start + micros) / 1_000).toISOString();
  const clock = { now: start, reads: 0 };
  const secret = freshSecret();
  const row = {
    id: 'ses_01J9ZQ8H7K5M3N2P4R6S8T0V1W',
    operatorId: 'opr_01J9ZQ8H7K5M3N2P4R6S8T0V1W',
    secretHash: digestSecret(secret),
    method: 'password' as const,
    createdAt: at(0),
    lastUsedAt: null,
    expiresAt: at(12 * 60 * MINUTE),
    endedAt: null,
    name: 'Ada',
    role: 'viewer' as const,
    isEverywhere: false,
    isActive: true,
  };
  const authenticator = createSessionAuthenticator({
    find: async () => {
      clock.reads++;
      return row;
    },
    clock: () => clock.now,
    idleMs: 30 * 60_000,
  });
  const token = formatSession({ marketplaceId: 'mkt_default', sessionId: row.id, secret });
  return { clock, start, authenticator, check: async () => (await authenticator.authenticate(token)) !== null };
};

test('with a moved clock: 29 idle minutes pass, 30 do not, and use starts the time again', async () => {
  const { clock, check } = clocked();
  for (let uses = 0; uses < 4; uses++) {
    clock.now += 29 * MINUTE;
    assert.equal(await check(), true);
  }
  clock.now += 30 * MINUTE;
  assert.equal(await check(), false);
});

test('with a moved clock: after twelve hours a session is over, however much it was used', async () => {
  const { clock, start, check } = clocked();
  while (clock.now < start + (12 * 60 - 10) * MINUTE) {
    assert.equal(await check(), true);
    clock.now += 10 * MINUTE;
  }
  clock.now = start + 12 * 60 * MINUTE - 1;
  assert.equal(await check(), true);
  clock.now += 1;
  assert.equal(await check(), false);
});

test('a session in use is not read for every request, and is read again when it was forgotten', async () => {
  const { clock, authenticator, check } = clocked();
  for (let uses = 0; uses < 100; uses++) assert.equal(await check(), true);
  assert.equal(clock.reads, 1);
  authenticator.forget(['opr_01J9ZQ8H7K5M3N2P4R6S8T0V1W']);
  assert.equal(await check(), true);
  assert.equal(clock.reads, 2);
});

test('an invitation works once, also when it is accepted twice at the same time', async () => {
  const invited = await invite(app);
  const outcomes = await Promise.allSettled([accept(app, invited), accept(app, invited)]);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});
