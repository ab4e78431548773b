// The sums of the fee report when postings are archived before the sums had them: no report lacks a fee, and the sums hold for the days since.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkFees } from '../../server/src/modules/reports/fee-check.ts';
import { createFeeDays } from '../../server/src/modules/reports/fee-days.ts';
import { keepFeeSums } from '../../server/src/modules/reports/fee-sums.ts';
import { presentFeeReport } from '../../server/src/modules/reports/fees.ts';
import { openTrades } from './months.ts';

const DAYS = ['2025-01-06', '2025-02-03', '2025-03-09', '2025-05-01', '2025-05-02'];
const TO = '2025-06-01T00:00:00.000000Z';
/** All time, a month that is archived and the months after it, and the days since the archives. */
const BEGINNINGS = ['2025-01-06', '2025-03-01', '2025-04-01', '2025-05-02'];

const open = async (t: TestContext) => {
  const { history, pool, marketplaceId, reads, journal } = await openTrades(t, DAYS);
  const days = createFeeDays({ pool, closings: reads, journal });
  const earned = async (day: string): Promise<string> => {
    const range = { from: `${day}T00:00:00.000000Z`, to: TO };
    const report = presentFeeReport({ days: await days.read({ marketplaceId, ...range }), range, interval: 'month' });
    return report.currencies[0]!.totals.earned;
  };
  return {
    history,
    pool,
    keep: (batch?: bigint) => keepFeeSums(pool, { marketplaceId, ...(batch === undefined ? {} : { batch }) }),
    async assertRight(): Promise<void> {
      assert.deepEqual(await Promise.all(BEGINNINGS.map(earned)), ['10.00', '6.00', '4.00', '2.00']);
      const { holds, detail } = await checkFees(pool, marketplaceId);
      assert.equal(holds, true, detail);
    },
    /** The number of the last posting of the fees in the sums; a trade has two. */
    async setMark(seq: bigint): Promise<void> {
      await keepFeeSums(pool, { marketplaceId });
      await pool.query('update fee_marks set seq = $1 where marketplace_id = $2', [seq, marketplaceId]);
      await pool.query('delete from fee_sums where marketplace_id = $1', [marketplaceId]);
    },
    async archive(): Promise<void> {
      history.at('2025-08', 1);
      assert.deepEqual(await history.archiveAll(), ['2025-01', '2025-02', '2025-03']);
      const text = 'select postings from archived_accounts where marketplace_id = $1 and account_id = $2';
      const { rows } = await pool.query(text, [marketplaceId, 'platform:fees:USD']);
      assert.equal(rows[0].postings, 6n);
    },
    restore: () => history.archiver.restore(marketplaceId),
  };
};

const CASES = {
  'no sums were kept before': async () => {},
  'all postings were in the sums': ({ keep }: Awaited<ReturnType<typeof open>>) => keep(),
  'the sums began and had none of them': ({ setMark }: Awaited<ReturnType<typeof open>>) => setMark(0n),
};

for (const [name, prepare] of Object.entries(CASES)) {
  test(`fees are the same after months are archived and restored: ${name}`, async (t) => {
    const books = await open(t);
    await prepare(books);
    await books.archive();
    await books.assertRight();
    await books.keep(1n);
    await books.assertRight();
    while (await books.restore()) await books.assertRight();
    await books.keep();
    await books.assertRight();
  });
}
