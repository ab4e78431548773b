// One balance through two servers, which init-races.test.ts checks through one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyOne, openBeside, openRace, TOO_LITTLE } from './init-race-checks.ts';

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
