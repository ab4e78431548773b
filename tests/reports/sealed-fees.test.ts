// The fees of a range are the same from the postings, after its months were sealed, after they were archived, and when an earlier version
// had sealed them. The closing shows where the money is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closingHash, type Sealed } from '../../server/src/modules/closings/closing.ts';
import { periodOf } from '../../server/src/modules/closings/period.ts';
import { createClosings } from '../../server/src/modules/closings/report.ts';
import { createFeeDays } from '../../server/src/modules/reports/fee-days.ts';
import { presentFeeReport } from '../../server/src/modules/reports/fees.ts';
import { asSealedBefore, openTrades } from './months.ts';

const DAYS = ['2025-01-06', '2025-01-20', '2025-02-03', '2025-04-30', '2025-05-01', '2025-05-01'];
const RANGE = { from: '2025-01-06T00:00:00.000000Z', to: '2025-05-02T00:00:00.000000Z' };
const PARTS = [RANGE, { ...RANGE, from: '2025-01-07T00:00:00.000000Z', to: '2025-05-01T00:00:00.000000Z' }];

const AFTER_ALL = '2025-05-20T00:00:00.000000Z';

test('fees are the same before and after sealing and archiving, also of months that an earlier version sealed', async (t) => {
  const { history, pool, marketplaceId, reads, journal, seal } = await openTrades(t, DAYS);
  const days = createFeeDays({ pool, closings: reads, journal });
  const read = () =>
    Promise.all(
      PARTS.map(async (range) =>
        presentFeeReport({ days: await days.read({ marketplaceId, ...range }), range, interval: 'month' }),
      ),
    );
  const before = await read();
  assert.deepEqual(before[0]!.currencies[0]!.totals, {
    earned: '12.00',
    reversed: '3.00',
    networkFees: '0.00006',
    providerFees: '1.80',
    net: '7.19994',
  });
  assert.deepEqual(
    before[0]!.currencies[0]!.intervals.map(({ from, earned }) => [from.slice(0, 10), earned]),
    [
      ['2025-01-06', '4.00'],
      ['2025-02-01', '2.00'],
      ['2025-03-01', '0.00'],
      ['2025-04-01', '2.00'],
      ['2025-05-01', '4.00'],
    ],
  );
  assert.equal(before[1]!.currencies[0]!.totals.earned, '6.00');
  await seal('2025-03-02T02:00:00.000000Z');
  assert.deepEqual(await read(), before);
  await seal('2025-05-20T02:00:00.000000Z');
  assert.deepEqual(await read(), before);
  // Only the closings know the fees of months whose postings have left the database.
  history.at('2025-09', 1);
  assert.notDeepEqual(await history.archiveAll(), []);
  assert.deepEqual(await read(), before);
  await pool.query(asSealedBefore, [marketplaceId]);
  assert.deepEqual(await read(), before);
});

test('a closing says where the money is: the same before and after sealing, and beside months of an earlier version', async (t) => {
  const { pool, marketplaceId, reads, journal, seal } = await openTrades(t, DAYS);
  const { read } = createClosings({ reads, journal });
  const assetsOf = async (names: readonly string[]) => {
    const found = [];
    for (const name of names) {
      const { figures } = await read({ marketplaceId, period: periodOf(name)!, now: AFTER_ALL });
      found.push([name, figures[0]?.assets ?? null]);
    }
    return found;
  };
  const names = [
    '2025-01-05',
    '2025-01',
    '2025-01-06',
    '2025-02-01',
    '2025-02',
    '2025-03',
    '2025-03-09',
    '2025-04',
    '2025-05',
  ];
  const before = await assetsOf(names);
  assert.deepEqual(before.at(-1)![1], { wallets: 3_599_999_400n, contracts: 2_400_000_000n, provider: 1_182_000_000n });
  const { rows } = await pool.query(
    `select split_part(id, ':', 1) as kind, (-sum(balance))::text as units from accounts where side = 'holding' group by 1 order by 1`,
  );
  assert.deepEqual(
    rows.map(({ kind, units }) => [kind, units]),
    [
      ['contract', '2400000000'],
      ['network', '18000600'],
      ['payment-float', '1182000000'],
      ['wallet', '3599999400'],
    ],
  );
  await seal('2025-05-02T02:00:00.000000Z');
  const sealed = (await reads.find(marketplaceId, '2025-04')) as Sealed;
  assert.equal(closingHash({ ...sealed, marketplaceId }), sealed.hash);
  for (const altered of ['assets', 'costs']) {
    const currencies = sealed.currencies.map((each) => ({
      ...each,
      [altered]: { ...each.assets, ...each.costs, provider: '1' },
    }));
    assert.notEqual(closingHash({ ...sealed, currencies, marketplaceId }), sealed.hash, altered);
  }
  // The first day is before the first posting of all.
  assert.deepEqual((await assetsOf(names)).slice(1), before.slice(1));
  await pool.query(asSealedBefore, [marketplaceId]);
  const unsealed = ['2025-03', '2025-03-09', '2025-05'];
  const ofUnsealed = ([name]: unknown[]): boolean => unsealed.includes(name as string);
  const now = await assetsOf(names);
  assert.deepEqual(now.filter(ofUnsealed), before.filter(ofUnsealed), 'computed from the present balances');
  assert.ok(now.slice(1).every((each) => ofUnsealed(each) || each[1] === null));
});

test('a month after one that an earlier version sealed is sealed with its assets', async (t) => {
  const { pool, marketplaceId, reads, seal } = await openTrades(t, DAYS);
  await seal('2025-03-02T02:00:00.000000Z');
  await pool.query(asSealedBefore, [marketplaceId]);
  await seal('2025-05-20T02:00:00.000000Z');
  const old = (await reads.find(marketplaceId, '2025-02')) as Sealed;
  assert.equal(old.currencies[0]!.assets, undefined);
  const next = (await reads.find(marketplaceId, '2025-04')) as Sealed;
  assert.deepEqual(next.currencies[0]!.assets, {
    wallets: '2399999600',
    contracts: '1600000000',
    provider: '788000000',
  });
});
