// An archiver beside a running server, as `holdfast archive` is one. It archives everything up to this moment instead of whole months, so
// the rows of real orders, webhooks and payments are in the archive.

import { formatInstant, systemClock } from '../../server/src/base/instant.ts';
import { proveBooks } from '../../server/src/books/proof.ts';
import { createCommitter } from '../../server/src/commit/committer.ts';
import type { Archive } from '../../server/src/modules/archives/archive.ts';
import { createArchiver } from '../../server/src/modules/archives/archiver.ts';
import { folderOf, readManifest } from '../../server/src/modules/archives/manifest.ts';
import { parseRow, readSlice } from '../../server/src/modules/archives/slices.ts';
import { verifyArchives } from '../../server/src/modules/archives/verify-archives.ts';
import { proveAndMark } from '../../server/src/modules/audit/jobs.ts';
import { verifyChain } from '../../server/src/modules/audit/verify-chain.ts';
import { type Connection, openLane, openPool } from '../../server/src/postgres/connection.ts';
import { TABLES } from '../../server/src/registry.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import type { TestApp } from '../support/app.ts';
import { temporaryFolder } from './fixture.ts';

const committerOn = (connection: Connection) =>
  createCommitter({
    tables: TABLES,
    connect: () => openLane(connection),
    clock: systemClock,
    lanes: 1,
    groupMax: 10,
    queueMax: 10,
    patienceMs: 10_000,
    onEvents() {},
    onTrouble() {},
  });

// biome-ignore lint/suspicious/noExplicitAny: rows of any table
type Row = any;

/** The folder may be one that the server reads as its ARCHIVE_DIR. */
export const openLiveArchiver = async (t: Hooks, { app, dir }: { app: TestApp; dir?: string }) => {
  const { marketplaceId } = app;
  const connection = app.connection as Connection;
  const folder = dir ?? (await temporaryFolder(t));
  const committer = committerOn(connection);
  const pool = openPool(connection, { max: 3, onError() {} });
  afterwards(t, async () => {
    await committer.close();
    await pool.end();
  });
  const archiver = createArchiver({ pool, submit: committer.submit, dir: folder, version: 'test' });

  /** The rows of one table in an archive. */
  const rowsOf = async ({ id, manifestHash }: Archive, table: string): Promise<Row[]> => {
    const at = folderOf(folder, { marketplaceId, id });
    const { files } = await readManifest(at, manifestHash);
    const lines: string[] = [];
    for (const slice of files.filter((file) => file.table === table)) lines.push(...(await readSlice(at, slice)));
    return lines.map((line) => parseRow<Row>(line));
  };

  return {
    pool,
    folder,
    archiver,
    rowsOf,
    folderOf: (id: string) => folderOf(folder, { marketplaceId, id }),
    /** Proves the books and archives everything until now, as the command does. Null: there was nothing. */
    async archive(id: string): Promise<Archive | null> {
      const endsAt = formatInstant(systemClock());
      await proveAndMark(pool, { marketplaceId, full: false });
      return archiver.create(marketplaceId, { id, endsAt });
    },
    restore: () => archiver.restore(marketplaceId),
    /** What does not hold: in the archives, at their border, in the chain, in the books. */
    async problems(): Promise<string[]> {
      const { verified, border } = await verifyArchives({ pool, dir: folder, marketplaceId });
      const chain = await verifyChain(pool, { marketplaceId });
      const { checks } = await proveBooks(pool, marketplaceId);
      return [
        ...verified.flatMap(({ problem }) => problem ?? []),
        ...(border === null ? [] : [border]),
        ...(chain.holds ? [] : [`the chain is broken at ${chain.brokenAt}`]),
        ...checks.filter(({ holds }) => !holds).map(({ detail }) => detail),
      ];
    },
  };
};

const TABLES_OF = ['postings', 'audit_entries', 'events', 'operations', 'webhook_events', 'ledger_transactions'];

/** Every row of the tables that archives are made of. The version counts changes, and a restored envelope is a change. */
export const contentOf = async ({ sql, marketplaceId }: TestApp): Promise<Record<string, string[]>> => {
  const content: Record<string, string[]> = {};
  for (const table of TABLES_OF) {
    const text = `select (to_jsonb(t) - 'version')::text as line from ${table} t where marketplace_id = $1 order by 1`;
    content[table] = (await sql(text, [marketplaceId])).map(({ line }) => line);
  }
  return content;
};
