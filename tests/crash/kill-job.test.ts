// A job that a kill -9 of the server interrupted is taken up by the next server, and not only when its time is over.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeWaiting, SAGAS } from './order-saga.ts';
import { openTown } from './order-town.ts';

test('a transaction that was being resumed when the server was killed is settled by the next one', async (t) => {
  const town = await openTown(t);
  await town.start();
  await town.letWork([]);
  const place = await town.makePlace();
  const { marketplaceId, key, buyer } = place;
  await town.expect(`POST /users/${buyer}/balance/credit`, { key, body: { amount: '1000.00' } });
  await town.untilRest([place]);
  const waiting = await makeWaiting(town, { place, saga: SAGAS.create });
  const first = town.gate.begin(marketplaceId, { at: 3, when: 'before' });
  const asked = town.ask(waiting.saga.request(waiting), { key });
  await first.stopped;
  await town.kill();
  assert.equal(await asked, null);
  await town.letWork(['resume-transactions', 'activate-wallets']);
  // The next one is killed in the middle of the job that resumes the treasury's transaction.
  const second = town.gate.begin(marketplaceId, { at: 0, when: 'before' });
  await town.start();
  await second.stopped;
  town.gate.end();
  await town.kill();
  await town.start();
  await town.untilRest([place]);
});
