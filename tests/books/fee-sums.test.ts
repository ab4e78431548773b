// The maintained sums of the fee report: with sums up to any posting the report is the same, two processes count nothing twice, and the full
// proof finds sums that are wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { proveAndMark } from '../../server/src/modules/audit/jobs.ts';
import { checkFees } from '../../server/src/modules/reports/fee-check.ts';
import { keepFeeSums } from '../../server/src/modules/reports/fee-sums.ts';
import { type Random, randomOf } from '../../tools/simulation/random.ts';
import { type Days, FEE_MOVES, type FeeMove, type Fees, openFees } from './fee-postings.ts';

const DAYS = 12;
const ALL: Days = { first: 0, before: DAYS + 1 };

const someMoves = (random: Random): FeeMove[] =>
  Array.from({ length: random.int(1, 4) }, () => {
    const move = random.pick(FEE_MOVES);
    const most = move === 'platform_fee_reversal' ? 1_000 : 9_000_000;
    return { move, currency: random.pick(CURRENCIES), units: BigInt(random.int(1, most)) };
  });

/** Enough that the reversals which follow are covered. */
const FIRST_FEES: FeeMove[] = CURRENCIES.map((currency) => ({
  move: 'platform_fee',
  currency,
  units: 100_000n,
}));

const assertRight = async (fees: Fees, days: Days = ALL): Promise<void> =>
  assert.deepEqual(await fees.report(days), await fees.expected(days));

const assertChecked = async ({ pool, marketplaceId }: Fees): Promise<void> => {
  const { holds, detail } = await checkFees(pool, marketplaceId);
  assert.equal(holds, true, detail);
};

test('the report is the same with sums up to any posting, also when clocks are set back', async (t) => {
  const fees = await openFees(t);
  const random = randomOf(7);
  const { pool, marketplaceId } = fees;
  await fees.post(FIRST_FEES);
  const marks = new Set<string>();
  for (let step = 0; step < 60; step++) {
    fees.at(Math.max(0, (step / 60) * DAYS - random.int(0, 20) / 24));
    await fees.post(someMoves(random));
    if (random.is(30)) await keepFeeSums(pool, { marketplaceId, batch: BigInt(random.int(1, 9)) });
    marks.add(String(await fees.marks()));
    const first = random.int(0, DAYS - 1);
    await assertRight(fees, { first, before: random.int(first + 1, DAYS + 1) });
    if (step % 10 === 0) await assertChecked(fees);
  }
  assert.ok(marks.size > 10, 'the report was read with many different marks');
  const { currencies } = await fees.report(ALL);
  const figures = currencies.flatMap(({ totals }) => Object.values(totals));
  assert.ok(figures.length === 15 && figures.every((figure) => figure !== '0.00'), figures.join(' '));
  await keepFeeSums(pool, { marketplaceId });
  await assertRight(fees);
  await assertChecked(fees);
});

test('the report reads the sums, and the postings after them only', async (t) => {
  const fees = await openFees(t);
  const { pool, marketplaceId } = fees;
  await fees.post(FIRST_FEES);
  await keepFeeSums(pool, { marketplaceId });
  await pool.query(`update fee_sums set earned = '77000000' where marketplace_id = $1 and account_id like '%:USD'`, [
    marketplaceId,
  ]);
  const earned = async () => (await fees.report(ALL)).currencies.map(({ totals }) => totals.earned);
  assert.deepEqual(await earned(), ['7.70', '0.01', '0.01']);
  await fees.post(FIRST_FEES);
  assert.deepEqual(await earned(), ['7.71', '0.02', '0.02']);
});

test('sums without a mark do not count, and are discarded when new ones begin', async (t) => {
  const fees = await openFees(t);
  const { pool, marketplaceId } = fees;
  await fees.post(FIRST_FEES);
  await keepFeeSums(pool, { marketplaceId });
  await pool.query('delete from fee_marks where marketplace_id = $1', [marketplaceId]);
  await assertRight(fees);
  await keepFeeSums(pool, { marketplaceId });
  await assertRight(fees);
  await assertChecked(fees);
});

/** A pool that does something else before it adds to the sums for the first time. */
const beforeAdding = (pool: pg.Pool, act: () => Promise<unknown>): pg.Pool => {
  let acted = false;
  const query = async (text: string, values: unknown[]) => {
    if (!acted && text.includes('insert into fee_sums')) {
      acted = true;
      await act();
    }
    return pool.query(text, values);
  };
  return { connect: () => pool.connect(), query } as unknown as pg.Pool;
};

const DISCARD = ['delete from fee_sums where marketplace_id = $1', 'delete from fee_marks where marketplace_id = $1'];

test('two processes that keep the sums at the same time count nothing twice', async (t) => {
  const fees = await openFees(t);
  const { pool, marketplaceId } = fees;
  const other = () => keepFeeSums(pool, { marketplaceId, batch: 2n });
  const discard = async () => {
    for (const text of DISCARD) await pool.query(text, [marketplaceId]);
  };
  const both = async () => {
    await discard();
    await other();
  };
  // The last two are a rebuild between the read and the write of the first process.
  for (const act of [other, other, discard, both]) {
    for (let i = 0; i < 3; i++) await fees.post(FIRST_FEES);
    await keepFeeSums(beforeAdding(pool, act), { marketplaceId, batch: 3n });
    await assertRight(fees);
    await assertChecked(fees);
  }
  await Promise.all([other(), fees.post(FIRST_FEES), other(), other()]);
  await assertRight(fees);
  await assertChecked(fees);
});

test('a posting that is missing is not passed over', async (t) => {
  const fees = await openFees(t);
  const { pool, marketplaceId } = fees;
  await fees.post(FIRST_FEES);
  await keepFeeSums(pool, { marketplaceId });
  const before = await fees.marks();
  await pool.query(
    `update accounts set postings = postings + 1 where marketplace_id = $1 and id = 'platform:fees:USD'`,
    [marketplaceId],
  );
  await assert.rejects(keepFeeSums(pool, { marketplaceId }), /platform:fees:USD has 0 postings after 1 up to 2/);
  assert.deepEqual(await fees.marks(), before);
});

const ALTERED = [
  `update fee_sums set earned = (earned::numeric + 1)::text where marketplace_id = $1 and account_id = 'platform:fees:USD'`,
  `delete from fee_sums where marketplace_id = $1 and account_id = 'platform:fees:USD'`,
  `update fee_marks set seq = seq - 1 where marketplace_id = $1 and account_id = 'platform:fees:USD'`,
];

test('the full proof finds sums and marks that were altered, and names the day', async (t) => {
  const fees = await openFees(t);
  const { pool, marketplaceId } = fees;
  await fees.post(FIRST_FEES);
  for (const text of ALTERED) {
    await keepFeeSums(pool, { marketplaceId });
    await assertChecked(fees);
    assert.equal((await pool.query(text, [marketplaceId])).rowCount, 1);
    const further = [() => checkFees(pool, marketplaceId)];
    const proof = await proveAndMark(pool, { marketplaceId, full: true, further });
    assert.equal(proof.holds, false);
    assert.match(
      proof.checks.find(({ name }) => name === 'fees-equal-postings')?.detail ?? '',
      /^USD earned on 2026-03-01: \d+ units in the sums, \d+ in the postings\.$/,
    );
    for (const each of DISCARD) await pool.query(each, [marketplaceId]);
  }
});
