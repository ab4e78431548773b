// PUT, GET and DELETE /marketplaces/{id}/payment-provider, by status. How payments use the account: tests/payments/own-account.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { openOwnAccount } from '../payments/own-account-fixture.ts';
import { codeOf, MASTER_KEY, type TestApp } from '../support/app.ts';
import { HURRIED } from '../support/shared-app.ts';
import { walk } from './report-fixture.ts';

const openUnset = (t: TestContext, env: Record<string, string> = {}) => openOwnAccount(t, { isSet: false, env });

type Fixture = Awaited<ReturnType<typeof openUnset>>;

/** The entries of the marketplace itself. The claim of its account is an entry of the default marketplace. */
const auditedIn = ({ sql, marketplaceId }: TestApp) =>
  sql("select * from audit_entries where resource_type = 'ProviderCredentials' and marketplace_id = $1 order by seq", [
    marketplaceId,
  ]);

/** A refusal leaves no credentials and no audit entry. */
const assertUnchanged = async ({ app, master }: Fixture): Promise<void> => {
  assert.equal((await master('GET')).body.data.account, 'shared');
  assert.deepEqual(await app.sql('select id from provider_credentials'), []);
  assert.deepEqual(await auditedIn(app), []);
};

test('200 sets the account, shows which secrets are set and since when, and shows or stores no secret', async (t) => {
  const { app, master, own, rotated, rotateOwn } = await openUnset(t);
  assert.deepEqual((await master('GET')).body.data, {
    marketplaceId: app.marketplaceId,
    account: 'shared',
    credentials: null,
    former: [],
  });
  const set = await master('PUT', own);
  assert.equal(set.status, 200, set.text);
  const { credentials, ...rest } = set.body.data;
  assert.deepEqual(rest, { marketplaceId: app.marketplaceId, account: 'own', former: [] });
  const { id, providerAccountId, since, ...shown } = credentials;
  assert.match(id, /^crd_/);
  assert.deepEqual(shown, { baseUrl: null, payerUrl: null, secrets: ['apiKey', 'apiSecret', 'webhookSecret'] });
  assert.deepEqual((await master('GET')).body.data, set.body.data);

  await rotateOwn();
  const after = await master('GET');
  const [former] = after.body.data.former;
  assert.deepEqual([former.id, former.providerAccountId, former.since], [id, providerAccountId, since]);
  assert.equal(Date.parse(former.webhookSecretUntil) - Date.parse(former.until), 24 * 3_600_000);

  const entries = await auditedIn(app);
  assert.deepEqual(
    entries.map(({ action, actor_type: actor }) => [action, actor]),
    [
      ['PROVIDER_CREDENTIALS_SET', 'master'],
      ['PROVIDER_CREDENTIALS_SET', 'master'],
    ],
  );
  const stored = JSON.stringify([await app.sql('select * from provider_credentials'), entries, after.text, set.text]);
  for (const secret of [...Object.values(own), ...Object.values(rotated)]) assert.ok(!stored.includes(secret));
});

test('200 of GET /marketplaces and GET /marketplaces/{id} shows whose account is used and since when, never a secret', async (t) => {
  const { app, master, own } = await openUnset(t);
  const { marketplaceId } = app;
  const beside = await app.call('GET /auth/me', { key: await app.key(['read'], 'mkt_beside') });
  const other: string = beside.body.data.marketplaceId;
  const shown = async () => {
    const one = await app.call(`GET /marketplaces/${marketplaceId}`, { key: MASTER_KEY });
    const all: { id: string; paymentAccount: unknown }[] = await walk(app, '/marketplaces', {
      limit: 100,
      key: MASTER_KEY,
    });
    const accountOf = (id: string) => all.find((each) => each.id === id)?.paymentAccount;
    for (const secret of Object.values(own)) assert.ok(!`${one.text}${JSON.stringify(all)}`.includes(secret));
    assert.deepEqual(accountOf(other), { account: 'shared', since: null });
    assert.deepEqual(accountOf(marketplaceId), one.body.data.paymentAccount);
    return one.body.data.paymentAccount;
  };
  assert.deepEqual(await shown(), { account: 'shared', since: null });
  const { since } = (await master('PUT', own)).body.data.credentials;
  assert.deepEqual(await shown(), { account: 'own', since });
  await master('DELETE');
  assert.deepEqual(await shown(), { account: 'shared', since: null });
});

test('200 removes the account, and a second removal changes nothing', async (t) => {
  const { app, master } = await openOwnAccount(t);
  assert.equal((await master('DELETE')).body.data.account, 'shared');
  assert.equal((await master('DELETE')).status, 200);
  const [{ count }] = await app.sql(
    "select count(*)::integer as count from audit_entries where action = 'PROVIDER_CREDENTIALS_REMOVED'",
  );
  assert.equal(count, 1);
});

test('400 VALIDATION_ERROR for a missing or malformed secret, an unknown field and a malformed marketplace', async (t) => {
  const fixture = await openUnset(t);
  const { master, own, app } = fixture;
  const { apiSecret: _, ...incomplete } = own;
  const wrong = [
    incomplete,
    { ...own, apiKey: 'has a space' },
    { ...own, webhookSecret: 'whsec_short' },
    { ...own, webhookSecret: own.webhookSecret.slice('whsec_'.length) },
    { ...own, account: 'mine' },
  ];
  for (const body of wrong) assert.equal(codeOf(await master('PUT', body)), '400 VALIDATION_ERROR');
  const path = '/marketplaces/somewhere/payment-provider';
  assert.equal(codeOf(await app.call(`GET ${path}`, { key: MASTER_KEY })), '400 VALIDATION_ERROR');
  await assertUnchanged(fixture);
});

test('400 VALIDATION_ERROR for an own address unless the setting allows it', async (t) => {
  const fixture = await openUnset(t);
  const { own, sandbox } = fixture;
  const addresses = { baseUrl: sandbox.urls.payment, payerUrl: sandbox.url };
  const refused = await fixture.master('PUT', { ...own, ...addresses });
  assert.equal(codeOf(refused), '400 VALIDATION_ERROR');
  assert.match(refused.body.error.details.validationErrors[0], /PAYMENT_PROVIDER_URL_PER_MARKETPLACE/);
  await assertUnchanged(fixture);

  const allowed = await openUnset(t, { PAYMENT_PROVIDER_URL_PER_MARKETPLACE: 'true' });
  const there = { baseUrl: `${allowed.sandbox.urls.payment}/`, payerUrl: allowed.sandbox.url };
  for (const wrong of [{ baseUrl: there.baseUrl }, { ...there, baseUrl: 'http://provider.example' }]) {
    assert.equal(codeOf(await allowed.master('PUT', { ...allowed.own, ...wrong })), '400 VALIDATION_ERROR');
  }
  const set = await allowed.master('PUT', { ...allowed.own, ...there });
  assert.equal(set.body.data.credentials.baseUrl, allowed.sandbox.urls.payment);
  const { confirmationUri } = await allowed.aTopup();
  assert.ok(confirmationUri.startsWith(`${allowed.sandbox.url}/payin/`));
});

test('401 and 403 for every key but the master key', async (t) => {
  const { app, own } = await openUnset(t);
  const path = `/marketplaces/${app.marketplaceId}/payment-provider`;
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { body: own } : {};
    assert.equal(codeOf(await app.call(`${method} ${path}`, { ...body, key: null })), '401 UNAUTHORIZED');
    assert.equal(codeOf(await app.call(`${method} ${path}`, body)), '403 INSUFFICIENT_SCOPE');
  }
});

test('404 MARKETPLACE_NOT_FOUND for a marketplace without a record: a mistyped id gets no account', async (t) => {
  const { app, own } = await openOwnAccount(t, { isSet: false });
  for (const method of ['PUT', 'GET', 'DELETE']) {
    const body = method === 'PUT' ? { body: own } : {};
    const answer = await app.call(`${method} /marketplaces/mkt_typo/payment-provider`, { key: MASTER_KEY, ...body });
    assert.equal(codeOf(answer), '404 MARKETPLACE_NOT_FOUND', method);
  }
});

test('422 PAYMENT_CREDENTIALS_REFUSED for a key that the provider does not accept', async (t) => {
  const fixture = await openUnset(t);
  const answer = await fixture.master('PUT', { ...fixture.own, apiSecret: 'another' });
  assert.equal(codeOf(answer), '422 PAYMENT_CREDENTIALS_REFUSED');
  assert.match(answer.body.error.message, /does not accept the key\. Nothing has changed/);
  await assertUnchanged(fixture);
});

test('422 PAYMENT_CREDENTIALS_REFUSED for the shared account and for the account of another marketplace', async (t) => {
  const fixture = await openUnset(t);
  const { own, app, master } = fixture;
  const ofShared = await master('PUT', { ...own, apiKey: 'sandbox-key', apiSecret: 'sandbox-secret' });
  assert.equal(codeOf(ofShared), '422 PAYMENT_CREDENTIALS_REFUSED');
  await assertUnchanged(fixture);
  const other = `mkt_${randomUUID().slice(0, 8)}`;
  const first = { name: 'first', scopes: ['read'], marketplaceId: other };
  assert.equal((await app.call('POST /auth/api-keys', { key: MASTER_KEY, body: first })).status, 201);
  const elsewhere = await app.call(`PUT /marketplaces/${other}/payment-provider`, { key: MASTER_KEY, body: own });
  assert.equal(elsewhere.status, 200, elsewhere.text);
  assert.equal(codeOf(await master('PUT', own)), '422 PAYMENT_CREDENTIALS_REFUSED');
  await assertUnchanged(fixture);
});

test('504 PROVIDER_TIMEOUT when the provider cannot be asked: nothing is stored', async (t) => {
  const fixture = await openUnset(t, { ...HURRIED, PAYMENT_PROVIDER_URL_PER_MARKETPLACE: 'true' });
  const nowhere = { baseUrl: 'http://127.0.0.1:1', payerUrl: 'http://127.0.0.1:1' };
  assert.equal(codeOf(await fixture.master('PUT', { ...fixture.own, ...nowhere })), '504 PROVIDER_TIMEOUT');
  await assertUnchanged(fixture);
});
