// Credits and withdrawals at once, through two servers of one database: together they never exceed the limits of a day.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { clients, tally } from './answers.ts';
import { openTwo, raceWithinLimits } from './user-races.ts';

const servers = shareInFile(openTwo);

const setLimits = (body: object) =>
  servers().apps[0]!.call('PUT /marketplaces/mkt_default/limits', { key: MASTER_KEY, body });

test('credits of many users through two servers at once stop exactly at the limits of the day', async () => {
  await setLimits({ currency: 'USD', manualCreditPerUserDay: '12.00', manualCreditPerDay: '40.00' });
  const { answers, credited } = await raceWithinLimits(servers(), { users: 5, asked: 100 });
  assert.deepEqual(answers, { 200: 40, '422 DAILY_LIMIT_EXCEEDED': 60 });
  assert.equal(
    credited.reduce((sum, amount) => sum + amount, 0),
    40,
  );
  assert.ok(
    credited.every((amount) => amount <= 12),
    credited.join(),
  );
});

test('a limit that is lowered while credits run holds from its answer on', async () => {
  const [app] = servers().apps;
  const { key } = servers();
  const userId = await app!.aUser({ key });
  await setLimits({ currency: 'XLM', manualCreditPerUserDay: '1000.00' });
  const credit = (n: number) =>
    servers().apps[n % 2]!.call(`POST /users/${userId}/balance/credit`, {
      key,
      body: { amount: '1.00', currency: 'XLM' },
    });
  const running = clients(30, credit);
  assert.equal((await setLimits({ currency: 'XLM', manualCreditPerUserDay: '0.00' })).status, 200);
  const after = await clients(10, credit);
  await running;
  assert.deepEqual(tally(after), { '422 DAILY_LIMIT_EXCEEDED': 10 });
});
