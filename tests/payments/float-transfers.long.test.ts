// Float on its way between two marketplaces: the second stop, the float taken back during a withdrawal, and a sandbox with too little float.
// float-transfers.test.ts has the first stop and the common cases.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFloatReads } from '../../server/src/modules/float/queries.ts';
import { beginFloatTransfer, receiveFloatTransfer } from '../../server/src/modules/float/transfer-float.ts';
import { createFloatTransfers } from '../../server/src/modules/float/transfers.ts';
import { openFixture, replyOf, usd } from '../commit/fixture.ts';
import { MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import { openWithdrawals } from './withdrawal-fixture.ts';
import { statusesOf } from './withdrawal-race-checks.ts';

const SHOP = 'mkt_shop';

const OPERATOR = 'mkt_default';

const floatOf = async (app: TestApp, id: string) =>
  (await app.call(`GET /marketplaces/${id}`, { key: MASTER_KEY })).body.data.float;

/** A server whose operator has 1,000.00 at the provider, and a process beside it that stops after a command. */
const openStopping = async (t: TestContext) => {
  const fixture = await openWithdrawals(t, { sandbox: { payment: { openingBalance: 1_000 } } });
  const { app } = fixture;
  const key = await app.key(['*'], SHOP);
  const allot = (amount: string) =>
    app.call(`POST /marketplaces/${SHOP}/float`, { key: MASTER_KEY, body: { amount, currency: 'USD' } });
  await allot('300.00');
  const { pool, committer, submit } = await openFixture(t, { connection: app.connection });
  const transfers = createFloatTransfers({
    submit: committer.submit,
    openFloat: async () => true,
    reads: createFloatReads(pool),
    play: null,
    onTrouble(message, error) {
      throw new Error(message, { cause: error });
    },
  });
  const begin = async (from: string, to: string) => {
    const input = { to, amount: usd('100.00'), isPlay: false, isFloatOpened: true, requestKey: null };
    return replyOf(await submit(beginFloatTransfer, input, { marketplaceId: from }));
  };
  const held = async () => [(await floatOf(app, OPERATOR)).held, (await floatOf(app, SHOP)).held];
  return { ...fixture, key, allot, submit, transfers, begin, held };
};

test('a transfer that stopped after its second command is not received again', async (t) => {
  const { app, begin, submit, held, transfers, reconcileFloat, assertSettled } = await openStopping(t);
  const { id, amount } = await begin(SHOP, OPERATOR);
  await submit(receiveFloatTransfer, { id, amount, from: SHOP }, { marketplaceId: OPERATOR });
  assert.deepEqual(await held(), ['800.00', '200.00']);
  const open = await app.sql('select direction from float_transfers where arrived_at is null');
  assert.deepEqual(open, [{ direction: 'given' }]);
  const { inTransit } = (await app.call('GET /reconciliation/float', { key: MASTER_KEY })).body.data;
  assert.equal(inTransit, '0.00', 'it has arrived, and only its end is not recorded');
  assert.deepEqual((await reconcileFloat()).seen, []);
  await transfers.resume();
  assert.deepEqual(await held(), ['800.00', '200.00']);
  assert.deepEqual(await app.sql('select id from float_transfers where arrived_at is null'), []);
  assert.equal((await floatOf(app, SHOP)).allotted, '200.00');
  await assertSettled();
});

test('a withdrawal and taking the float back at once: the same float is never used twice', async (t) => {
  const { app, key, allot, assertSettled } = await openStopping(t);
  const userId = await app.aUser({ key, hasEmail: true, available: '1000.00' });
  const body = { userId, amount: '200.00', currency: 'USD', destination: { type: 'bank' } };
  const answers = await Promise.all([
    app.call('POST /withdrawals', { key, body }),
    allot('-200.00'),
    app.call('POST /withdrawals', { key, body }),
    allot('-200.00'),
  ]);
  assert.deepEqual(statusesOf(answers), { 201: 1, 422: 3 });
  const { held, pendingPayouts, available } = await floatOf(app, SHOP);
  assert.equal(available, '100.00');
  assert.ok(held === '100.00' || pendingPayouts === '200.00');
  await assertSettled();
});

test('in a sandbox that has too little for two play floats, a new marketplace gets half of what the operator has', async (t) => {
  // The simulator has 1,000,000,000.00. A sandbox of an older version has too little in the same way.
  const env = { SANDBOX_FLOAT: '600000000.00' };
  const app = await startApp(t, { sandbox: true, env });
  const withdrawIn = async (id: string) => {
    const key = await app.key(['*'], id);
    const userId = await app.aUser({ key, hasEmail: true, available: '10.00' });
    const body = { userId, amount: '1.00', currency: 'USD', destination: { type: 'bank' } };
    const answers = [
      await app.call('POST /withdrawals', { key, body }),
      await app.call('POST /withdrawals', { key, body }),
    ];
    assert.deepEqual(statusesOf(answers), { 201: 2 });
    return (await floatOf(app, id)).held;
  };
  assert.equal(await withdrawIn(SHOP), '500000000.00');
  assert.equal(await withdrawIn('mkt_second'), '250000000.00');
  assert.equal((await floatOf(app, OPERATOR)).held, '250000000.00');
});
