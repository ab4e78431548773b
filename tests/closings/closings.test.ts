// The closing of months and days: opening plus in minus out is closing, each period opens where the one before closed, sealed months give
// the same figures from their rows as the postings gave before, and a change of a sealed row is noticed.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formatInstant } from '../../server/src/base/instant.ts';
import { closingHash, type Sealed } from '../../server/src/modules/closings/closing.ts';
import { sealClosings } from '../../server/src/modules/closings/jobs.ts';
import { periodOf } from '../../server/src/modules/closings/period.ts';
import { createClosingReads } from '../../server/src/modules/closings/queries.ts';
import { createClosings } from '../../server/src/modules/closings/report.ts';
import { createJournal } from '../../server/src/modules/exports/journal.ts';
import { openHistory, writeMonths } from '../archives/fixture.ts';
import { codeOf, startApp } from '../support/app.ts';

const MONTHS = ['2025-01', '2025-02', '2025-04'];

const openClosings = async (t: TestContext) => {
  const history = await openHistory(t);
  await writeMonths(history, MONTHS);
  const { pool, marketplaceId, folder: dir, committer } = history;
  const reads = createClosingReads(pool);
  const journal = createJournal({ pool, dir, inTurn: (_, read) => read(), windowEntries: 5n });
  const seal = (now: string) => {
    history.at(now.slice(0, 7), Number(now.slice(8, 10)));
    const marketplaces = async () => [marketplaceId];
    return sealClosings({ submit: committer.submit, reads, journal, marketplaces, now: () => now }).run();
  };
  /** The figures of all periods, without a server, which would seal at its start. */
  const figures = async () => {
    const { read } = createClosings({ reads, journal });
    const found = [];
    for (const name of PERIODS) {
      const asked = { marketplaceId, period: periodOf(name)!, now: '2025-12-01T00:00:00.000000Z' };
      found.push((await read(asked)).figures);
    }
    return found;
  };
  const env = { ARCHIVE_DIR: dir };
  const open = async () => {
    const app = await startApp(t, { connection: history.connection, env });
    const key = await app.key(['read'], marketplaceId);
    return { app, read: (period: string) => app.call(`GET /reports/closing?period=${period}`, { key }) };
  };
  return { history, reads, seal, figures, open };
};

const PERIODS = ['2025-01', '2025-01-05', '2025-01-06', '2025-02', '2025-02-20', '2025-03', '2025-03-15', '2025-04'];

test('a month or a day is the period in UTC, and an impossible one is none', () => {
  assert.deepEqual(periodOf('2024-02'), {
    name: '2024-02',
    from: '2024-02-01T00:00:00.000000Z',
    to: '2024-03-01T00:00:00.000000Z',
  });
  assert.equal(periodOf('2025-12-31')!.to, '2026-01-01T00:00:00.000000Z');
  assert.equal(periodOf('2024-02-29')!.to, '2024-03-01T00:00:00.000000Z');
  for (const name of ['2025-13', '2025-00', '2025-02-29', '2025-04-31', '2025-1', '2025-01-1', '']) {
    assert.equal(periodOf(name), null, name);
  }
});

test('the figures are the same from the postings, after sealing, and after archiving', async (t) => {
  const { history, seal, figures, open } = await openClosings(t);
  const before = await figures();
  await seal('2025-06-01T02:00:00.000000Z');
  const { rows } = await history.pool.query('select id from closings order by id');
  assert.deepEqual(
    rows.map(({ id }) => id),
    MONTHS,
  );
  assert.deepEqual(await figures(), before);
  history.at('2025-09', 1);
  assert.notDeepEqual(await history.archiveAll(), []);
  assert.deepEqual(await figures(), before);
  const { read } = await open();
  const shown = [];
  for (const period of PERIODS) {
    const { currencies } = (await read(period)).body.data;
    const [{ opening, in: received, out, closing, fees }] = currencies;
    shown.push([opening, received, out, closing, fees]);
  }
  assert.deepEqual(shown, [
    ['0.00', '126.00', '8.00', '118.00', '0.00'],
    ['100.00', '13.00', '4.00', '109.00', '0.00'],
    ['109.00', '0.00', '0.00', '109.00', '0.00'],
    ['118.00', '26.00', '8.00', '136.00', '0.00'],
    ['127.00', '13.00', '4.00', '136.00', '0.00'],
    ['136.00', '0.00', '0.00', '136.00', '0.00'],
    ['136.00', '0.00', '0.00', '136.00', '0.00'],
    ['136.00', '26.00', '8.00', '154.00', '0.00'],
  ]);
});

test('a sealed month has its hash in the audit chain, and nothing can change it unnoticed', async (t) => {
  const { history, reads, seal, open } = await openClosings(t);
  await seal('2025-06-01T02:00:00.000000Z');
  await seal('2025-06-02T02:00:00.000000Z');
  const { pool, marketplaceId } = history;
  const sealed = (await reads.find(marketplaceId, '2025-02')) as Sealed;
  assert.equal(closingHash({ ...sealed, marketplaceId }), sealed.hash);
  const entries = await pool.query(
    "select resource_id, payload_after from audit_entries where action = 'CLOSING_SEALED'",
  );
  assert.equal(entries.rows.length, 3);
  assert.equal(JSON.parse(entries.rows[1].payload_after).hash, sealed.hash);
  const altered = { ...sealed, days: sealed.days.toSpliced(0, 1) };
  assert.notEqual(closingHash({ ...altered, marketplaceId }), sealed.hash);
  const { read } = await open();
  const { data } = (await read('2025-02-20')).body;
  assert.deepEqual([data.sealed, data.hash, data.openBecause], [true, sealed.hash, null]);
  const gap = (await read('2025-03')).body.data;
  assert.equal(gap.sealed, false, 'a month without postings has nothing to seal');
  for (const period of ['2025-03', '2025-03-15'])
    assert.equal((await read(period)).body.data.openBecause, 'This month has no postings, so it is not sealed.');
});

test('a month is sealed an hour after its end, and not before', async (t) => {
  const { history, seal } = await openClosings(t);
  const sealedNow = async () => (await history.pool.query('select id from closings order by id')).rows.length;
  await seal('2025-02-01T00:59:59.000000Z');
  assert.equal(await sealedNow(), 0);
  await seal('2025-02-01T01:00:00.000000Z');
  assert.equal(await sealedNow(), 1);
  await Promise.all([seal('2025-05-02T00:00:00.000000Z'), seal('2025-05-02T00:00:00.000000Z')]);
  assert.equal(await sealedNow(), 3);
  const entries = await history.pool.query("select from audit_entries where action = 'CLOSING_SEALED'");
  assert.equal(entries.rows.length, 3);
});

test('a posting that a clock puts into a sealed month is shown', async (t) => {
  const { history, seal, open } = await openClosings(t);
  await seal('2025-06-01T02:00:00.000000Z');
  const { pool, marketplaceId } = history;
  const { read } = await open();
  assert.equal((await read('2025-04')).body.data.openBecause, null);
  await pool.query(
    `insert into postings select marketplace_id, account_id, seq + 1000, amount, balance_after, counter_account_id, move, reference,
      description, command_id, audit_seq + 1000, $2 from postings where marketplace_id = $1 and amount > 0 limit 1`,
    [marketplaceId, formatInstant(Date.parse('2025-04-30T23:00:00Z') * 1_000)],
  );
  assert.match((await read('2025-04')).body.data.openBecause, /^One posting has a time of this month/);
});

test('what a closing refuses', async (t) => {
  const { open } = await openClosings(t);
  const { read } = await open();
  for (const period of ['2025-13', '2025-02-30', 'yesterday', '', '2999-01', '2025']) {
    const answer = await read(period);
    assert.equal(codeOf(answer), '400 VALIDATION_ERROR', period);
  }
});
