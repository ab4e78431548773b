// The watcher: every wallet in turn, also those created later, with a limited number of polls at once.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { FollowedWallet } from '../../server/src/ledger/deposits/queries.ts';
import { watchDeposits } from '../../server/src/ledger/deposits/watch-deposits.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { openDepositFixture, type Process, startProcess } from './deposit-fixture.ts';

const never = (message: string, error: unknown): void => {
  throw new Error(message, { cause: error });
};

const watch = (t: TestContext, { reads, deposits }: Pick<Process, 'reads' | 'deposits'>) => {
  const watching = watchDeposits({ wallets: reads.followed, poll: deposits.poll, pollMs: 20, onTrouble: never });
  afterwards(t, () => watching.stop());
  return watching;
};

const inventWallets = (count: number): FollowedWallet[] =>
  Array.from({ length: count }, (_, i) => ({
    marketplaceId: 'mkt_many',
    id: `wal_${String(i).padStart(4, '0')}`,
    owner: 'user',
    userId: `usr_${i}`,
    address: `G${i}`,
    status: 'ACTIVE',
    paymentsCursor: '0',
  }));

const pageOf = (wallets: readonly FollowedWallet[]) => async (after: FollowedWallet | null, limit: number) => {
  const start = after === null ? 0 : wallets.findIndex(({ id }) => id === after.id) + 1;
  return wallets.slice(start, start + limit);
};

test('a wallet that was created after the start is watched without a restart', async (t) => {
  const fixture = await openDepositFixture(t);
  watch(t, fixture);
  const { userId, address } = await fixture.user();
  await fixture.pay(address, '4.20');
  await until(async () => (await fixture.books(`${userId}:available:USD`)) === '4.2000000');
  assert.equal((await fixture.sql('select 1 from deposits where user_id = $1', [userId])).length, 1);
});

test('watchers of two processes and of one that is started again credit each payment once', async (t) => {
  const fixture = await openDepositFixture(t);
  const { userId, address } = await fixture.user();
  const second = await startProcess(t, { ledger: fixture.ledger, connection: fixture.connection });
  const first = watch(t, fixture);
  const other = watch(t, second);
  for (let i = 0; i < 5; i++) await fixture.pay(address, '1');
  await until(async () => (await fixture.books(`${userId}:available:USD`)) === '5.0000000');
  await Promise.all([first.stop(), other.stop()]);
  await fixture.pay(address, '2');
  watch(t, await startProcess(t, { ledger: fixture.ledger, connection: fixture.connection }));
  await until(async () => (await fixture.books(`${userId}:available:USD`)) === '7.0000000');
  assert.equal((await fixture.sql('select 1 from deposits where user_id = $1', [userId])).length, 6);
});

test('a round polls every wallet once, and never more at a time than allowed', async () => {
  const wallets = inventWallets(450);
  const seen = new Map<string, number>();
  const rounds = Promise.withResolvers<void>();
  let now = 0;
  let most = 0;
  const watching = watchDeposits({
    wallets: pageOf(wallets),
    async poll({ id }) {
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now--;
      seen.set(id, (seen.get(id) ?? 0) + 1);
      if (seen.size === wallets.length) rounds.resolve();
      return { kind: 'yes' };
    },
    pollMs: 60_000,
    pollsAtOnce: 5,
    onTrouble: never,
  });
  await rounds.promise;
  await watching.stop();
  assert.equal(most, 5);
  assert.deepEqual([...new Set(seen.values())], [1]);
});

test('while the ledger is unreachable a round ends early, and the next one starts on time', async () => {
  const wallets = inventWallets(1_000);
  let polls = 0;
  const watching = watchDeposits({
    wallets: pageOf(wallets),
    async poll() {
      polls++;
      return { kind: 'unknown' };
    },
    pollMs: 60_000,
    onTrouble: never,
  });
  await until(() => polls >= 16);
  watching.pollNow();
  await until(() => polls >= 32);
  await watching.stop();
  assert.ok(polls < 100, `${polls} polls of ${wallets.length} wallets`);
});

test('a wallet whose deposits cannot be recorded does not delay the others', async () => {
  const wallets = inventWallets(30);
  const seen = new Set<string>();
  const troubles: string[] = [];
  const watching = watchDeposits({
    wallets: pageOf(wallets),
    async poll({ id }) {
      if (id.endsWith('3')) throw new Error('no');
      seen.add(id);
      return { kind: 'yes' };
    },
    pollMs: 60_000,
    onTrouble: (message) => void troubles.push(message),
  });
  await until(() => seen.size === 27);
  await watching.stop();
  assert.equal(troubles.length, 3);
});
