// Concurrent requests for escrows through two servers, and with different terms. Exactly one funds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXISTS, onlyOne, openBeside, openRace, TOO_LITTLE } from './init-race-checks.ts';

test('one balance through two servers: it is spent once', async (t) => {
  const { fixture: first } = await openRace(t);
  const second = await openBeside(t, first);
  const buyer = await first.aPerson('150.00');
  const seller = await first.anyPerson();
  const projects = await Promise.all(Array.from({ length: 6 }, () => first.aProject(buyer)));
  const ask = (project: { id: string }, n: number) =>
    (n % 2 === 0 ? first : second).call('POST /escrow/init', { body: first.initBody(project.id, seller.id) });
  onlyOne(await Promise.all(projects.map(ask)), TOO_LITTLE);
  assert.deepEqual(await first.balance(buyer), [50, 100]);
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
