// A command with a bug fails alone. It writes nothing, and the other commands of its group succeed.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isDomainError } from '../../server/src/base/domain-error.ts';
import { adjustments, available } from '../../server/src/books/accounts.ts';
import { type Command, command, type Needs } from '../../server/src/commit/command.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import type { User } from '../../server/src/modules/users/user.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { type Fixture, openAnotherCommitter, openFixture, openPlace, usd } from './fixture.ts';

type OfUser = { userId: string };

const needsOf = ({ userId }: OfUser): Needs => ({
  rows: [{ table: 'users', id: userId }],
  accounts: [available(userId, 'USD'), adjustments('USD')],
});

/** Uses every part of the unit of work, so that a partial write would be visible. */
const touchEverything = ({ userId }: OfUser, work: Parameters<Command<OfUser, void>['decide']>[1]): User => {
  const user = work.get('users', userId);
  const change = { from: adjustments('USD'), to: available(userId, 'USD'), amount: usd('7.00') } as const;
  work.post({ ...change, move: 'credit' });
  work.put('users', { ...user, email: 'changed@shop.example' });
  work.emit({
    type: 'user.created',
    aggregateId: userId,
    payload: { userId, externalUserId: 'x', type: 'BOTH', status: 'ACTIVE' },
  });
  work.audit({ action: 'USER_CREATED', resourceType: 'User', resourceId: userId });
  return { ...user, email: 'changed@shop.example' };
};

const bug = (): never => {
  throw new TypeError('a bug in the command');
};

const BROKEN: Record<string, Command<OfUser, unknown>> = {
  'throws in the middle of its decision': command({
    name: 'broken-decide',
    needs: needsOf,
    decide(input, work) {
      touchEverything(input, work);
      return bug();
    },
  }),
  'throws while it says what it needs': command({ name: 'broken-needs', needs: bug, decide: () => null }),
  'throws while it says what it needs next': command({
    name: 'broken-next',
    needs: needsOf,
    needsNext: bug,
    decide: () => null,
  }),
  'asks for a row that it did not name': command({
    name: 'broken-unnamed',
    needs: needsOf,
    decide(input, work) {
      touchEverything(input, work);
      return work.find('users', 'usr_unnamed');
    },
  }),
  'puts a row that the database refuses': command({
    name: 'broken-status',
    needs: needsOf,
    decide(input, work) {
      work.put('users', { ...touchEverything(input, work), status: 'UPSIDE_DOWN' as 'ACTIVE' });
    },
  }),
  'puts a text that the database cannot hold': command({
    name: 'broken-text',
    needs: needsOf,
    decide(input, work) {
      touchEverything(input, work);
      work.audit({ action: 'USER_CREATED', resourceType: 'User', resourceId: 'cut\0short' });
    },
  }),
  'leaves out a field that must be there': command({
    name: 'broken-field',
    needs: needsOf,
    decide(input, work) {
      touchEverything(input, work);
      work.audit({ action: 'USER_CREATED', resourceType: 'User', resourceId: undefined as unknown as string });
    },
  }),
};

const credit = (fixture: Fixture, userId: string) =>
  fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') });

/** Runs the broken command between nine good ones. `known`: the rows are in the cache; otherwise they are read first. */
const runAmongOthers = async (t: TestContext, broken: Command<OfUser, unknown>, known: boolean): Promise<void> => {
  const fixture = await openPlace(t);
  const userId = await fixture.user('1.00');
  const other = known ? fixture : await openAnotherCommitter(t, fixture);
  const others = (count: number) => Array.from({ length: count }, () => credit(other, userId));
  const before = others(4);
  const failing = other.submit(broken, { userId }).catch((error: unknown) => error);
  const settled = await Promise.allSettled([...before, ...others(5)]);
  assert.deepEqual(
    settled.filter(({ status }) => status === 'rejected'),
    [],
    'the others succeed',
  );
  const error = await failing;
  assert.ok(
    error instanceof Error && !isDomainError(error),
    `the broken command fails with its own bug, not with ${error}`,
  );

  await credit(other, userId);
  const books = await inspectBooks(fixture.pool, fixture.marketplaceId);
  assert.deepEqual(books[`${userId}/USD`], { available: usd('11.00'), reserved: 0n });
  const { rows } = await fixture.pool.query('select email from users where id = $1', [userId]);
  assert.deepEqual(rows, [{ email: null }]);
};

for (const [what, broken] of Object.entries(BROKEN)) {
  test(`a command that ${what} fails alone and writes nothing`, { timeout: 20_000 }, (t) =>
    runAmongOthers(t, broken, false),
  );
  test(`a command that ${what} fails alone among commands that decide on cached rows`, { timeout: 20_000 }, (t) =>
    runAmongOthers(t, broken, true),
  );
}

test('an answer that cannot be rendered fails its own command alone', { timeout: 20_000 }, async (t) => {
  const fixture = await openPlace(t);
  const userId = await fixture.user('1.00');
  const guard = {
    keyHash: Buffer.alloc(32, 1),
    fingerprint: Buffer.alloc(32, 2),
    retentionHours: 24,
    render: bug,
  };
  const good = [credit(fixture, userId), credit(fixture, userId)];
  const input = { userId, currency: 'USD', amount: usd('1.00') } as const;
  const bad = [
    fixture.submit(creditBalance, input, { guard }),
    fixture.submit(creditBalance, { ...input, userId: 'usr_unknown' }, { guard }),
  ];
  for (const { status } of await Promise.allSettled(bad)) assert.equal(status, 'rejected');
  await Promise.all([...good, credit(fixture, userId)]);
  assert.equal(await fixture.available(userId), '4.00');
});

test('a listener that throws on events neither repeats nor fails a commit', {
  timeout: 20_000,
}, async (t) => {
  let calls = 0;
  const fixture = await openPlace(t, {
    onEvents() {
      calls++;
      throw new Error('a bug in a listener');
    },
  });
  const userId = await fixture.user();
  for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 3 }, () => credit(fixture, userId)));
  assert.ok(calls > 0);
  assert.equal(await fixture.available(userId), '9.00');
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});

test('a command whose reactions throw is answered all the same, and so are the others of its group', async (t) => {
  const reported: string[] = [];
  const { submit, user } = await openFixture(t, {
    reactions: { run() {} },
    onTrouble: (message) => void reported.push(message),
  });
  const userId = await user('1.00');
  const loud = command({ ...creditBalance, name: 'loud-credit', reactions: bug });
  const input = { userId, amount: usd('1.00'), currency: 'USD', reason: null, reference: null } as const;
  const outcomes = await Promise.all([submit(loud, input), submit(creditBalance, input)]);
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['reply', 'reply'],
  );
  assert.deepEqual(reported, ['the reactions of loud-credit failed']);
});
