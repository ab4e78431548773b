// Guessing of passwords, codes and invitations: every wrong attempt looks alike, each further one waits longer, on all servers together, and a
// code works once.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Answer, codeOf as codeAndStatus, MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import {
  anOperator,
  ask,
  codeAt,
  cookiesOf,
  credentialsOf,
  invite,
  type Joined,
  PASSWORD,
  stepNow,
  tokenOf,
} from '../support/operator-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

const shared = shareInFile((t) => startApp(t, { env: { TRUST_PROXY: '127.0.0.1' } }));
let app: TestApp;
before(() => {
  app = shared();
});

let addresses = 0;

/** Each attempt comes from an address of its own unless one is given, so that only the operator counts. */
const attempt = (body: object, address = `198.51.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`) =>
  ask(app, 'POST /console/session', { body, headers: { 'x-forwarded-for': address } });

const withoutId = ({ status, body }: Answer): unknown => {
  const { requestId: _, ...details } = body.error.details;
  return { status, ...body.error, details };
};

test('an unknown address, a wrong password, a wrong and a missing code, an invited and a disabled operator: one answer', async () => {
  const operator = await anOperator(app);
  const disabled = await anOperator(app);
  await app.call(`PATCH /operators/${disabled.id}`, { key: MASTER_KEY, body: { disabled: true } });
  const { email: invited } = await invite(app);
  const { email } = operator;
  const good = credentialsOf(operator);
  const attempts = {
    'unknown address': { email: 'unknown@shop.example', password: PASSWORD, code: '123456' },
    'wrong password': { ...good, password: 'not the right one' },
    'wrong code': { email, password: PASSWORD, code: '000000' },
    'wrong recovery code': { email, password: PASSWORD, code: 'aaaa-bbbb-cccc-dddd' },
    'no code': { email, password: PASSWORD },
    'invited, not joined': { email: invited, password: PASSWORD, code: '123456' },
    disabled: credentialsOf(disabled),
  };
  const answers = new Map<string, unknown>();
  for (const [what, body] of Object.entries(attempts)) {
    const answer = await attempt(body);
    assert.equal(codeAndStatus(answer), '401 SIGN_IN_FAILED', what);
    assert.deepEqual(answer.headers.getSetCookie(), []);
    answers.set(JSON.stringify(withoutId(answer)), what);
  }
  assert.equal(answers.size, 1, [...answers.keys()].join('\n'));
  assert.equal((await attempt(good)).status, 200);
});

test('invitations that never were, are malformed, were used or replaced: one answer, for every route', async () => {
  const operator = await invite(app);
  const replaced = tokenOf(operator.inviteUrl);
  await app.call(`POST /operators/${operator.id}/invite`, { key: MASTER_KEY });
  const last = replaced.at(-1) === 'A' ? 'B' : 'A';
  const bodies = new Set<string>();
  for (const token of [replaced, `${replaced.slice(0, -1)}${last}`, 'hfi_default', 'x', 'hff_abcdefgh_x_y']) {
    for (const request of ['GET /console/invite', 'POST /console/invite/totp']) {
      const answer = await ask(app, request, { invitation: token });
      assert.equal(codeAndStatus(answer), '404 INVITE_NOT_FOUND', `${request}: ${answer.text}`);
      bodies.add(JSON.stringify(withoutId(answer)));
    }
    const accepted = await ask(app, 'POST /console/invite', { invitation: token, body: { password: PASSWORD } });
    bodies.add(JSON.stringify(withoutId(accepted)));
  }
  assert.equal(bodies.size, 1);
});

/** The statuses of wrong attempts at one operator, each from another address. */
const guess = async (email: string, times: number): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (let time = 0; time < times; time++)
    answers.push(await attempt({ email, password: `guess ${time}`, code: '123456' }));
  return answers;
};

test('brute force: after five failures guesses wait and are refused with 429, for an unknown address just the same', async (t) => {
  const operator = await anOperator(app);
  const statuses = async (email: string) => (await guess(email, 7)).map(({ status }) => status);
  const known = await statuses(operator.email);
  const unknown = await statuses('no-such-operator@shop.example');
  assert.deepEqual(known.slice(0, 5), [401, 401, 401, 401, 401]);
  assert.ok(known.slice(5).includes(429), known.join());
  assert.deepEqual(unknown, known);
  // The counts are stored: another server knows them.
  const second = await startApp(t, { connection: app.connection, env: { TRUST_PROXY: '127.0.0.1' } });
  const body = { email: operator.email, password: 'one more guess', code: '123456' };
  const headers = { 'x-forwarded-for': '203.0.113.77' };
  assert.equal((await ask(second, 'POST /console/session', { body, headers })).status, 429);
  // The operator is not locked out: the right password is accepted after a wait.
  const right = await ask(second, 'POST /console/session', {
    body: credentialsOf(operator),
    headers: { 'x-forwarded-for': '203.0.113.78' },
  });
  assert.equal(right.status, 200, right.text);
});

test('brute force: one address that tries many operators is slowed down too', async () => {
  const statuses: number[] = [];
  for (let time = 0; time < 8; time++) {
    const body = { email: `person-${time}@shop.example`, password: 'the same for all', code: '123456' };
    statuses.push((await attempt(body, '203.0.113.9')).status);
  }
  assert.deepEqual(statuses.slice(0, 5), [401, 401, 401, 401, 401]);
  assert.ok(statuses.slice(5).includes(429), statuses.join());
});

const withCode = ({ email }: Joined, code: string) => ({ email, password: PASSWORD, code });

test('a code works once: again, earlier or later it is refused, also when it is sent twice at the same time', async () => {
  const operator = await anOperator(app);
  // The code of the invitation was used there.
  const [{ step }] = await app.sql('select totp_step::integer as step from operators where id = $1', [operator.id]);
  assert.equal((await attempt(withCode(operator, codeAt(operator.secret, step)))).status, 401);
  const next = withCode(operator, codeAt(operator.secret, step + 1));
  const both = await Promise.all([attempt(next), attempt(next), attempt(next)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401, 401]);
  assert.equal((await attempt(withCode(operator, codeAt(operator.secret, step - 1)))).status, 401);
  assert.equal((await attempt(withCode(operator, codeAt(operator.secret, step + 5)))).status, 401);
});

test('a recovery code works once, in any spelling, and is stored as a hash', async () => {
  const operator = await anOperator(app);
  const code = operator.recoveryCodes[0]!;
  const rows = await app.sql('select recovery_hashes::text as text, sealed_totp from operators');
  for (const { text, sealed_totp: sealed } of rows) {
    assert.equal(text.includes(code) || text.includes(code.replaceAll('-', '')), false);
    assert.equal(String(sealed).includes(operator.secret), false);
  }
  assert.equal((await attempt(withCode(operator, ` ${code.toUpperCase().replaceAll('-', ' ')}`))).status, 200);
  assert.equal((await attempt(withCode(operator, code))).status, 401);
});

test('400 for a weak password: short, guessed first, the name or the address, and without a second factor', async () => {
  const { inviteUrl, email } = await invite(app, { name: 'Augusta Ada King Noel' });
  const token = tokenOf(inviteUrl);
  const weak = [
    'short one',
    'password1234',
    'Passwordpassword!!',
    '123456789012',
    'aaaaaaaaaaaaaaa',
    email,
    'Augusta Ada King Noel',
  ];
  const begun = await ask(app, 'POST /console/invite/totp', { invitation: token });
  const cookie = cookiesOf(begun);
  const code = codeAt(begun.body.data.secret, stepNow());
  for (const password of [...weak, 'x y z '.repeat(50)]) {
    const answer = await ask(app, 'POST /console/invite', { invitation: token, cookie, body: { password, code } });
    assert.equal(codeAndStatus(answer), '400 VALIDATION_ERROR', password);
  }
  const path = 'POST /console/invite';
  const refusals = [{ password: PASSWORD }, { code }, { password: PASSWORD, code: '000000' }, {}];
  for (const body of refusals) {
    assert.equal(
      codeAndStatus(await ask(app, path, { invitation: token, cookie, body })),
      '400 VALIDATION_ERROR',
      JSON.stringify(body),
    );
  }
  // The app of another invitation does not count.
  const other = await invite(app);
  const stolen = await ask(app, 'POST /console/invite', {
    invitation: tokenOf(other.inviteUrl),
    cookie,
    body: { password: PASSWORD, code },
  });
  assert.equal(codeAndStatus(stolen), '400 VALIDATION_ERROR');
  assert.equal((await ask(app, path, { invitation: token, cookie, body: { password: PASSWORD, code } })).status, 200);
});

test('OPERATOR_SECOND_FACTOR=optional: a password suffices, until the setting requires more', async (t) => {
  const relaxed = await startApp(t, { connection: app.connection, env: { OPERATOR_SECOND_FACTOR: 'optional' } });
  const { inviteUrl, email } = await invite(relaxed);
  const joined = await ask(relaxed, 'POST /console/invite', {
    invitation: tokenOf(inviteUrl),
    body: { password: PASSWORD },
  });
  assert.equal(joined.status, 200, joined.text);
  assert.equal((await ask(relaxed, 'POST /console/session', { body: { email, password: PASSWORD } })).status, 200);
  assert.equal((await attempt({ email, password: PASSWORD })).status, 401);
});
