// Books with several months of history, written by a committer whose clock the test sets, and an archiver for them.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { formatInstant } from '../../server/src/base/instant.ts';
import { proveBooks } from '../../server/src/books/proof.ts';
import { type ArchiveStep, createArchiver } from '../../server/src/modules/archives/archiver.ts';
import { closedMonths } from '../../server/src/modules/archives/periods.ts';
import { verifyArchives } from '../../server/src/modules/archives/verify-archives.ts';
import { verifyChain } from '../../server/src/modules/audit/verify-chain.ts';
import { creditBalance, debitBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import type { Connection } from '../../server/src/postgres/connection.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { openFixture, usd } from '../commit/fixture.ts';

const MONTHS_KEPT = 4;

export const temporaryFolder = async (t: Hooks): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-archive-'));
  afterwards(t, () => rm(folder, { recursive: true, force: true }));
  return folder;
};

const microsOf = (month: string, day: number): number =>
  Date.parse(`${month}-${String(day).padStart(2, '0')}T12:00:00Z`) * 1_000;

/** A committer on its own database, or on one that is given. `at` sets its clock; the clock then counts microseconds. */
export const openHistory = async (t: Hooks, { dir, connection }: { dir?: string; connection?: Connection } = {}) => {
  let micros = microsOf('2025-01', 1);
  const fixture = await openFixture(t, { clock: () => ++micros, ...(connection === undefined ? {} : { connection }) });
  const folder = dir ?? (await temporaryFolder(t));
  const { pool, committer } = fixture;

  const at = (month: string, day = 15): void => {
    micros = Math.max(micros, microsOf(month, day));
  };

  const move = (userId: string, { credit, debit }: { credit?: string; debit?: string }, marketplaceId?: string) =>
    fixture.submit<never, unknown>(
      (credit === undefined ? debitBalance : creditBalance) as never,
      { userId, currency: 'USD', amount: usd((credit ?? debit)!) } as never,
      marketplaceId === undefined ? {} : { marketplaceId },
    );

  const archiverWith = (onStep: (step: ArchiveStep) => void = () => {}) =>
    createArchiver({ pool, submit: committer.submit, dir: folder, version: 'test', onStep });

  const archiver = archiverWith();
  const now = (): string => formatInstant(micros);

  /** Archives every closed month, as `holdfast archive create` does. Returns their names. */
  const archiveAll = async (marketplaceId: string = fixture.marketplaceId): Promise<string[]> => {
    const first = await archiver.reads.firstEntryAt(marketplaceId);
    const made: string[] = [];
    for (const period of closedMonths({ first: first!, now: now(), months: MONTHS_KEPT })) {
      const archive = await archiver.create(marketplaceId, period);
      if (archive) made.push(archive.id);
    }
    return made;
  };

  /** The full proof: the archives, their border, and the hot rows. */
  const proveAll = async (marketplaceId: string = fixture.marketplaceId) => {
    const archives = await verifyArchives({ pool, dir: folder, marketplaceId });
    const chain = await verifyChain(pool, { marketplaceId });
    const proof = await proveBooks(pool, marketplaceId);
    return {
      archives: archives.holds,
      problems: archives.verified.flatMap(({ problem }) => problem ?? []).concat(archives.border ?? []),
      chain: chain.holds,
      entries: chain.entries,
      books: proof.holds,
    };
  };

  return { ...fixture, folder, at, now, move, archiver, archiverWith, archiveAll, proveAll };
};

export type History = Awaited<ReturnType<typeof openHistory>>;

/** Two users with a credit and a debit in each of the months. */
export const writeMonths = async (
  history: History,
  months: readonly string[],
): Promise<{ ada: string; bob: string }> => {
  history.at(months[0]!, 2);
  const ada = await history.user('100.00');
  const bob = await history.user();
  for (const month of months) {
    for (const day of [5, 20]) {
      history.at(month, day);
      await history.move(ada, { credit: '10.00' });
      await history.move(bob, { credit: '3.00' });
      await history.move(ada, { debit: '4.00' });
    }
  }
  return { ada, bob };
};

/** Everything that an archive moves, as text, so that two states of the database can be compared. */
export const contentOf = async ({ pool, marketplaceId }: History): Promise<Record<string, string[]>> => {
  const content: Record<string, string[]> = {};
  for (const table of ['postings', 'audit_entries', 'events']) {
    const { rows } = await pool.query<{ line: string }>(
      `select row_to_json(t)::text as line from ${table} t where marketplace_id = $1 order by 1`,
      [marketplaceId],
    );
    content[table] = rows.map(({ line }) => line);
  }
  return content;
};
