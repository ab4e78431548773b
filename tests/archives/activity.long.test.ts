// The sums of the activity report for days whose postings are archived: the full proof compares them with the files of the archives, and
// they can be made again from the files.

import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import type pg from 'pg';
import { checkActivity } from '../../server/src/modules/reports/activity-check.ts';
import { keepActivitySums } from '../../server/src/modules/reports/activity-sums.ts';
import { archivedFigures } from '../../server/src/modules/reports/archived-figures.ts';
import { openWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { openPayments } from '../payments/payment-fixture.ts';
import type { TestApp } from '../support/app.ts';
import { temporaryFolder } from './fixture.ts';
import { openLiveArchiver } from './live-fixture.ts';

/** The sums of the job and the check of the full proof, with the archives and without them. */
const sumsOf = (pool: pg.Pool, { marketplaceId, dir }: { marketplaceId: string; dir: string }) => {
  const archived = archivedFigures(dir);
  return {
    keep: () => keepActivitySums(pool, { marketplaceId, archived }),
    check: () => checkActivity(pool, { marketplaceId, archived }),
    checkWithoutFiles: () => checkActivity(pool, { marketplaceId }),
    async forget(): Promise<void> {
      for (const table of ['activity_sums', 'activity_marks'])
        await pool.query(`delete from ${table} where marketplace_id = $1`, [marketplaceId]);
    },
    async change(figure: string): Promise<void> {
      const text = `update activity_sums set units = (units::numeric + 1)::text where marketplace_id = $1 and figure = $2`;
      assert.ok((await pool.query(text, [marketplaceId, figure])).rowCount! > 0, figure);
    },
  };
};

const stored = ({ sql, marketplaceId }: TestApp) =>
  sql(
    `select span, begins_at::text as at, figure, bucket, count::int as count, units from activity_sums where marketplace_id = $1
     order by 1, 2, 3, 4`,
    [marketplaceId],
  );

const openArchived = async (t: TestContext, { app, dir }: { app: TestApp; dir: string }) => {
  const live = await openLiveArchiver(t, { app, dir });
  const sums = sumsOf(live.pool, { marketplaceId: app.marketplaceId, dir });
  await sums.keep();
  const before = await stored(app);
  assert.ok(await live.archive('2026-01'));
  return { live, sums, before };
};

/** The sums of a figure whose postings are in the archive hold, are made again from the files, and a wrong one is named. */
const expectCompared = async (t: TestContext, { app, dir, figure }: { app: TestApp; dir: string; figure: string }) => {
  const { live, sums, before } = await openArchived(t, { app, dir });
  assert.ok(before.some((row) => row.figure === figure && BigInt(row.units) > 0n));
  await sums.keep();
  assert.equal((await sums.check()).holds, true, (await sums.check()).detail);
  // The postings are nowhere but in the files.
  assert.match((await sums.checkWithoutFiles()).detail, new RegExp(`${figure} on .* nothing in the records`));

  await sums.forget();
  await sums.keep();
  const rows = await stored(app);
  assert.deepEqual(
    rows.filter((row) => row.figure === figure),
    before.filter((row) => row.figure === figure),
  );
  assert.equal((await sums.check()).holds, true);

  await sums.change(figure);
  assert.match((await sums.check()).detail, new RegExp(`USD ${figure} on .* in the sums, .* in the records\\.`));
  await sums.forget();
  await sums.keep();

  const folder = live.folderOf('2026-01');
  await rename(folder, `${folder}-elsewhere`);
  const unread = await sums.check();
  assert.deepEqual(
    [unread.holds, unread.detail.startsWith('The archives cannot be read: manifest.json is missing')],
    [false, true],
  );
  await rename(`${folder}-elsewhere`, folder);
  assert.equal((await sums.check()).holds, true);
};

test('payouts of orders that ended in archived time are compared with the files', async (t) => {
  const dir = await temporaryFolder(t);
  const { app, anOrder, done, atRest } = await openWebhooks(t, { ARCHIVE_DIR: dir });
  const { id } = await anOrder({ at: 'IN_PROGRESS' });
  await done(`POST /orders/${id}/resolution/release`, { body: {} });
  await atRest();
  await expectCompared(t, { app, dir, figure: 'pay_seller' });
});

test('top-ups of archived days are compared with the files', async (t) => {
  const dir = await temporaryFolder(t);
  const { app, aTopup, control } = await openPayments(t, { env: { ARCHIVE_DIR: dir } });
  const { id } = await aTopup();
  await control(`POST /payins/${id}/confirm`);
  await expectCompared(t, { app, dir, figure: 'topup' });
});
