// POST /users/{userId}/wallet/link, by status.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Keypair, StrKey } from '@stellar/stellar-sdk';
import { openWallets } from '../ledger/wallet-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

/** All tests of this file use it; each has users of its own. */
const server = shareInFile((t) => openWallets(t as TestContext));

const fresh = () => Keypair.random().publicKey();

test('201 links an external address beside the custodial wallet, which stays the primary one', async () => {
  const fixture = server();
  const { id, wallet } = await fixture.user();
  const publicKey = fresh();
  const answer = await fixture.call(`POST /users/${id}/wallet/link`, { body: { publicKey } });
  assert.equal(answer.status, 201);
  const { id: walletId, createdAt, ...rest } = answer.body.data;
  assert.match(walletId, /^wal_/);
  assert.match(createdAt, /Z$/);
  assert.deepEqual(rest, { publicKey, type: 'EXTERNAL', provider: 'STELLAR', isActive: true, isPrimary: false });
  assert.equal((await fixture.call(`GET /users/${id}/wallet`)).body.data.publicKey, wallet.address);
  assert.equal((await fixture.call(`GET /users/${id}`)).body.data.ledgerAddress, wallet.address);
  const events = await fixture.sql(
    `select envelope from events where event_type = 'user.ledger_linked' order by position`,
  );
  const payloads = events.map((row) => JSON.parse(row.envelope).payload).filter(({ userId }) => userId === id);
  assert.deepEqual(
    payloads.map((payload) => [payload.userId, payload.ledgerAddress]),
    [
      [id, wallet.address],
      [id, publicKey],
    ],
  );
  const [entry] = await fixture.sql(`select * from audit_entries where action = 'WALLET_LINKED' and user_id = $1`, [
    id,
  ]);
  assert.deepEqual([entry.resource_id, entry.user_id], [walletId, id]);
});

test('200 with the same answer when the same address is linked again, and nothing changes', async () => {
  const fixture = server();
  const { id, wallet } = await fixture.user();
  const publicKey = fresh();
  const link = (body: object) => fixture.call(`POST /users/${id}/wallet/link`, { body });
  const first = await link({ publicKey });
  const count = () => fixture.sql('select (select count(*) from events) e, (select count(*) from audit_entries) a');
  const before = await count();
  const again = await link({ public_key: publicKey });
  assert.deepEqual([again.status, again.body.data], [200, first.body.data]);
  assert.equal((await link({ publicKey: wallet.address })).body.data.type, 'INVISIBLE');
  assert.deepEqual(await count(), before);
});

test('twenty links of one address at once make one wallet: one 201 and nineteen 200', async () => {
  const fixture = server();
  const { id } = await fixture.user();
  const publicKey = fresh();
  const link = () => fixture.call(`POST /users/${id}/wallet/link`, { body: { publicKey } });
  const answers = await Promise.all(Array.from({ length: 20 }, link));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
  assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1);
});

test('409 INVALID_STATE when the address is another wallet of the marketplace, custodial or external', async () => {
  const fixture = server();
  const ada = await fixture.user();
  const bob = await fixture.user();
  const publicKey = fresh();
  await fixture.call(`POST /users/${ada.id}/wallet/link`, { body: { publicKey } });
  for (const taken of [publicKey, ada.wallet.address]) {
    const { status, body } = await fixture.call(`POST /users/${bob.id}/wallet/link`, { body: { publicKey: taken } });
    assert.deepEqual([status, body.error.code], [409, 'INVALID_STATE']);
    assert.deepEqual([body.error.details.currentState, body.error.details.allowedActions], ['LINKED', []]);
  }
  const elsewhere = await fixture.user({ marketplaceId: 'mkt_other' });
  const ask = { body: { publicKey }, marketplaceId: 'mkt_other' };
  assert.equal((await fixture.call(`POST /users/${elsewhere.id}/wallet/link`, ask)).status, 201);
});

test('a race of two users for one address has one winner', async () => {
  const fixture = server();
  const users = await Promise.all(Array.from({ length: 10 }, () => fixture.user()));
  const publicKey = fresh();
  const answers = await Promise.all(
    users.map(({ id }) => fixture.call(`POST /users/${id}/wallet/link`, { body: { publicKey } })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
});

test('400 VALIDATION_ERROR for what is no address of an account, and it is not repeated in the answer', async () => {
  const fixture = server();
  const { id } = await fixture.user();
  const good = fresh();
  const secret = Keypair.random().secret();
  const wrong = [
    `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
    good.toLowerCase(),
    secret,
    StrKey.encodeContract(Buffer.alloc(32, 1)),
    'G',
    '',
  ];
  for (const publicKey of wrong) {
    const { status, body, text } = await fixture.call(`POST /users/${id}/wallet/link`, { body: { publicKey } });
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR'], publicKey);
    assert.ok(!text.includes(secret));
  }
  assert.ok(!fixture.logs.some((line) => line.includes(secret)));
  for (const body of [{}, { publicKey: good, more: 1 }, { publicKey: 7 }]) {
    assert.equal((await fixture.call(`POST /users/${id}/wallet/link`, { body })).status, 400);
  }
});

test('404 USER_NOT_FOUND for an unknown id, and for a user of another marketplace', async () => {
  const fixture = server();
  const { id } = await fixture.user();
  const body = { publicKey: fresh() };
  for (const [userId, marketplaceId] of [
    ['usr_unknown', 'mkt_default'],
    [id, 'mkt_other'],
  ] as const) {
    const answer = await fixture.call(`POST /users/${userId}/wallet/link`, { body, marketplaceId });
    assert.deepEqual([answer.status, answer.body.error.code], [404, 'USER_NOT_FOUND']);
  }
});
