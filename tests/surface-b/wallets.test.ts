// POST /wallets/connect, by status and message.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { formatAddress } from '../../server/src/base/ledger-address.ts';
import { openSharedPeople, refused } from './people-fixture.ts';

const newKey = (): string => formatAddress(randomBytes(32));

test('200 links the wallet to the user of both surfaces, and the same key again is the same wallet', async (t) => {
  const { app, aPerson, call, done } = await openSharedPeople(t);
  const { id, token } = await aPerson();
  const public_key = newKey();
  const answer = await call('POST /wallets/connect', { token, body: { public_key } });
  assert.equal(answer.body.message, 'Wallet connected successfully');
  const { wallet_id, connected_at, ...rest } = answer.body.data;
  assert.match(wallet_id, /^wal_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(connected_at, /^\d{4}-/);
  assert.deepEqual(rest, { public_key });
  assert.deepEqual(await done('POST /wallets/connect', { token, body: { public_key } }), answer.body.data);
  const rows = await app.sql("select id, user_id, type from wallets where type = 'EXTERNAL' and user_id = $1", [id]);
  assert.deepEqual(rows, [{ id: wallet_id, user_id: id, type: 'EXTERNAL' }]);
  // The one that we keep stays the one that pays.
  assert.notEqual((await app.call(`GET /users/${id}`)).body.data.ledgerAddress, public_key);
});

test('400 "Invalid ledger public key format" for whatever is no key of the ledger: length, alphabet, kind or checksum', async (t) => {
  const { app, aPerson, call } = await openSharedPeople(t);
  const { id, token } = await aPerson();
  const good = newKey();
  const swapped = good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A');
  const secret = `S${good.slice(1)}`;
  for (const public_key of [
    '',
    'G',
    good.slice(0, -1),
    `${good}A`,
    good.toLowerCase(),
    swapped,
    secret,
    ` ${good}`,
    'x'.repeat(10_000),
  ]) {
    const answer = await call('POST /wallets/connect', { token, body: { public_key } });
    assert.deepEqual(refused(answer), { status: 400, message: 'Invalid ledger public key format' }, public_key);
  }
  assert.deepEqual(await app.sql("select id from wallets where type = 'EXTERNAL' and user_id = $1", [id]), []);
});

test('422 without a key, and 400 for a key of another person', async (t) => {
  const { aPerson, call, done } = await openSharedPeople(t);
  const ada = await aPerson();
  const eve = await aPerson();
  for (const [body, error] of [
    [{}, 'Public key is required'],
    [{ public_key: 7 }, 'Public key must be a string'],
  ] as const) {
    assert.deepEqual(refused(await call('POST /wallets/connect', { token: ada.token, body })).errors, [error]);
  }
  const body = { public_key: newKey() };
  await done('POST /wallets/connect', { token: ada.token, body });
  assert.deepEqual(refused(await call('POST /wallets/connect', { token: eve.token, body })), {
    status: 400,
    message: 'This public key belongs to another wallet',
  });
});
