// POST /auth/login, by status and message, and the limits for callers that guess passwords.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { openSharedPeople, PASSWORD, type PeopleFixture, refused } from './people-fixture.ts';

const WRONG = { status: 401, message: 'Invalid email or password' };

const WAIT = { status: 429, message: 'Too many failed attempts. Try again later' };

const FAILURES_MAX = 2;

/** Behind one proxy, so that a caller has an address of its own choice. */
const LOGINS = { TRUST_PROXY: '1', LOGIN_FAILURES_MAX: String(FAILURES_MAX), LOGIN_DELAY_MAX_S: '1' };

let made = 0;

/** Other files use the same server. An address of theirs would have failures already. */
const newAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

const unknownEmail = (): string => `unknown-${++made}@example.com`;

const login = (
  { call }: PeopleFixture,
  email: string,
  { password = PASSWORD, address = newAddress() }: { password?: string; address?: string } = {},
) => call('POST /auth/login', { body: { email, password }, headers: { 'x-forwarded-for': address } });

/** A wrong password, which is refused as such. */
const guess = async (fixture: PeopleFixture, email: string, address = newAddress()): Promise<void> =>
  assert.deepEqual(refused(await login(fixture, email, { password: 'wrong password', address })), WRONG);

const openLogins = (t: TestContext) => openSharedPeople(t, { env: LOGINS });

test('200 returns a token and the user, and the token is accepted', async (t) => {
  const fixture = await openLogins(t);
  const { id, email } = await fixture.aPerson();
  const answer = await login(fixture, email.toUpperCase());
  assert.equal(answer.body.message, 'Login successful');
  const { token, user } = answer.body.data;
  assert.deepEqual(user, { id, email, name: 'Ada' });
  assert.equal((await fixture.done('GET /balances', { token })).balances.length, 3);
});

test('401 is the same for a wrong password and for an unknown address', async (t) => {
  const fixture = await openLogins(t);
  const { email } = await fixture.aPerson();
  const answers = [
    await login(fixture, email, { password: 'wrong password' }),
    await login(fixture, unknownEmail()),
    await login(fixture, 'not an address'),
  ];
  for (const answer of answers) {
    assert.deepEqual(refused(answer), WRONG);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  }
});

test('422 for a body without the fields', async (t) => {
  const { call } = await openLogins(t);
  assert.deepEqual(refused(await call('POST /auth/login', { body: {} })), {
    status: 422,
    message: 'Validation failed',
    errors: ['Email is required', 'Password is required'],
  });
});

test('429 for a wrong password after too many failures of one account, from any address; the right one is accepted', async (t) => {
  const fixture = await openLogins(t);
  const { email } = await fixture.aPerson();
  const unknown = unknownEmail();
  for (const guessed of [email, unknown]) {
    for (let n = 0; n < FAILURES_MAX; n++) await guess(fixture, guessed);
    const answer = await login(fixture, guessed, { password: 'wrong password' });
    assert.deepEqual(refused(answer), WAIT, 'also where there is no such account');
    const seconds = Number(answer.headers.get('retry-after'));
    assert.ok(seconds > 0 && seconds <= 10, String(seconds));
  }
  assert.equal((await login(fixture, email)).status, 200);
});

test('concurrent guesses have the same limit as sequential guesses', async (t) => {
  const fixture = await openLogins(t);
  const { email } = await fixture.aPerson();
  const tries = Array.from({ length: 6 }, (_, n) => login(fixture, email, { password: `wrong password ${n}` }));
  const answers = await Promise.all(tries);
  assert.equal(answers.filter(({ status }) => status === 401).length, FAILURES_MAX);
  assert.equal(answers.filter(({ status }) => status === 429).length, 6 - FAILURES_MAX);
});
