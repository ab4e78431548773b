// Concurrent requests for escrows: on one project, on one balance, through one server and through two. Exactly one funds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXISTS, onlyOne, openBeside, openRace, TOO_LITTLE } from './init-race-checks.ts';

test('the same init ten times at once on one project: one funds, the others get 400', async (t) => {
  const { fixture, counts } = await openRace(t);
  const buyer = await fixture.aPerson('1000.00');
  const seller = await fixture.anyPerson();
  const { id } = await fixture.aProject(buyer);
  const body = fixture.initBody(id, seller.id);
  const answers = await Promise.all(Array.from({ length: 10 }, () => fixture.call('POST /escrow/init', { body })));
  onlyOne(answers, EXISTS);
  assert.deepEqual(await fixture.balance(buyer), [900, 100]);
  assert.deepEqual(await counts(buyer), { live: 1, orders: 1, running: 0, contracts: 1 });
});

test('different inits at once on one project: one funds, with its own terms', async (t) => {
  const { fixture } = await openRace(t);
  const buyer = await fixture.aPerson('1000.00');
  const sellers = await Promise.all([fixture.aPerson(), fixture.anyPerson()]);
  const { id } = await fixture.aProject(buyer);
  const answers = await Promise.all(
    sellers.map((seller, n) =>
      fixture.call('POST /escrow/init', { body: fixture.initBody(id, seller.id, { amount: 10 + n }) }),
    ),
  );
  const { data } = onlyOne(answers, EXISTS).body;
  const place = sellers.findIndex(({ id: sellerId }) => sellerId === data.seller_id);
  assert.equal(data.amount, 10 + place);
  assert.deepEqual(await fixture.balance(buyer), [1000 - data.amount, data.amount]);
});

test('projects that share one balance: it is spent once, and the others leave nothing reserved', async (t) => {
  const { fixture, counts } = await openRace(t);
  const buyer = await fixture.aPerson('150.00');
  const seller = await fixture.anyPerson();
  const projects = await Promise.all(Array.from({ length: 5 }, () => fixture.aProject(buyer)));
  const answers = await Promise.all(
    projects.map(({ id }) => fixture.call('POST /escrow/init', { body: fixture.initBody(id, seller.id) })),
  );
  onlyOne(answers, TOO_LITTLE);
  assert.deepEqual(await fixture.balance(buyer), [50, 100]);
  const { live, running, contracts } = await counts(buyer);
  assert.deepEqual({ live, running, contracts }, { live: 1, running: 0, contracts: 1 });
  // Those that lost are open, and can be funded as soon as there is money.
  await fixture.credit(buyer.id, '100.00');
  const lost = projects.filter((_, n) => answers[n]!.status !== 200);
  assert.equal(
    (await fixture.done('POST /escrow/init', { body: fixture.initBody(lost[0].id, seller.id) })).status,
    'funded',
  );
});

test('the same init through two servers on one database: one funds', async (t) => {
  const { fixture: first, counts } = await openRace(t);
  const second = await openBeside(t, first);
  const buyer = await first.aPerson('1000.00');
  const seller = await second.aPerson();
  const { id } = await second.aProject(buyer);
  const body = first.initBody(id, seller.id);
  const ask = (n: number) => (n % 2 === 0 ? first : second).call('POST /escrow/init', { body });
  onlyOne(await Promise.all(Array.from({ length: 8 }, (_, n) => ask(n))), EXISTS);
  assert.deepEqual(await second.balance(buyer), [900, 100]);
  assert.deepEqual(await counts(buyer), { live: 1, orders: 1, running: 0, contracts: 1 });
});
