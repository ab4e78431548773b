// Float on its way between two marketplaces: a stop after each of the three commands is continued by the job, no float is lost or
// doubled, and the comparison with the provider counts what is in transit. Also races for the same float, and the play float.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFloatReads } from '../../server/src/modules/float/queries.ts';
import { beginFloatTransfer } from '../../server/src/modules/float/transfer-float.ts';
import { createFloatTransfers } from '../../server/src/modules/float/transfers.ts';
import { openFixture, replyOf, usd } from '../commit/fixture.ts';
import { codeOf, MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import { openWithdrawals } from './withdrawal-fixture.ts';
import { many, statusesOf } from './withdrawal-race-checks.ts';

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

test('a transfer that stopped after its first command is in transit, and the job ends it once', async (t) => {
  const { app, begin, held, transfers, reconcileFloat, assertSettled } = await openStopping(t);
  await begin(OPERATOR, SHOP);
  assert.deepEqual(await held(), ['600.00', '300.00']);
  const { inTransit, difference } = (await app.call('GET /reconciliation/float', { key: MASTER_KEY })).body.data;
  assert.deepEqual([inTransit, difference], ['100.00', '0.00']);
  assert.deepEqual((await reconcileFloat()).seen, [], 'what is in transit is no break');
  await Promise.all([transfers.resume(), transfers.resume()]);
  assert.deepEqual(await held(), ['600.00', '400.00']);
  await transfers.resume();
  assert.deepEqual(await held(), ['600.00', '400.00']);
  assert.deepEqual(await app.sql('select id from float_transfers where arrived_at is null'), []);
  await assertSettled();
});

test('withdrawals at once promise no more than the float', async (t) => {
  const { app, key, payouts, assertSettled } = await openStopping(t);
  const userId = await app.aUser({ key, hasEmail: true, available: '1000.00' });
  const body = { userId, amount: '80.00', currency: 'USD', destination: { type: 'bank' } };
  const answers = await many(8, () => app.call('POST /withdrawals', { key, body }));
  assert.deepEqual(statusesOf(answers), { 201: 3, 422: 5 });
  const { pendingPayouts, available } = await floatOf(app, SHOP);
  assert.deepEqual([pendingPayouts, available], ['240.00', '60.00']);
  assert.deepEqual(payouts(), []);
  await assertSettled();
});

test('in the sandbox a new marketplace can pay out what it credits by hand, up to its play float', async (t) => {
  const app = await startApp(t, { sandbox: true, env: { SANDBOX_FLOAT: '500.00' } });
  const key = await app.key(['*'], SHOP);
  const userId = await app.aUser({ key, hasEmail: true, available: '1000.00' });
  const withdraw = (amount: string) =>
    app.call('POST /withdrawals', { key, body: { userId, amount, currency: 'USD', destination: { type: 'bank' } } });
  const answers = await Promise.all(['300.00', '200.00'].map(withdraw));
  assert.deepEqual(statusesOf(answers), { 201: 2 });
  assert.equal(codeOf(await withdraw('0.01')), '422 INSUFFICIENT_FUNDS');
  const { held, allotted, available } = await floatOf(app, SHOP);
  assert.deepEqual([held, allotted, available], ['500.00', '500.00', '0.00'], 'it is allotted once');
});
