// A process that archives, verifies or restores, beside the servers of an environment: `node archive-process.ts '{"verb":"create", …}'`.
// It prints what does not hold as JSON. It kills itself at the given step, and exits with 1 when PostgreSQL was killed.

import { formatInstant, systemClock } from '../../../server/src/base/instant.ts';
import { proveBooks } from '../../../server/src/books/proof.ts';
import { createCommitter } from '../../../server/src/commit/committer.ts';
import { type ArchiveStep, createArchiver } from '../../../server/src/modules/archives/archiver.ts';
import { verifyArchives } from '../../../server/src/modules/archives/verify-archives.ts';
import { proveAndMark } from '../../../server/src/modules/audit/jobs.ts';
import { verifyChain } from '../../../server/src/modules/audit/verify-chain.ts';
import { openLane, openPool } from '../../../server/src/postgres/connection.ts';
import type { Connection } from '../../../server/src/postgres/postmaster.ts';
import { TABLES } from '../../../server/src/registry.ts';

export type ArchiveWork = {
  readonly verb: 'create' | 'verify' | 'restore';
  readonly connection: Connection;
  readonly dir: string;
  readonly marketplaceIds: readonly string[];
  /** Begins the names of the archives. */
  readonly name: string;
  /** The ages at which the periods end, oldest first. */
  readonly agesMs: readonly number[];
  readonly killAt: ArchiveStep | null;
};

const work = JSON.parse(process.argv[2]!) as ArchiveWork;
const { connection, dir, marketplaceIds } = work;
const pool = openPool(connection, { max: 3, onError() {} });
const committer = createCommitter({
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
const archiver = createArchiver({
  pool,
  submit: committer.submit,
  dir,
  version: 'simulation',
  onStep(step) {
    if (step === work.killAt) process.kill(process.pid, 'SIGKILL');
  },
});

/** A period that was sealed by a process that was killed continues under its own name. */
const create = async (marketplaceId: string): Promise<number> => {
  await proveAndMark(pool, { marketplaceId, full: false });
  const now = systemClock();
  const sealed = (await archiver.reads.list(marketplaceId)).filter(({ state }) => state === 'SEALED');
  let made = 0;
  const fresh = work.agesMs.map((ageMs, at) => ({
    id: `${work.name}-${at + 1}`,
    endsAt: formatInstant(now - ageMs * 1_000),
  }));
  const known = await archiver.reads.list(marketplaceId);
  const isOver = (id: string): boolean => known.some((archive) => archive.id === id && archive.state !== 'RESTORED');
  for (const period of [...sealed, ...fresh.filter(({ id }) => !isOver(id))]) {
    if ((await archiver.create(marketplaceId, period)) !== null) made++;
  }
  return made;
};

/** The proof of the archives, of the chain and of the books; open breaks are looked at by another check. */
const problemsOf = async (marketplaceId: string): Promise<string[]> => {
  const { verified, border } = await verifyArchives({ pool, dir, marketplaceId });
  const chain = await verifyChain(pool, { marketplaceId });
  const { checks } = await proveBooks(pool, marketplaceId);
  const failed = checks.filter(({ holds, name }) => !holds && name !== 'no-open-breaks');
  return [
    ...verified.flatMap(({ archive, problem }) => (problem === null ? [] : [`archive ${archive.id}: ${problem}`])),
    ...(border === null ? [] : [`archives: ${border}`]),
    ...(chain.holds ? [] : [`archives: the audit chain is broken at entry ${chain.brokenAt}`]),
    ...failed.map(({ name, detail }) => `archives: ${name}: ${detail}`),
  ];
};

let archives = 0;
const problems: string[] = [];
for (const marketplaceId of marketplaceIds) {
  if (work.verb === 'create') archives += await create(marketplaceId);
  else if (work.verb === 'verify') problems.push(...(await problemsOf(marketplaceId)));
  else while ((await archiver.restore(marketplaceId)) !== null);
}
process.stdout.write(JSON.stringify({ archives, problems }));
await committer.close();
await pool.end();
