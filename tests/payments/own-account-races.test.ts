// Several marketplaces are given the same account at the payment provider at once: one gets it, whichever is first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY } from '../support/app.ts';
import { openOwnAccount } from './own-account-fixture.ts';

test('of PUTs at once in several marketplaces that name the same account exactly one succeeds, on two servers', async (t) => {
  const { app, own, secondServer } = await openOwnAccount(t, { isSet: false });
  const second = await secondServer();
  const places = Array.from({ length: 6 }, (_, at) => `${app.marketplaceId}-${at}`);
  // A marketplace begins with its first key.
  const begin = (marketplaceId: string) =>
    app.call('POST /auth/api-keys', { key: MASTER_KEY, body: { name: 'first', scopes: ['read'], marketplaceId } });
  for (const { status, text } of await Promise.all(places.map(begin))) assert.equal(status, 201, text);
  const put = (place: string, at: number) =>
    (at % 2 === 0 ? app : second).call(`PUT /marketplaces/${place}/payment-provider`, { key: MASTER_KEY, body: own });
  const answers = await Promise.all(places.map(put));
  const won = places.filter((_, at) => answers[at]!.status === 200);
  assert.equal(won.length, 1, `${won.length} marketplaces got the account`);
  const refused = answers.filter(({ status }) => status === 422);
  assert.equal(refused.length, places.length - 1);
  for (const { body } of refused) {
    assert.equal(body.error.code, 'PAYMENT_CREDENTIALS_REFUSED');
    assert.equal(body.error.details.reason, `they belong to the account of ${won[0]}.`);
  }
  const rows = await app.sql(
    'select marketplace_id from public.provider_credentials where starts_with(marketplace_id, $1)',
    [app.marketplaceId],
  );
  assert.deepEqual(rows, [{ marketplace_id: won[0] }]);

  const again = await Promise.all(places.map((_, at) => put(won[0]!, at)));
  for (const { status, text } of again) assert.equal(status, 200, text);
});
