// A whole scenario at LOG_LEVEL=debug: keys, people, money in and out, an order to its release, valid and invalid webhooks. Then
// all logs, metrics and tables are searched for secrets.

import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { openSecret } from '../../server/src/ledger/keys/seal.ts';
import { type LoudApp, SECRETS, startLoudApp } from '../../tools/fuzz/recorded-app.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';

const EMAILS = {
  user: 'ada.lovelace@personal.example',
  payee: 'payee.of-ada@personal.example',
  person: 'grace.hopper@personal.example',
  guess: 'unknown.person@personal.example',
};
const PASSWORD = 'a password for this test only 7!';
const WRONG_PASSWORD = 'a guess that should not be kept 9?';

/** The tables and columns that may hold an e-mail address. No other column may hold one. */
const EMAIL_PLACES: Readonly<Record<string, readonly string[]>> = {
  users: ['email'],
  people: ['email', 'email_key'],
  events: ['envelope'],
  withdrawals: ['destination', 'email'],
  // For a day, as part of the stored answer for a repeated request.
  idempotency_answers: ['body'],
};

type Any = Record<string, string>;

const open = (app: LoudApp) => {
  const keysSent: string[] = [];
  /** What is inside the envelope, or the status of a refusal. */
  const ask = async (
    request: string,
    { key, body, headers = {} }: { key?: string; body?: unknown; headers?: Any } = {},
  ) => {
    const [method, path] = request.split(' ') as [string, string];
    const idempotencyKey = randomUUID();
    if (method === 'POST') keysSent.push(idempotencyKey);
    const response = await fetch(app.url + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'POST' ? { 'idempotency-key': idempotencyKey } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: response.status, text, data: (parsed.data?.data ?? parsed.data ?? {}) as Any };
  };
  const done = async (request: string, given: Parameters<typeof ask>[1] = {}): Promise<Any> => {
    const { status, text, data } = await ask(request, given);
    assert.ok(status < 300, `${request}: ${status} ${text}`);
    return data;
  };
  return { ask, done, keysSent };
};

const API = '/api/v1';

type Calls = ReturnType<typeof open>;

/** A top-up, a withdrawal and an order from its creation to its release. */
const moveMoney = async ({ ask, done }: Calls, { key, token }: { key: string; token: string }) => {
  const user = await done(`POST ${API}/users`, { key, body: { externalUserId: 'ada', email: EMAILS.user } });
  const seller = await done(`POST ${API}/users`, { key: token, body: { externalUserId: 'bob' } });
  await done(`POST ${API}/users/${user.id}/balance/credit`, { key, body: { amount: '500.00' } });
  const topup = await done(`POST ${API}/topups`, { key, body: { userId: user.id, amount: '25.00' } });
  await done(`POST ${API}/sandbox/payins/${topup.id}/confirm`, { key, body: {} });
  await until(
    async () => (await done(`GET ${API}/topups/${topup.id}`, { key })).status === 'TOPUP_SUCCEEDED',
    'the top-up',
  );
  const withdrawal = await done(`POST ${API}/withdrawals`, {
    key,
    body: {
      userId: user.id,
      amount: '5.00',
      currency: 'USD',
      commit: true,
      destination: { type: 'bank', ref: 'ending in 1234', email: EMAILS.payee },
    },
  });
  // The server commits the payout at the provider after its answer.
  await until(
    async () => (await ask(`POST ${API}/sandbox/payouts/${withdrawal.id}/complete`, { key, body: {} })).status === 200,
    'the payout',
  );
  const order = await done(`POST ${API}/orders`, {
    key,
    body: { buyerId: user.id, sellerId: seller.id, amount: '40.00', title: 'Logo' },
  });
  for (const step of ['reserve', 'escrow', 'escrow/fund'])
    await done(`POST ${API}/orders/${order.id}/${step}`, { key });
  await done(`POST ${API}/orders/${order.id}/resolution/release`, { key, body: {} });
  return { userId: user.id!, orderId: order.id! };
};

const REGISTRATION = { email: EMAILS.person, password: PASSWORD, name: 'Grace' };

/** Refusals are logged too, often with the invalid value. */
const beRefused = async ({ ask }: Calls, key: string): Promise<void> => {
  assert.equal(
    (await ask('POST /auth/login', { body: { email: EMAILS.guess, password: WRONG_PASSWORD } })).status,
    401,
  );
  assert.equal((await ask('POST /auth/login', { body: `{"password":"${WRONG_PASSWORD}",` })).status, 400);
  assert.equal((await ask('POST /auth/register', { body: REGISTRATION })).status, 422);
  assert.equal((await ask(`GET ${API}/users?token=${key}&email=${EMAILS.user}`, { key })).status, 400);
  assert.equal((await ask(`GET ${API}/nowhere/${key}?key=${key}`, { key })).status, 404);
  assert.equal((await ask(`GET ${API}/users`, { key: `${key.slice(0, -3)}AAA` })).status, 401);
  assert.equal(
    (await ask(`POST ${API}/users`, { key, body: { email: EMAILS.guess, password: PASSWORD } })).status,
    400,
  );
};

const receiveWebhooks = async ({ ask }: Calls, orderId: string): Promise<void> => {
  const event = JSON.stringify({ type: 'escrow.funded', event_id: 'e-1', data: { order_id: orderId } });
  const signature = createHmac('sha256', SECRETS.escrowWebhook).update(event).digest('hex');
  const receiver = `POST ${API}/webhooks/escrow-provider`;
  assert.equal((await ask(receiver, { body: event, headers: { 'x-escrow-signature': signature } })).status, 200);
  assert.equal((await ask(receiver, { body: event, headers: { 'x-escrow-signature': 'ab'.repeat(32) } })).status, 401);
};

/** Runs the whole scenario. Returns every secret that it created or used. */
const runScenario = async (app: LoudApp) => {
  const calls = open(app);
  const { done, keysSent } = calls;
  const made = await done(`POST ${API}/auth/api-keys`, {
    key: SECRETS.masterKey,
    body: { name: 'Shop', scopes: ['*'] },
  });
  const { key: rotated } = await done(`POST ${API}/auth/api-keys/${made.id}/rotate`, { key: made.key! });
  const { token } = await done(`POST ${API}/auth/api-keys/${made.id}/token`, { key: rotated! });
  const key = rotated!;
  const { userId, orderId } = await moveMoney(calls, { key, token: token! });

  const person = await done('POST /auth/register', { body: REGISTRATION });
  await done('GET /balances', { key: person.token! });
  const login = await done('POST /auth/login', { body: { email: EMAILS.person, password: PASSWORD } });

  const { url: receiptLink } = await done(`POST ${API}/orders/${orderId}/receipt-link`, { key });
  const receiptPath = new URL(receiptLink!).pathname;
  const pages = await Promise.all([receiptPath, `${receiptPath}x`].map((path) => fetch(`${app.url}${path}`)));
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 404],
  );

  await beRefused(calls, key);
  await receiveWebhooks(calls, orderId);
  await done(`DELETE ${API}/auth/api-keys/${made.id}`, { key });

  return {
    keysSent,
    userId,
    secrets: {
      'the first API key': made.key!,
      'the secret of the first API key': made.key!.slice(-43),
      'the secret of the rotated API key': rotated!.slice(-43),
      'a token of the key': token!,
      'a token of the person': person.token!,
      'a token of the login': login.token!,
      'the master key': SECRETS.masterKey,
      'the signing secret': SECRETS.jwtSecret,
      'the password': PASSWORD,
      'a wrong password': WRONG_PASSWORD,
      'the secret of a receipt link': receiptPath.slice(-43),
      'the payment webhook secret': SECRETS.paymentWebhook.slice(6),
      'the escrow webhook secret': SECRETS.escrowWebhook,
      'the key-encryption key': SECRETS.kek.toString('base64').replace(/=+$/, ''),
    },
  };
};

/** Every row of every table, those of the job queue too, column by column. */
const storedIn = async (app: LoudApp): Promise<{ table: string; row: Record<string, string> }[]> => {
  const tables = await app.sql(
    `select table_schema as schema, table_name as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  assert.ok(tables.length > 25);
  const stored: { table: string; row: Record<string, string> }[] = [];
  for (const { schema, name } of tables) {
    const rows = await app.sql(`select to_jsonb(t) as row from "${schema}"."${name}" t`);
    for (const { row } of rows) {
      const texts = Object.entries(row).map(([column, value]) => [column, JSON.stringify(value)]);
      stored.push({ table: name, row: Object.fromEntries(texts) });
    }
  }
  return stored;
};

const seedsIn = async (app: LoudApp): Promise<Buffer[]> => {
  const keeper = keepKeks([{ version: 1, key: SECRETS.kek }]);
  const wallets = await app.sql(
    'select marketplace_id as "marketplaceId", id as "walletId", address, sealed_secret as sealed from wallets where sealed_secret is not null',
  );
  return Promise.all(wallets.map(({ sealed, ...place }) => openSecret(keeper, { sealed, place })));
};

test('after a whole scenario no log line, metric or table holds a secret; e-mail addresses are only where they belong (defects 39, 40)', async (t) => {
  const app = await startLoudApp({ PUBLIC_RECEIPTS: 'on' });
  afterwards(t, app.close);
  const { secrets, keysSent, userId } = await runScenario(app);
  const seeds = await seedsIn(app);
  const stored = await storedIn(app);
  const logged = app.lines.join('');
  const measured = await (await fetch(`${app.url}/metrics`)).text();
  const tables = stored.map(({ row }) => Object.values(row).join('\n')).join('\n');

  // The log, the metrics and the tables are not empty, so the search below would find a secret.
  assert.ok(app.lines.length > 40 && logged.includes('A provider answered.') && logged.includes(userId) === false);
  assert.ok(measured.includes('holdfast_') && tables.includes(userId) && seeds.length >= 3);
  const places = { 'the log': logged, 'the metrics': measured, 'a table': tables };
  for (const [place, text] of Object.entries(places)) {
    for (const [name, secret] of Object.entries(secrets)) {
      for (const spelling of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
        assert.equal(text.includes(spelling.replace(/=+$/, '')), false, `${name} is in ${place}`);
      }
    }
    for (const seed of seeds) {
      const spellings = [seed.toString('hex'), seed.toString('base64').replace(/=+$/, ''), seed.toString('base64url')];
      for (const spelling of spellings) assert.equal(text.includes(spelling), false, `a wallet's seed is in ${place}`);
    }
    for (const sent of keysSent) assert.equal(text.includes(sent), false, `an Idempotency-Key is in ${place}`);
  }

  for (const email of Object.values(EMAILS)) {
    assert.equal(logged.includes(email), false, `${email} is in the log`);
    assert.equal(measured.includes(email), false, `${email} is in the metrics`);
    for (const { table, row } of stored) {
      for (const [column, text] of Object.entries(row)) {
        if (text.includes(email)) assert.ok(EMAIL_PLACES[table]?.includes(column), `${email} is in ${table}.${column}`);
      }
    }
  }
  assert.equal(tables.includes(EMAILS.guess), false, 'the e-mail address of an unknown person is not stored');
});
