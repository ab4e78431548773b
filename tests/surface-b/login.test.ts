// POST /auth/login, by status and message, and what happens to whoever guesses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPeople, PASSWORD, type PeopleStand, refused } from './people-stand.ts';

const WRONG = { status: 401, message: 'Invalid email or password' };
const WAIT = { status: 429, message: 'Too many failed attempts. Try again later' };

/** From an address of the caller's choice, behind one proxy. */
const from = (address: string) => ({ 'x-forwarded-for': address });

const login = ({ call }: PeopleStand, email: string, ask: { password?: string; address?: string } = {}) =>
  call('POST /auth/login', {
    body: { email, password: ask.password ?? PASSWORD },
    headers: from(ask.address ?? '10.0.0.1'),
  });

test('200 gives a token and the user, and the token opens what is theirs', async (t) => {
  const stand = await openPeople(t);
  const { id, email } = await stand.person();
  const answer = await login(stand, email.toUpperCase());
  assert.equal(answer.body.message, 'Login successful');
  const { token, user } = answer.body.data;
  assert.deepEqual(user, { id, email, name: 'Somebody' });
  assert.equal((await stand.done('GET /balances', { token })).balances.length, 3);
});

test('401 says the same of a wrong password and of an address that nobody has', async (t) => {
  const stand = await openPeople(t);
  const { email } = await stand.person();
  const answers = [
    await login(stand, email, { password: 'wrong password' }),
    await login(stand, 'nobody@example.com'),
    await login(stand, 'not an address'),
  ];
  for (const answer of answers) {
    assert.deepEqual(refused(answer), WRONG);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  }
});

test('422 for a body without the fields', async (t) => {
  const { call } = await openPeople(t);
  assert.deepEqual(refused(await call('POST /auth/login', { body: {} })), {
    status: 422,
    message: 'Validation failed',
    errors: ['Email is required', 'Password is required'],
  });
});

test('429 after so many failures of one account, from whatever address, and also for the right password', async (t) => {
  const stand = await openPeople(t, { env: { TRUST_PROXY: '1', LOGIN_FAILURES_MAX: '3' } });
  const { email } = await stand.person();
  for (const n of [1, 2, 3])
    assert.deepEqual(refused(await login(stand, email, { password: 'wrong password', address: `10.0.1.${n}` })), WRONG);
  const answer = await login(stand, email, { address: '10.0.1.4' });
  assert.deepEqual(refused(answer), WAIT);
  const seconds = Number(answer.headers.get('retry-after'));
  assert.ok(seconds > 0 && seconds <= 900, String(seconds));
  // Whether there is such an account cannot be told from it.
  for (const n of [5, 6, 7])
    assert.deepEqual(refused(await login(stand, 'nobody@example.com', { address: `10.0.1.${n}` })), WRONG);
  assert.deepEqual(refused(await login(stand, 'nobody@example.com', { address: '10.0.1.8' })), WAIT);
});

test('429 after so many failures from one address, which can then lock nobody out, while others come in', async (t) => {
  const stand = await openPeople(t, { env: { TRUST_PROXY: '1', LOGIN_FAILURES_MAX: '3' } });
  const { email } = await stand.person();
  for (const n of [1, 2, 3]) assert.deepEqual(refused(await login(stand, `guess-${n}@example.com`)), WRONG);
  for (let n = 0; n < 5; n++)
    assert.deepEqual(refused(await login(stand, email, { password: 'wrong password' })), WAIT);
  assert.equal((await login(stand, email, { address: '10.0.2.1' })).status, 200);
});

test('a success forgives the failures of the account, and gives its own try back to the address', async (t) => {
  const stand = await openPeople(t, { env: { TRUST_PROXY: '1', LOGIN_FAILURES_MAX: '3' } });
  const { email } = await stand.person();
  for (let n = 0; n < 6; n++) assert.equal((await login(stand, email)).status, 200);
  for (let round = 0; round < 2; round++) {
    for (const n of [1, 2])
      assert.deepEqual(
        refused(await login(stand, email, { password: 'wrong password', address: `10.0.${round}.${n}` })),
        WRONG,
      );
    assert.equal((await login(stand, email, { address: '10.0.9.9' })).status, 200);
  }
});

test('guesses that come all at once are no more than those that come one by one', async (t) => {
  const stand = await openPeople(t, { env: { TRUST_PROXY: '1', LOGIN_FAILURES_MAX: '4' } });
  const { email } = await stand.person();
  const tries = Array.from({ length: 20 }, (_, n) =>
    login(stand, email, { password: `wrong password ${n}`, address: `10.0.3.${n}` }),
  );
  const answers = await Promise.all(tries);
  assert.equal(answers.filter(({ status }) => status === 401).length, 4);
  assert.equal(answers.filter(({ status }) => status === 429).length, 16);
});

test('right passwords that come all at once from one address are all right', async (t) => {
  const stand = await openPeople(t);
  const people = await Promise.all(Array.from({ length: 15 }, () => stand.person()));
  const answers = await Promise.all(people.map(({ email }) => login(stand, email)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
});

test('the waiting ends with its window', async (t) => {
  const stand = await openPeople(t, { env: { TRUST_PROXY: '1', LOGIN_FAILURES_MAX: '1' } });
  const { email } = await stand.person();
  assert.deepEqual(refused(await login(stand, email, { password: 'wrong password' })), WRONG);
  assert.deepEqual(refused(await login(stand, email)), WAIT);
  await stand.app.sql("update login_attempts set ends_at = now() - interval '1 second'");
  assert.equal((await login(stand, email)).status, 200);
});

test('two servers on one database count failures together', async (t) => {
  const env = { TRUST_PROXY: '1', LOGIN_FAILURES_MAX: '2' };
  const first = await openPeople(t, { env });
  const second = await openPeople(t, { env, connection: first.app.connection });
  const { email } = await first.person();
  assert.deepEqual(refused(await login(first, email, { password: 'wrong password', address: '10.0.4.1' })), WRONG);
  assert.deepEqual(refused(await login(second, email, { password: 'wrong password', address: '10.0.4.2' })), WRONG);
  assert.deepEqual(refused(await login(second, email, { address: '10.0.4.3' })), WAIT);
});

test('while somebody guesses, the other surface and everybody with a token are served', async (t) => {
  const stand = await openPeople(t, { env: { LOGIN_FAILURES_MAX: '1' } });
  const { token } = await stand.person();
  assert.deepEqual(refused(await login(stand, 'nobody@example.com')), WRONG);
  assert.deepEqual(refused(await login(stand, 'nobody@example.com')), WAIT);
  assert.equal((await stand.app.call('GET /users')).status, 200);
  assert.equal((await stand.call('GET /balances', { token })).status, 200);
});
