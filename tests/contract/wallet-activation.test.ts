// A wallet is put on the ledger when it is first needed, and not before: by each of the requests that need it.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { formatAddress } from '../../server/src/base/ledger-address.ts';
import { until } from '../../tools/until.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';
import { openApp } from '../support/shared-app.ts';

const SPENT = `select p.kind from treasury_payments p
  join wallets w on w.marketplace_id = p.marketplace_id and w.id = p.wallet_id where w.user_id = $1`;

const isActive = async (app: TestApp, userId: string): Promise<boolean> =>
  (await app.call(`GET /users/${userId}/wallet`)).body.data.isActive;

const aUser = async (app: TestApp): Promise<string> => {
  const { status, text, body } = await app.call('POST /users', {
    body: { externalUserId: randomBytes(6).toString('hex') },
  });
  assert.equal(status, 201, text);
  assert.deepEqual(await app.sql(SPENT, [body.data.id]), []);
  return body.data.id;
};

test('a new user costs nothing on the ledger, also when balances and orders use the user', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const builder = builderOf(app);
  const order = await builder.anOrder({ at: 'FUNDS_RESERVED' });
  for (const userId of [order.buyerId, order.sellerId, await aUser(app)]) {
    assert.equal(await isActive(app, userId), false);
    assert.deepEqual(await app.sql(SPENT, [userId]), []);
  }
  const [{ requested }] = await app.sql(
    "select count(activation_requested_at)::int as requested from wallets where owner = 'user'",
  );
  assert.equal(requested, 0);
});

test('the first request for the deposit address activates the wallet, once', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const userId = await aUser(app);
  const { body } = await app.call(`GET /users/${userId}/wallet/deposit`);
  assert.match(body.data.instructions, /wait until the wallet is active/);
  await until(() => isActive(app, userId), 'the wallet is active');
  await app.call(`GET /users/${userId}/wallet/deposit`);
  assert.deepEqual(await app.sql(SPENT, [userId]), [{ kind: 'activate' }]);
});

test('linking a wallet activates the custodial wallet of the user', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const userId = await aUser(app);
  const publicKey = formatAddress(randomBytes(32));
  const linked = await app.call(`POST /users/${userId}/wallet/link`, { body: { publicKey } });
  assert.equal(linked.status, 201, linked.text);
  await until(() => isActive(app, userId), 'the wallet is active');
});

test('play money activates the wallet that receives it', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const userId = await aUser(app);
  const address = (await app.call(`GET /users/${userId}/wallet`)).body.data.publicKey;
  const paid = await app.call('POST /sandbox/faucet', { body: { address, asset: 'USDC', amount: '7.5' } });
  assert.equal(paid.status, 200, paid.text);
  assert.equal((await app.call(`GET /users/${userId}/wallet`)).body.data.balance.usdc, '7.5000000');
});

test("an order's escrow activates the wallets of its parties", async (t) => {
  const app = await openApp(t, { sandbox: true });
  const order = await builderOf(app).anOrder({ at: 'ESCROW_FUNDING' });
  assert.equal(await isActive(app, order.buyerId), true);
  assert.equal(await isActive(app, order.sellerId), true);
});

test('503 WALLET_ACTIVATION_LIMIT beyond the limit of the day, for a deposit address and for an escrow, and the request waits', async (t) => {
  const app = await startApp(t, { sandbox: true, env: { WALLET_ACTIVATIONS_PER_DAY: '1' } });
  const first = await aUser(app);
  const second = await aUser(app);
  assert.equal((await app.call(`GET /users/${first}/wallet/deposit`)).status, 200);
  await until(() => isActive(app, first), 'the first wallet is active');
  const refused = await app.call(`GET /users/${second}/wallet/deposit`);
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'WALLET_ACTIVATION_LIMIT']);
  assert.match(refused.body.error.details.resetsAt, /T00:00:00/);
  const [row] = await app.sql('select status, activation_requested_at as at from wallets where user_id = $1', [second]);
  assert.equal(row.status, 'PENDING');
  assert.notEqual(row.at, null);
  assert.equal((await app.call(`GET /users/${first}/wallet/deposit`)).status, 200);
  const order = await builderOf(app).anOrder({ at: 'FUNDS_RESERVED' });
  const escrow = await app.call(`POST /orders/${order.id}/escrow`);
  assert.deepEqual([escrow.status, escrow.body.error.code], [503, 'WALLET_ACTIVATION_LIMIT']);
  assert.equal((await app.call(`GET /orders/${order.id}`)).body.data.data.status, 'FUNDS_RESERVED');
});
