// A marketplace of the test's own in the shared payment server, with an own account at the payment provider that holds 500.00.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type Answer, MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import { builderOf, type NewPayment } from '../support/builder.ts';
import { signedHeaders } from './payment-fixture.ts';
import { openSharedWithdrawals } from './withdrawal-fixture.ts';

type Options = { readonly isSet?: boolean; readonly webhooks?: boolean; readonly env?: Record<string, string> };

export type Credentials = { readonly apiKey: string; readonly apiSecret: string; readonly webhookSecret: string };

type Enterprise = { readonly name: string; readonly available: string; readonly pending: string };

export type OwnAccountFixture = Awaited<ReturnType<typeof openOwnAccount>>;

/** The name and the credentials of an enterprise that does not exist yet. */
const newCredentials = (of: string): Credentials => ({
  apiKey: `key-${of}`,
  apiSecret: `secret-${of}`,
  webhookSecret: `whsec_${createHash('sha256').update(of).digest('base64')}`,
});

export const openOwnAccount = async (t: TestContext, { isSet = true, webhooks = true, env = {} }: Options = {}) => {
  const fixture = await openSharedWithdrawals(t, { webhooks, env });
  const { app, sandbox, control } = fixture;
  const name = randomUUID();
  const own = newCredentials(name);
  const rotated = newCredentials(`${name}-next`);

  const addKey = ({ apiKey: key, apiSecret: secret, webhookSecret }: Credentials) =>
    control('POST /enterprises', { name, key, secret, webhookSecret, openingBalance: '500.00' });
  await addKey(own);

  const master = (method: 'PUT' | 'GET' | 'DELETE', body?: unknown): Promise<Answer> =>
    app.call(`${method} /marketplaces/${app.marketplaceId}/payment-provider`, {
      key: MASTER_KEY,
      ...(body === undefined ? {} : { body }),
    });
  const set = async (credentials: Credentials): Promise<void> => {
    const answer = await master('PUT', credentials);
    assert.equal(answer.status, 200, answer.text);
  };
  if (isSet) await set(own);

  return {
    ...fixture,
    own,
    rotated,
    master,
    setOwn: () => set(own),
    /** Another key and another webhook secret of the same account. */
    async rotateOwn(): Promise<void> {
      await addKey(rotated);
      await set(rotated);
    },
    revokeFirstKey: () => control(`DELETE /enterprises/${name}/keys/${own.apiKey}`),
    /** The balance of the own account at the provider. */
    enterprise() {
      const all = sandbox.describe().enterprises as Enterprise[];
      const { available, pending } = all.find((one) => one.name === name)!;
      return { available, pending };
    },
    /** Another program receives a payment on the same account. */
    async payBehindTheBooks(amount: number): Promise<void> {
      const code = `elsewhere-${name}`;
      const uri = 'http://127.0.0.1:1/';
      const items = [{ description: 'Elsewhere', amount, quantity: 1 }];
      const answer = await fetch(`${sandbox.urls.payment}/payins`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`${own.apiKey}:${own.apiSecret}`).toString('base64')}`,
        },
        body: JSON.stringify({ code, amount, description: 'Elsewhere', items, confirmationUri: uri, cancelUri: uri }),
      });
      assert.equal(answer.ok, true, await answer.text());
      await control(`POST /payins/${code}/confirm`);
    },
    topupStatus: async (id: string): Promise<string> => (await app.call(`GET /topups/${id}`)).body.data.status,
    sharedBalance: () => sandbox.describe().balance as unknown,
    async aTopup({ on = app, ...wanted }: NewPayment & { on?: TestApp } = {}) {
      return fixture.afterWebhooks(await builderOf(on).aTopup(wanted));
    },
    /** Another server on the same database, with the same marketplace. */
    async secondServer(): Promise<TestApp> {
      const server = await startApp(t, { env: fixture.env, connection: app.connection });
      const key = await app.key(['*']);
      return {
        ...server,
        marketplaceId: app.marketplaceId,
        call: (request, ask = {}) => server.call(request, { key, ...ask }),
        aUser: (wanted = {}) => server.aUser({ key, ...wanted }),
      };
    },
  };
};

/** The provider's id of the own account. */
export const accountOf = async ({ master }: Pick<OwnAccountFixture, 'master'>): Promise<string> =>
  (await master('GET')).body.data.credentials.providerAccountId;

let made = 0;

/** A signed report that the top-up is paid. */
export const ownWebhook = ({ id, amount }: { id: string; amount: string }, secret: string) => {
  const eventId = `own-${++made}`;
  const data = { id: `payin-of-${id}`, code: id, amount: Number(amount), status: 'CONFIRMED', currency: 'USD' };
  const body = JSON.stringify({
    eventId,
    eventType: 'payin.succeeded',
    occurredAt: new Date().toISOString(),
    data: { ...data, id },
  });
  return { body, headers: signedHeaders(body, { id: eventId, secret }) };
};
