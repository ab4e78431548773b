// POST /auth/register, by status and message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { openSharedPeople, PASSWORD, refused } from './people-fixture.ts';

let made = 0;

/** Under an address that no other test of the process has. */
const newAda = () => ({ email: `Ada-${++made}@Example.com`, password: PASSWORD, name: 'Ada' });

test('200 registers a user of the marketplace with a wallet, and the token works at once', async (t) => {
  const { app, call, done } = await openSharedPeople(t);
  const ada = newAda();
  const answer = await call('POST /auth/register', { body: ada });
  assert.equal(answer.status, 200, answer.text);
  const { data, ...envelope } = answer.body;
  assert.deepEqual(envelope, { code: 200, type: 'success', ok: true, message: 'User registered successfully' });
  const { id, token, ...rest } = data;
  assert.match(id, /^usr_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.deepEqual(rest, { email: ada.email, name: 'Ada' });
  assert.equal((await done('GET /projects', { token })).pagination.total, 0);
  const { data: user } = (await app.call(`GET /users/${id}`)).body;
  assert.match(user.externalUserId, /^surface-b:/);
  assert.deepEqual([user.email, user.type, user.status, user.metadata], [ada.email, 'BOTH', 'ACTIVE', { name: 'Ada' }]);
  assert.match(user.ledgerAddress, /^G[A-Z2-7]{55}$/);
});

test('what is kept of a password is an argon2id text with its own salt, and no answer or trail shows it', async (t) => {
  const { app, call } = await openSharedPeople(t);
  const answers = [];
  for (const body of [newAda(), newAda()]) answers.push(await call('POST /auth/register', { body }));
  const ids = answers.map(({ body }) => body.data.id);
  const rows = await app.sql('select password_hash as text from people where id = any($1)', [ids]);
  assert.equal(rows.length, 2);
  for (const { text } of rows)
    assert.match(text, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(rows[0].text, rows[1].text);
  const [{ trail }] = await app.sql(
    'select string_agg(payload_after, $1) || (select string_agg(envelope, $1) from events) as trail from audit_entries',
    [' '],
  );
  for (const text of [trail, ...answers.map((answer) => answer.text)]) {
    assert.ok(!text.includes(PASSWORD) && !text.includes('argon2'));
  }
});

test('a registration spends nothing on the ledger; the wallet is activated when its address is first requested', async (t) => {
  const { app, aPerson } = await openSharedPeople(t, { sandbox: true });
  const { id } = await aPerson();
  const spent = `select 1 from treasury_payments p join wallets w on w.id = p.wallet_id where w.user_id = $1`;
  assert.deepEqual(await app.sql(spent, [id]), []);
  const [wallet] = await app.sql('select activation_requested_at as at from wallets where user_id = $1', [id]);
  assert.equal(wallet.at, null);
  await app.call(`GET /users/${id}/wallet/deposit`);
  await until(
    async () => (await app.call(`GET /users/${id}/wallet`)).body.data.isActive === true,
    'the wallet is active',
  );
  const rows = await app.sql(
    "select event_type as type from events where event_type like 'user.%' and aggregate_id = $1 order by position",
    [id],
  );
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['user.created', 'user.ledger_linked'],
  );
});

test('422 names everything that is wrong with the fields', async (t) => {
  const { call } = await openSharedPeople(t);
  const ada = newAda();
  const cases: [unknown, string[]][] = [
    [{ ...ada, password: 'short77' }, ['Password must be at least 8 characters']],
    [{ ...ada, password: 'x'.repeat(201) }, ['Password must be at most 200 characters']],
    [{ ...ada, email: 'not an address' }, ['Email must be a valid email address']],
    [{ ...ada, name: '  ' }, ['Name is required']],
    [{ ...ada, name: 'Ada\nLovelace' }, ['Name must be one line without control characters']],
    [{ ...ada, name: 7, email: null }, ['Email is required', 'Name must be a string']],
    [{ ...ada, role: 'admin' }, ['role is not a known field']],
    [{}, ['Email is required', 'Password is required', 'Name is required']],
    [[], ['The body must be a JSON object']],
  ];
  for (const [body, errors] of cases) {
    assert.deepEqual(refused(await call('POST /auth/register', { body })), {
      status: 422,
      message: 'Validation failed',
      errors,
    });
  }
  assert.equal(refused(await call('POST /auth/register')).status, 422);
});

test('422 "Email is already registered", however it is capitalised, and the first account stays as it was', async (t) => {
  const { call, done } = await openSharedPeople(t);
  const ada = newAda();
  const first = await done('POST /auth/register', { body: ada });
  for (const email of [ada.email, ada.email.toLowerCase(), ada.email.toUpperCase()]) {
    const answer = await call('POST /auth/register', { body: { email, password: 'another password', name: 'Eve' } });
    assert.deepEqual(refused(answer), {
      status: 422,
      message: 'Validation failed',
      errors: ['Email is already registered'],
    });
  }
  const { user } = await done('POST /auth/login', {
    body: { email: ada.email.replace('Ada', 'aDa'), password: PASSWORD },
  });
  assert.deepEqual(user, { id: first.id, email: ada.email, name: 'Ada' });
});

test('many who register one address at once: exactly one gets it, and there is one user', async (t) => {
  const { app, call } = await openSharedPeople(t);
  const ada = newAda();
  const key = ada.email.toLowerCase();
  const ask = (n: number) => call('POST /auth/register', { body: { ...ada, email: n % 2 ? ada.email : key } });
  const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => ask(n)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assert.deepEqual(refused(answer).errors, ['Email is already registered']);
  }
  const [{ people, users }] = await app.sql(
    `select (select count(*)::int from people where email_key = $1) people,
       (select count(*)::int from users where lower(email) = $1) users`,
    [key],
  );
  assert.deepEqual([people, users], [1, 1]);
});

test('a user of Surface A with the same e-mail or a similar external id is another person', async (t) => {
  const { app, done } = await openSharedPeople(t);
  const ada = newAda();
  const rich = await app.aUser({ body: { externalUserId: ada.email, email: ada.email }, available: '500.00' });
  const { id, token } = await done('POST /auth/register', { body: ada });
  assert.notEqual(id, rich);
  const { balances } = await done('GET /balances', { token });
  assert.deepEqual(
    balances.map(({ available }: { available: number }) => available),
    [0, 0, 0],
  );
});
