// Concurrent requests for escrows, on one project and on one balance. Exactly one funds. init-races.long.test.ts has two servers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXISTS, onlyOne, openRace, TOO_LITTLE } from './init-race-checks.ts';

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
