// Payment webhooks that no secret signed: an unsigned one costs no read, a wrongly signed one costs one, and neither leaves a row.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/src/sandbox.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';
import { envFor } from '../support/shared-payments.ts';
import { controlOf } from '../support/simulators.ts';
import { overheard } from '../support/tenancy-wire.ts';
import { signedHeaders } from './payment-fixture.ts';

const secretOf = (letter: string): string => `whsec_${letter.repeat(32)}`;

test('an unsigned webhook costs no read and a wrongly signed one costs one; neither leaves a row', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const heard: string[] = [];
  const told = overheard(connection, ({ values }) => heard.push(values.join(' ')));
  const sandbox = await startSandbox({ port: 0 });
  afterwards(t, () => sandbox.close());
  const app = await startApp(t, { env: envFor(sandbox, {}), connection: told });
  const own = { apiKey: 'own-key', apiSecret: 'own-secret', webhookSecret: secretOf('A') };
  const { apiKey: key, apiSecret: secret, webhookSecret } = own;
  const enterprise = { name: 'own', key, secret, webhookSecret, openingBalance: '500.00' };
  await controlOf(sandbox.urls.control)('POST /enterprises', enterprise);
  const { aTopup } = builderOf(app);
  const shared = await aTopup();
  const path = `/marketplaces/${app.marketplaceId}/payment-provider`;
  assert.equal((await app.call(`PUT ${path}`, { key: MASTER_KEY, body: own })).status, 200);
  const atOwn = await aTopup();

  const rows = () =>
    app.sql(`select (select count(*) from webhook_events) as events, (select max(audit_seq) from marketplaces) as audited,
      (select count(*) from provider_account_claims) as claims`);
  const before = await rows();
  const lost = 'top_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  for (const { id, providerPayinId } of [shared, atOwn, { id: lost, providerPayinId: 'no-such-payin' }]) {
    const data = { id: providerPayinId, code: id, amount: 25.5, currency: 'USD', status: 'CONFIRMED' };
    const body = JSON.stringify({ eventId: 'forged', eventType: 'payin.succeeded', data });
    const { 'svix-signature': _, ...unsigned } = signedHeaders(body, { id: 'forged' });
    const old = new Date(Date.now() - 6 * 60_000);
    const wrong: [Record<string, string>, number][] = [
      [{}, 0],
      [unsigned, 0],
      [signedHeaders(body, { id: 'forged', at: old }), 0],
      [signedHeaders(body, { id: 'forged', secret: secretOf('B') }), 1],
    ];
    for (const [headers, reads] of wrong) {
      heard.length = 0;
      const answer = await app.call('POST /webhooks/payment-provider', { key: null, body, headers });
      assert.equal(answer.status, 401, answer.text);
      assert.equal(heard.filter((values) => values.includes(id)).length, reads);
    }
  }
  assert.deepEqual(await rows(), before);

  // A genuine webhook is verified once: its payment is looked up for the signature, and again to apply it.
  const data = { id: 'no-such-payin', code: lost, amount: 25.5, currency: 'USD', status: 'CONFIRMED' };
  const body = JSON.stringify({ eventId: 'genuine', eventType: 'payin.succeeded', data });
  heard.length = 0;
  const headers = signedHeaders(body, { id: 'genuine' });
  const answer = await app.call('POST /webhooks/payment-provider', { key: null, body, headers });
  assert.deepEqual([answer.status, answer.body.processed], [200, false], answer.text);
  assert.equal(heard.filter((values) => values.includes(lost)).length, 2);
});
