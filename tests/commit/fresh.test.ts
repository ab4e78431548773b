// A committer remembers all rows of the ids that its own commands made. It decides from memory what it would decide from the database,
// and forgets when another committer writes.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { cancelReservation } from '../../server/src/modules/balances/release-reserved.ts';
import { cancelOrder } from '../../server/src/modules/orders/cancel-order.ts';
import { createOrder } from '../../server/src/modules/orders/create-order.ts';
import { reserveOrder } from '../../server/src/modules/orders/reserve-order.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { type Fixture, openAnotherCommitter, openPlace, replyOf, usd } from './fixture.ts';
import { comparable, orderInput, orderSteps, type Parties, runOrderSteps } from './order-steps.ts';

const partiesOf = async (fixture: Fixture): Promise<Parties> => ({
  buyerId: await fixture.user('5.00'),
  sellerId: await fixture.user(),
});

const create = async (fixture: Fixture, parties: Parties): Promise<string> =>
  replyOf(await fixture.submit(createOrder, orderInput(parties))).order.id;

test('the commands on new orders are decided without a query once the rows of their users are cached', async (t) => {
  const fixture = await openPlace(t);
  const parties = await partiesOf(fixture);
  // Loads what all orders of these users share.
  const first = await create(fixture, parties);
  await fixture.submit(reserveOrder, { orderId: first });
  await fixture.submit(cancelOrder, { orderId: first, reason: null });
  const before = { ...fixture.seen.commands };
  const orders = await Promise.all([create(fixture, parties), create(fixture, parties)]);
  for (const orderId of orders) await fixture.submit(reserveOrder, { orderId });
  for (const orderId of orders) await fixture.submit(cancelOrder, { orderId, reason: null });
  assert.deepEqual(fixture.seen.commands, { memory: before.memory + 6, database: before.database });
  assert.deepEqual(fixture.seen.retries, []);
  assert.equal(await fixture.available(parties.buyerId), '5.00');
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});

test('the accounts of a new user are known to be empty', async (t) => {
  const fixture = await openPlace(t);
  await fixture.user('1.00');
  const userId = await fixture.user();
  const { database } = fixture.seen.commands;
  await fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('3.00') });
  assert.equal(fixture.seen.commands.database, database);
  assert.equal(await fixture.available(userId), '3.00');
});

test('the rows of old orders are forgotten, and those that are used all the time stay', async (t) => {
  const fixture = await openPlace(t, { cacheEntriesMax: 400 });
  const parties: Parties = { buyerId: await fixture.user('1000.00'), sellerId: await fixture.user() };
  const first = await create(fixture, parties);
  await fixture.submit(reserveOrder, { orderId: first });
  const { database } = fixture.seen.commands;
  for (let n = 0; n < 150; n++) await fixture.submit(reserveOrder, { orderId: await create(fixture, parties) });
  assert.equal(fixture.seen.commands.database, database, 'no query was needed for new orders');
  await fixture.submit(cancelOrder, { orderId: first, reason: null });
  assert.equal(fixture.seen.commands.database, database + 1, 'the first order had been forgotten');
  assert.equal(await fixture.available(parties.buyerId), '700.00');
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});

test('many users that are active stay in memory while rows of new orders come and go', async (t) => {
  const fixture = await openPlace(t, { cacheEntriesMax: 600 });
  const seller = await fixture.user();
  const buyers: string[] = [];
  // Their rows and accounts are more than half of the allowed entries.
  for (let n = 0; n < 100; n++) buyers.push(await fixture.user('100.00'));
  const trade = async (): Promise<void> => {
    for (const buyerId of buyers) await create(fixture, { buyerId, sellerId: seller });
  };
  await trade();
  const { database } = fixture.seen.commands;
  for (let round = 0; round < 10; round++) await trade();
  assert.equal(fixture.seen.commands.database, database);
});

test('rows that another committer wrote for a new order are seen', async (t) => {
  const one = await openPlace(t);
  const other = await openAnotherCommitter(t, one);
  const parties = await partiesOf(one);
  const orderId = await create(one, parties);
  await other.submit(reserveOrder, { orderId });
  await assert.rejects(one.submit(reserveOrder, { orderId }), { code: 'INVALID_STATE' });
  const input = { userId: parties.buyerId, orderId, reason: null, baseCurrency: 'USD' } as const;
  await one.submit(cancelReservation, input);
  await assert.rejects(other.submit(cancelReservation, input), { code: 'RESERVATION_NOT_FOUND' });
  assert.equal(await one.available(parties.buyerId), '5.00');
  await inspectBooks(one.pool, one.marketplaceId);
});

test('two committers that race for the same new orders reserve each of them once', async (t) => {
  const one = await openPlace(t);
  const both = [one, await openAnotherCommitter(t, one)];
  const parties: Parties = { buyerId: await one.user('100.00'), sellerId: await one.user() };
  for (let round = 0; round < 5; round++) {
    const orders = await Promise.all(both.flatMap((each) => [create(each, parties), create(each, parties)]));
    const settled = await Promise.allSettled(
      both.flatMap((each) => orders.map((orderId) => each.submit(reserveOrder, { orderId }))),
    );
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, orders.length);
  }
  assert.equal(await one.available(parties.buyerId), '60.00');
  await inspectBooks(one.pool, one.marketplaceId);
});

/** Another committer changes the marketplace before each step, so no step finds a cache that is still valid. */
const withoutMemory = async (t: TestContext): Promise<{ fixture: Fixture; by: (index: number) => Fixture }> => {
  const fixture = await openPlace(t);
  const both = [fixture, await openAnotherCommitter(t, fixture)];
  return { fixture, by: (index) => both[index % 2]! };
};

/** So few entries that almost every command makes the committer forget some. */
const FEW_ENTRIES = 24;

test('a committer with memory, one that forgets and two without give the same answers and rows', async (t) => {
  let fromMemory = 0;
  const agrees = async (steps: Parameters<typeof runOrderSteps>[0]): Promise<void> => {
    const warm = await openPlace(t);
    const forgetful = await openPlace(t, { cacheEntriesMax: FEW_ENTRIES });
    const cold = await withoutMemory(t);
    const outcomes = await runOrderSteps(steps, { parties: await partiesOf(warm), by: () => warm });
    const expected = await runOrderSteps(steps, { parties: await partiesOf(cold.fixture), by: cold.by });
    assert.deepEqual(outcomes, expected);
    const forgot = await runOrderSteps(steps, { parties: await partiesOf(forgetful), by: () => forgetful });
    assert.deepEqual(forgot, expected);
    const rows = await comparable(cold.fixture);
    assert.deepEqual(await comparable(warm), rows);
    assert.deepEqual(await comparable(forgetful), rows);
    for (const { pool, marketplaceId } of [warm, forgetful]) await inspectBooks(pool, marketplaceId);
    fromMemory += warm.seen.commands.memory;
    for (const { committer } of [warm, forgetful, cold.by(0), cold.by(1)]) await committer.close();
  };
  await fc.assert(fc.asyncProperty(orderSteps, agrees), { seed: 4_711, numRuns: 8 });
  assert.ok(fromMemory > 25, `${fromMemory} commands were decided from memory`);
});
