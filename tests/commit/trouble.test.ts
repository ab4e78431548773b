// The committer retries when the database fails for a while, and the outcome is complete.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { releaseBalance } from '../../server/src/modules/balances/release-reserved.ts';
import { reserveBalance } from '../../server/src/modules/balances/reserve-balance.ts';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { aside } from '../../tools/test-database/aside.ts';
import { openAnotherCommitter, openPlace, sharedDatabase, usd } from './fixture.ts';
import { interceptStatements, raise } from './intercept.ts';

const isWrite = (label: string): boolean => /\b(write|insert|add-accounts|move)-/.test(label);

test('a lane whose prepared statements the database no longer accepts opens a new connection and goes on', async (t) => {
  const lanes: pg.Client[] = [];
  const fixture = await openPlace(t, { intercept: (client) => void lanes.push(client) });
  const userId = await fixture.user('1.00');
  for (const lane of [...lanes]) await lane.query('deallocate all');
  await fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') });
  assert.deepEqual(fixture.seen.retries, ['connection']);
  assert.equal(await fixture.available(userId), '2.00');
});

for (const [sqlstate, reason] of [
  ['40001', 'serialization'],
  ['40P01', 'deadlock'],
] as const) {
  test(`a group that fails with ${sqlstate} is retried and succeeds`, async (t) => {
    let left = 0;
    const fixture = await openPlace(t, {
      intercept: (client) =>
        interceptStatements(client, (label, send) => (isWrite(label) && left-- > 0 ? send(raise(sqlstate)) : send())),
    });
    const userId = await fixture.user();
    for (let round = 1; round <= 3; round++) {
      left = round;
      const credits = [1, 2, 3].map(() =>
        fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') }),
      );
      await Promise.all(credits);
    }
    assert.ok(fixture.seen.retries.includes(reason));
    assert.equal(await fixture.available(userId), '9.00');
    await inspectBooks(fixture.pool, fixture.marketplaceId);
  });

  test(`a group that always fails with ${sqlstate} is given up after a limited number of retries and writes nothing`, async (t) => {
    let broken = false;
    let tries = 0;
    const fixture = await openPlace(t, {
      intercept: (client) =>
        interceptStatements(client, (label, send) => {
          if (!broken || !isWrite(label)) return send();
          tries++;
          return send(raise(sqlstate));
        }),
    });
    const userId = await fixture.user('1.00');
    broken = true;
    const credits = [1, 2].map(() => fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') }));
    for (const { status } of await Promise.allSettled(credits)) assert.equal(status, 'rejected');
    assert.ok(tries >= 3 && tries < 200, `${tries} tries`);
    broken = false;
    await fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') });
    assert.equal(await fixture.available(userId), '2.00');
    await inspectBooks(fixture.pool, fixture.marketplaceId);
  });
}

test('a row that another connection changed is read again, and the change is kept', async (t) => {
  const connection = await sharedDatabase();
  const meddled: string[] = [];
  let meddle = false;
  let place = '';
  const fixture = await openPlace(t, {
    connection,
    intercept: (client) =>
      interceptStatements(client, async (label, send, first) => {
        // A distributed database gets the second form.
        if (meddle && /(replace|update)-reservations/.test(label)) {
          meddle = false;
          meddled.push(label);
          await first(() =>
            aside(connection, 'update reservations set version = version + 1 where marketplace_id = $1', [place]),
          );
        }
        return send();
      }),
  });
  place = fixture.marketplaceId;
  const userId = await fixture.user('10.00');
  const held = { userId, currency: 'USD', amount: usd('6.00'), orderId: 'o1' } as const;
  await fixture.submit(reserveBalance, held);
  meddle = true;
  await fixture.submit(releaseBalance, { ...held, amount: usd('2.00') });
  assert.equal(meddled.length, 1);
  assert.ok(fixture.seen.retries.includes('serialization'));
  const { rows } = await fixture.pool.query('select version, remaining from reservations where marketplace_id = $1', [
    place,
  ]);
  assert.deepEqual(rows, [{ version: 3, remaining: usd('4.00') }]);
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});

test('cached rows never overwrite what another committer wrote', async (t) => {
  const one = await openPlace(t);
  const other = await openAnotherCommitter(t, one);
  const userId = await one.user('5.00');
  const credit = { userId, currency: 'USD', amount: usd('1.00') } as const;
  for (let round = 0; round < 20; round++) {
    await one.submit(creditBalance, credit);
    await other.submit(creditBalance, credit);
  }
  assert.equal(await one.available(userId), '45.00');
  await inspectBooks(one.pool, one.marketplaceId);
});

test('a user that another committer created is found at once, and is not created twice', async (t) => {
  const one = await openPlace(t);
  const other = await openAnotherCommitter(t, one);
  const input = { baseCurrency: 'USD', externalUserId: 'ext', email: null, type: 'BOTH', metadata: {} } as const;
  await one.user();
  await other.user();
  const made = await Promise.all([one, other, one, other].map((fixture) => fixture.submit(createUser, input)));
  const replies = made.map((outcome) => (outcome.kind === 'reply' ? outcome.reply : null));
  assert.equal(new Set(replies.map((reply) => reply?.user.id)).size, 1);
  assert.equal(replies.filter((reply) => reply?.created).length, 1);
  await inspectBooks(one.pool, one.marketplaceId);
});
