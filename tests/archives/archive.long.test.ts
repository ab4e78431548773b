// Archives of closed months: what leaves the database, what the proof finds afterwards, and the way back to the last hash.

import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { createKeptProofs } from '../../server/src/books/checkpoints.ts';
import { checkArchives } from '../../server/src/modules/archives/verify-archives.ts';
import { proveAndMark } from '../../server/src/modules/audit/jobs.ts';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import { broken, tamper } from '../books/checkpoint-fixture.ts';
import { contentOf, openHistory, writeMonths } from './fixture.ts';

const MONTHS = ['2025-01', '2025-02', '2025-03'];
const HOLDS = { archives: true, problems: [], chain: true, books: true };

const countOf = (content: Record<string, string[]>): number => Object.values(content).flat().length;

test('closed months leave the database, the full proof holds, and later commands go on', async (t) => {
  const history = await openHistory(t);
  const { ada } = await writeMonths(history, MONTHS);
  const before = countOf(await contentOf(history));
  history.at('2025-08', 1);
  assert.deepEqual(await history.archiveAll(), MONTHS);
  const { pool, marketplaceId } = history;
  const { rows } = await pool.query('select count(*)::int as n from postings where marketplace_id = $1', [
    marketplaceId,
  ]);
  assert.equal(rows[0].n, 0);
  assert.ok(countOf(await contentOf(history)) < before);
  assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
  await history.move(ada, { debit: '1.00' });
  assert.equal(await history.available(ada), '135.00');
  assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
});

test('only closed months are archived, and a second run finds nothing to do', async (t) => {
  const history = await openHistory(t);
  await writeMonths(history, MONTHS);
  history.at('2025-07', 1);
  assert.deepEqual(await history.archiveAll(), ['2025-01', '2025-02']);
  assert.deepEqual(await history.archiveAll(), []);
  assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
  history.at('2025-08', 1);
  assert.deepEqual(await history.archiveAll(), ['2025-03']);
  assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
});

test('a restored month is the same to the last row and hash, and can be archived again', async (t) => {
  const history = await openHistory(t);
  await writeMonths(history, MONTHS);
  const before = await contentOf(history);
  history.at('2025-08', 1);
  await history.archiveAll();
  for (const month of MONTHS.toReversed()) {
    assert.equal((await history.archiver.restore(history.marketplaceId))?.id, month);
    assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
  }
  assert.equal(await history.archiver.restore(history.marketplaceId), null);
  const after = await contentOf(history);
  assert.deepEqual(after.postings, before.postings);
  assert.deepEqual(after.events, before.events);
  // The commands of the archiver have added entries of their own.
  assert.deepEqual(
    after.audit_entries!.filter((line) => before.audit_entries!.includes(line)),
    before.audit_entries,
  );
  assert.deepEqual(await history.archiveAll(), MONTHS);
  assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
});

test('an altered file, an altered manifest and a missing file are found and named', async (t) => {
  const history = await openHistory(t);
  await writeMonths(history, MONTHS);
  history.at('2025-08', 1);
  await history.archiveAll();
  const folder = path.join(history.folder, history.marketplaceId, '2025-02');
  const names = await readdir(folder);
  for (const name of names) {
    const file = path.join(folder, name);
    const content = await readFile(file);
    await appendFile(file, ' ');
    const { archives, problems } = await history.proveAll();
    assert.equal(archives, false, name);
    assert.match(problems.join(), new RegExp(name));
    await assert.rejects(async () => {
      await history.archiver.restore(history.marketplaceId);
      await history.archiver.restore(history.marketplaceId);
    }, /was altered/);
    await writeFile(file, content);
    await history.archiveAll();
    assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
  }
  assert.ok(names.length >= 4);
});

test('the database refuses to delete a posting or an entry that no archive accounts for', async (t) => {
  const history = await openHistory(t);
  await writeMonths(history, MONTHS);
  history.at('2025-07', 1);
  await history.archiveAll();
  for (const table of ['postings', 'audit_entries']) {
    await assert.rejects(history.pool.query(`delete from ${table}`), {
      code: 'HF002',
      message: `${table} is append-only`,
    });
  }
  assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
});

test('one marketplace is archived, and another keeps every row', async (t) => {
  const history = await openHistory(t);
  await writeMonths(history, ['2025-01']);
  const other = { ...history, marketplaceId: 'mkt_other' };
  const input = { baseCurrency: 'USD', externalUserId: 'o', email: null, type: 'BOTH', metadata: {} } as const;
  await history.submit(createUser, input, { marketplaceId: other.marketplaceId });
  const before = await contentOf(other);
  history.at('2025-08', 1);
  assert.deepEqual(await history.archiveAll(), ['2025-01']);
  assert.deepEqual(await contentOf(other), before);
  assert.partialDeepStrictEqual(await history.proveAll('mkt_other'), HOLDS);
  assert.deepEqual(await history.archiveAll('mkt_other'), ['2025-01']);
  assert.partialDeepStrictEqual(await history.proveAll('mkt_other'), HOLDS);
});

test('the proof from a checkpoint and the full proof hold after archiving, and an altered figure is found', async (t) => {
  const history = await openHistory(t);
  const { pool, marketplaceId } = history;
  const { ada } = await writeMonths(history, MONTHS);
  history.at('2025-08', 1);
  const prove = async (full: boolean) => (await proveAndMark(pool, { marketplaceId, full })).holds;
  assert.equal(await prove(true), true);
  assert.deepEqual(await history.archiveAll(), MONTHS);
  await history.move(ada, { credit: '1.00' });
  assert.deepEqual([await prove(false), await prove(true)], [true, true]);
  const change = `update archived_accounts set balance = balance + $2 where marketplace_id = $1 and account_id = '${ada}:available:USD'`;
  await pool.query(change, [marketplaceId, 1]);
  assert.equal(await prove(true), false);
  assert.equal((await history.proveAll()).archives, false);
  await pool.query(change, [marketplaceId, -1]);
  assert.equal((await history.proveAll()).archives, true);
});

const KEEPING_SUMS = {
  'two amounts whose sum stays': ['amount = amount + s', 'amount = amount - s'],
  'the balances after all of its postings': ['balance_after = balance_after + 1', 'balance_after = balance_after - 1'],
};

for (const [what, [change, undo]] of Object.entries(KEEPING_SUMS)) {
  test(`behind archived months the full proof finds altered values of one account: ${what}`, async (t) => {
    const history = await openHistory(t);
    const { pool, marketplaceId } = history;
    const { ada } = await writeMonths(history, MONTHS);
    history.at('2025-07', 1);
    assert.deepEqual(await history.archiveAll(), ['2025-01', '2025-02']);
    const of = `marketplace_id = '${marketplaceId}' and account_id = '${ada}:available:USD'`;
    const alter = (set: string): Promise<void> =>
      tamper(
        history,
        'postings',
        `update postings p set ${set} from (select seq, (case row_number() over (order by seq) when 1 then 1 when 2 then -1 else 0 end) as s
           from postings where ${of}) n where ${of} and p.seq = n.seq`,
      );
    const prove = async () => broken(await proveAndMark(pool, { marketplaceId, full: true }));
    assert.deepEqual(await prove(), []);
    await alter(change!);
    assert.deepEqual(await prove(), ['accounts-equal-postings']);
    assert.equal((await history.proveAll()).books, false);
    await alter(undo!);
    assert.deepEqual(await prove(), []);
  });
}

test('a period that is newer than the last checkpoint is refused, and nothing has left', async (t) => {
  const history = await openHistory(t);
  await writeMonths(history, ['2025-01']);
  await proveAndMark(history.pool, { marketplaceId: history.marketplaceId, full: true });
  await writeMonths(history, ['2025-02']);
  history.at('2025-08', 1);
  const before = await contentOf(history);
  const period = { id: '2025-02', endsAt: '2025-03-01T00:00:00.000000Z' };
  await assert.rejects(history.archiver.create(history.marketplaceId, period), /Prove the books/);
  assert.deepEqual(await contentOf(history), before);
});

test('the full proof of every night finds an altered archive, and each proof after it says so until it is put back', async (t) => {
  const history = await openHistory(t);
  const { pool, marketplaceId } = history;
  await writeMonths(history, MONTHS);
  history.at('2025-08', 1);
  await history.archiveAll();
  const further = [() => checkArchives({ pool, dir: history.folder, marketplaceId })];
  const proofs = createKeptProofs(pool);
  const proveNightly = async () => {
    const proof = await proveAndMark(pool, { marketplaceId, full: true, further });
    await proofs.keep(marketplaceId, proof);
    return proof.checks.find(({ name }) => name === 'archives-hold')!;
  };
  assert.equal((await proveNightly()).holds, true);
  const file = path.join(history.folder, marketplaceId, '2025-02', 'postings-0001.jsonl.zst');
  const content = await readFile(file);
  await writeFile(file, content.subarray(1));
  const { holds, detail } = await proveNightly();
  assert.equal(holds, false);
  assert.match(detail, /^2025-02: postings-0001\.jsonl\.zst was altered.*Put the archive back from your backup\.$/);
  const later = await proveAndMark(pool, { marketplaceId, full: false });
  assert.match(later.checks.find(({ name }) => name === 'last-full-proof-held')!.detail, /archives-hold: 2025-02/);
  assert.deepEqual((await proofs.summary()).failing, [marketplaceId]);
  await writeFile(file, content);
  assert.equal((await proveNightly()).holds, true);
  assert.deepEqual((await proofs.summary()).failing, []);
});
