// The connection of the committer fails while its backend still runs. The transaction may still commit, so the committer waits
// for it.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { until } from '../../tools/until.ts';
import { type Fixture, openPlace, sharedDatabase } from './fixture.ts';
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
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(
    async () => (await fixture.pool.query(waiting)).rows.length > 0,
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
