// The connection of the committer fails while its backend still runs. The transaction may still commit, so the committer waits
// for it.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DomainError } from '../../server/src/base/domain-error.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { askEveryNode } from '../../tools/test-database/database.ts';
import { until } from '../../tools/until.ts';
import { type Fixture, openPlace, sharedDatabase, usd } from './fixture.ts';
import { interceptStatements } from './intercept.ts';

/** Reports a broken connection to the committer but keeps it open. Commits there only when another backend waits for the lock. */
const commitLate = async (t: TestContext, prepare: (fixture: Fixture) => Promise<void>): Promise<Fixture> => {
  const connection = await sharedDatabase();
  let armed = false;
  const late = Promise.withResolvers<() => Promise<unknown>>();
  const fixture = await openPlace(t, {
    connection,
    intercept: (client) => {
      const end = client.end.bind(client);
      interceptStatements(client, (label, send) => {
        if (label !== 'commit' || !armed) return send();
        armed = false;
        client.end = (async () => {}) as typeof client.end;
        late.resolve(async () => {
          await send();
          await end();
        });
        return Promise.reject(new Error('Connection terminated unexpectedly'));
      });
    },
  });
  await prepare(fixture);
  armed = true;
  const input = { baseCurrency: 'USD', externalUserId: 'late', email: null, type: 'BOTH', metadata: {} } as const;
  const answered = fixture.submit(createUser, input);
  const commit = await late.promise;
  const waiting = `select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`;
  await until(
    async () => (await askEveryNode(waiting, [connection.database])).length > 0,
    'another backend waits for the lost transaction',
  );
  await commit();
  const outcome = await answered;
  assert.ok(outcome.kind === 'reply' && outcome.reply.created, 'the answer says that the user was created');
  return fixture;
};

test('the committer waits for a lost commit that is not finished yet', async (t) => {
  const fixture = await commitLate(t, async (fixture) => void (await fixture.user()));
  const { rows } = await fixture.pool.query(
    `select count(*)::int as n from users where external_user_id = 'late' and marketplace_id = $1`,
    [fixture.marketplaceId],
  );
  assert.deepEqual(rows, [{ n: 1 }]);
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});

test('the committer waits for a lost commit that is creating its marketplace', async (t) => {
  const fixture = await commitLate(t, async () => {});
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});

/** What happens to the commit or rollback of the attempt that decides a delayed group again. `late` runs the delayed statements. */
type SecondEnd = (of: {
  send: () => Promise<unknown>;
  rollback: () => Promise<unknown>;
  late: () => Promise<unknown>;
}) => Promise<unknown>;

/** A fixture whose next group, once armed, reaches the database late. The committer sees a broken connection. */
const openDelayed = async (t: TestContext, secondEnd: SecondEnd) => {
  const delayed: (() => Promise<unknown>)[] = [];
  let isArmed = false;
  const late = () => Promise.all(delayed.splice(0).map((send) => send()));
  const fixture = await openPlace(t, {
    connection: await sharedDatabase(),
    intercept(client) {
      const end = client.end.bind(client);
      interceptStatements(client, async (label, send) => {
        if (isArmed) {
          isArmed = label !== 'commit';
          client.end = (async () => {}) as typeof client.end;
          delayed.push(label === 'commit' ? () => send().finally(end) : send);
          throw new Error('Connection terminated unexpectedly');
        }
        const isEnd = label === 'commit' || label === 'rollback';
        if (!isEnd || delayed.length === 0) return send();
        return secondEnd({ send, rollback: () => send('rollback'), late });
      });
    },
  });
  const userId = await fixture.user('1.00');
  let decisions = 0;
  return {
    fixture,
    userId,
    decisions: () => decisions,
    /** Credits 1.00. `again` runs before every decision but the first. */
    credit(again: () => void) {
      isArmed = true;
      const decide: typeof creditBalance.decide = (input, work) => {
        if (++decisions > 1) again();
        return creditBalance.decide(input, work);
      };
      return fixture.submit({ ...creditBalance, decide }, { userId, currency: 'USD', amount: usd('1.00') });
    },
  };
};

test('a lost group that is refused when it is decided again is answered by its own outcome', async (t) => {
  const { fixture, userId, credit, decisions } = await openDelayed(t, async ({ send, late }) => {
    const answer = await send();
    // The locks are free: now the late statements take them.
    await late();
    return answer;
  });
  const outcome = await credit(() => {
    throw new DomainError('INVALID_STATE');
  });
  assert.equal(decisions(), 2);
  assert.equal(outcome.kind, 'reply');
  assert.equal(await fixture.available(userId), '2.00');
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});

test('a lost group that commits after a second attempt was lost too takes effect once', async (t) => {
  const { fixture, userId, credit, decisions } = await openDelayed(t, async ({ rollback, late }) => {
    await rollback();
    await late();
    throw new Error('Connection terminated unexpectedly');
  });
  const outcome = await credit(() => {});
  assert.equal(decisions(), 2);
  assert.equal(outcome.kind, 'reply');
  assert.equal(await fixture.available(userId), '2.00');
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});
