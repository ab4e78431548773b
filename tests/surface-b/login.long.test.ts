// Log-ins of people during attacks: who is still served, and two servers that count together. login.test.ts has the answers and the limits.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { PEOPLE_MARKETPLACE } from '../support/shared-app.ts';
import { openPeople, openSharedPeople, PASSWORD, type PeopleFixture, refused } from './people-fixture.ts';

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

test('failures elsewhere do not delay an account at an address from which its owner has logged in', async (t) => {
  const fixture = await openLogins(t);
  const { email } = await fixture.aPerson();
  const home = newAddress();
  assert.equal((await login(fixture, email, { address: home })).status, 200);
  for (let n = 0; n < FAILURES_MAX; n++) await guess(fixture, email);
  // Nothing is free for an hour.
  await fixture.app.sql(
    "update login_attempts set ends_at = now() + interval '1 hour' where id like 'next:%account:%'",
  );
  const elsewhere = await login(fixture, email);
  assert.deepEqual(refused(elsewhere), WAIT);
  assert.equal((await login(fixture, email, { address: home })).status, 200);
});

test('an attack on an account does not take the slots of addresses without failures; new addresses share those', async (t) => {
  const fixture = await openLogins(t);
  const { email } = await fixture.aPerson();
  const attacker = newAddress();
  await guess(fixture, unknownEmail(), attacker);
  for (let n = 0; n < FAILURES_MAX; n++) await guess(fixture, email);
  const occupy = (row: string) =>
    fixture.app.sql(`insert into login_attempts (marketplace_id, id, attempts, ends_at)
      select marketplace_id, replace(id, 'account:', '${row}account:'), 1, now() + interval '1 hour'
        from login_attempts where id like 'account:%'
      on conflict (marketplace_id, id) do update set ends_at = excluded.ends_at`);

  // Attackers with failures of their own have taken every slot for an hour.
  await occupy('next:');
  assert.deepEqual(
    refused(await login(fixture, email, { address: attacker })),
    WAIT,
    'not even the right one is checked',
  );
  assert.equal((await login(fixture, email)).status, 200, 'the owner at an address without failures is checked');

  for (let n = 0; n < FAILURES_MAX; n++) await guess(fixture, email);
  await occupy('next:clean:');
  assert.deepEqual(refused(await login(fixture, email)), WAIT, 'what new addresses share can all be taken');
});

test('concurrent logins with right passwords from one address all succeed', async (t) => {
  const fixture = await openLogins(t);
  const people = await Promise.all(Array.from({ length: FAILURES_MAX + 2 }, () => fixture.aPerson()));
  const address = newAddress();
  const answers = await Promise.all(people.map(({ email }) => login(fixture, email, { address })));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
});

test('two servers on one database count failures together', async (t) => {
  const first = await openLogins(t);
  const env = { ...LOGINS, SURFACE_B_MARKETPLACE: PEOPLE_MARKETPLACE };
  const second = await openPeople(t, { env, connection: first.app.connection });
  const { email } = await first.aPerson();
  await guess(first, email);
  await guess(second, email);
  assert.deepEqual(refused(await login(second, email, { password: 'wrong password' })), WAIT);
});

test('while an address guesses passwords, Surface A and every person with a token are served', async (t) => {
  const fixture = await openLogins(t);
  const { token } = await fixture.anyPerson();
  const address = newAddress();
  for (let n = 0; n < FAILURES_MAX; n++) await guess(fixture, unknownEmail(), address);
  assert.deepEqual(refused(await login(fixture, unknownEmail(), { address })), WAIT);
  const headers = { 'x-forwarded-for': address };
  assert.equal((await fixture.app.call('GET /users', { headers })).status, 200);
  assert.equal((await fixture.call('GET /balances', { token, headers })).status, 200);
});

test('one address that typed too many wrong passwords can still log in with the right one', async (t) => {
  const fixture = await openLogins(t);
  const { email } = await fixture.aPerson();
  const address = newAddress();
  for (let n = 0; n < FAILURES_MAX; n++) await guess(fixture, email, address);
  assert.equal((await login(fixture, email, { address })).status, 200);
});

test('429 after too many failures from one address; it locks no account, and other addresses can log in', async (t) => {
  const fixture = await openLogins(t);
  const { email } = await fixture.aPerson();
  const address = newAddress();
  for (let n = 0; n < FAILURES_MAX; n++) await guess(fixture, unknownEmail(), address);
  const tries = Array.from({ length: 6 }, () => login(fixture, email, { password: 'wrong password', address }));
  for (const answer of await Promise.all(tries)) assert.deepEqual(refused(answer), WAIT);
  assert.equal((await login(fixture, email)).status, 200);
});

test('a success resets the failures of the account, and does not count for the address', async (t) => {
  const fixture = await openLogins(t);
  const { email } = await fixture.aPerson();
  const address = newAddress();
  for (let n = 0; n <= FAILURES_MAX; n++) assert.equal((await login(fixture, email, { address })).status, 200);
  for (let round = 0; round < 2; round++) {
    for (let n = 1; n < FAILURES_MAX; n++) await guess(fixture, email);
    assert.equal((await login(fixture, email)).status, 200);
  }
});

test('the delay ends with its window', async (t) => {
  const fixture = await openLogins(t);
  const { email } = await fixture.aPerson();
  for (let n = 0; n < FAILURES_MAX; n++) await guess(fixture, email);
  assert.deepEqual(refused(await login(fixture, email, { password: 'wrong password' })), WAIT);
  await fixture.app.sql("update login_attempts set ends_at = now() - interval '1 second'");
  await guess(fixture, email);
});
