// On a distributed database every transaction of the committer is about one marketplace, and each of its statements names that
// marketplace as one value. On one database a transaction may serve several.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { type Fixture, openDistributed, openFixture, replyOf, usd } from './fixture.ts';

const MARKETPLACES = ['mkt_a', 'mkt_b', 'mkt_c'];

let users = 0;
const newUser = () =>
  ({ baseCurrency: 'USD', externalUserId: `user-${++users}`, email: null, type: 'BOTH', metadata: {} }) as const;

/** Credits users of all marketplaces at the same time, ten times each. */
const creditAll = async (fixture: Fixture): Promise<void> => {
  const credited = await Promise.all(
    MARKETPLACES.map(async (marketplaceId) => {
      const { user } = replyOf(await fixture.submit(createUser, newUser(), { marketplaceId }));
      return { marketplaceId, userId: user.id };
    }),
  );
  const credits = Array.from({ length: 10 }, () => credited).flat();
  await Promise.all(
    credits.map(({ marketplaceId, userId }) =>
      fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') }, { marketplaceId }),
    ),
  );
};

/** Transactions that wrote audit entries of more than one marketplace. */
const sharedTransactions = async ({ pool }: Fixture): Promise<number> => {
  const { rows } = await pool.query<{ count: bigint }>(
    'select count(*) from (select xmin::text from audit_entries group by xmin::text having count(distinct marketplace_id) > 1) shared',
  );
  return Number(rows[0]!.count);
};

const open = (t: TestContext, isDistributed: boolean): Promise<Fixture> =>
  isDistributed ? openDistributed(t, { lanes: 1 }) : openFixture(t, { lanes: 1 });

test('a transaction is about one marketplace where the database is distributed', async (t) => {
  const fixture = await open(t, true);
  await creditAll(fixture);
  assert.equal(await sharedTransactions(fixture), 0);
  assert.ok(
    fixture.seen.groups.some((size) => size > 1),
    'commands of one marketplace still share a transaction',
  );
  for (const marketplaceId of MARKETPLACES) await inspectBooks(fixture.pool, marketplaceId);
});

test('a transaction may serve several marketplaces on one database', async (t) => {
  const fixture = await open(t, false);
  await creditAll(fixture);
  assert.ok((await sharedTransactions(fixture)) > 0);
  for (const marketplaceId of MARKETPLACES) await inspectBooks(fixture.pool, marketplaceId);
});

test('commands of one marketplace keep their order', async (t) => {
  const fixture = await open(t, true);
  const { user } = replyOf(await fixture.submit(createUser, newUser(), { marketplaceId: 'mkt_a' }));
  const amounts = Array.from({ length: 20 }, (_, n) => usd(`${n + 1}.00`));
  await Promise.all(
    amounts.flatMap((amount) => [
      fixture.submit(creditBalance, { userId: user.id, currency: 'USD', amount }, { marketplaceId: 'mkt_a' }),
      fixture.submit(createUser, newUser(), { marketplaceId: 'mkt_b' }),
    ]),
  );
  const { rows } = await fixture.pool.query<{ amount: bigint }>(
    `select amount from postings where marketplace_id = 'mkt_a' and account_id like $1 order by seq`,
    [`%${user.id}%`],
  );
  assert.deepEqual(
    rows.map(({ amount }) => amount),
    amounts,
  );
});
