// What each verb of `holdfast archive` does and prints. Each returns false when something does not hold.

import { formatInstant, systemClock } from '../../base/instant.ts';
import { proveBooks } from '../../books/proof.ts';
import type { Archive } from '../../modules/archives/archive.ts';
import { folderOf, type Manifest, readManifest } from '../../modules/archives/manifest.ts';
import { closedMonths } from '../../modules/archives/periods.ts';
import { readSlice } from '../../modules/archives/slices.ts';
import { verifyAndKeep } from '../../modules/archives/verify-archives.ts';
import { proveAndMark } from '../../modules/audit/jobs.ts';
import { verifyChain } from '../../modules/audit/verify-chain.ts';
import type { Archiving } from './open.ts';

type Out = {
  /** A line for people; nothing with --json. */
  say(line: string): void;
  json(value: unknown): void;
  /** A row of an archive, in both forms. */
  row(line: string): void;
};

type Ask = {
  readonly out: Out;
  readonly id: string | null;
  readonly table: string | null;
  readonly match: string | null;
};

type Described = {
  readonly marketplaceId: string;
  readonly month: string;
  readonly state: string;
  readonly entries: string;
  readonly bytes: number | null;
  readonly manifestHash: string;
};

const mebibytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;

const bytesOf = ({ files }: Manifest): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

const describe = async ({ dir }: Archiving, of: { marketplaceId: string; archive: Archive }): Promise<Described> => {
  const { marketplaceId, archive } = of;
  const manifest = await readManifest(folderOf(dir, { marketplaceId, id: archive.id }), archive.manifestHash).catch(
    () => null,
  );
  return {
    marketplaceId,
    month: archive.id,
    state: archive.state,
    entries: `${archive.firstSeq} to ${archive.lastSeq}`,
    bytes: manifest && bytesOf(manifest),
    manifestHash: archive.manifestHash,
  };
};

const lineOf = ({ marketplaceId, month, state, entries, bytes, manifestHash }: Described): string => {
  const size = bytes === null ? 'files not found' : mebibytes(bytes);
  return `${marketplaceId} ${month}: ${state.toLowerCase()}, audit entries ${entries}, ${size}, manifest ${manifestHash.slice(0, 12)}`;
};

export const createMonths = async (archiving: Archiving, { out }: Ask): Promise<boolean> => {
  const { archiver, pool, marketplaces, afterMonths, dir } = archiving;
  const now = formatInstant(systemClock());
  const made: Described[] = [];
  for (const marketplaceId of marketplaces) {
    const first = await archiver.reads.firstEntryAt(marketplaceId);
    const sealed = (await archiver.reads.list(marketplaceId)).filter(({ state }) => state === 'SEALED');
    const closed = first === null ? [] : closedMonths({ first, now, months: afterMonths });
    // The archived rows must be older than the newest checkpoint of the proof.
    if (closed.length > 0) await proveAndMark(pool, { marketplaceId, full: false });
    // A removal that was interrupted continues, also when no other month is closed.
    for (const period of [...sealed, ...closed]) {
      const archive = await archiver.create(marketplaceId, period);
      if (archive === null) continue;
      made.push(await describe(archiving, { marketplaceId, archive }));
      out.say(lineOf(made.at(-1)!));
    }
  }
  out.json(made);
  out.say(
    made.length === 0
      ? `No month is closed: a month is archived when ${afterMonths} full months are over after it (ARCHIVE_AFTER_MONTHS).`
      : `Archives: ${made.length}, in ${dir}. Next: copy this folder to your backups, and run \`holdfast archive verify\`.`,
  );
  return true;
};

export const listArchives = async (archiving: Archiving, { out }: Ask): Promise<boolean> => {
  const found: Described[] = [];
  for (const marketplaceId of archiving.marketplaces) {
    for (const archive of await archiving.archiver.reads.list(marketplaceId)) {
      found.push(await describe(archiving, { marketplaceId, archive }));
      out.say(lineOf(found.at(-1)!));
    }
  }
  out.json(found);
  if (found.length === 0) out.say('There is no archive yet. `holdfast archive create` makes one of each closed month.');
  return true;
};

export const verifyAll = async ({ pool, dir, marketplaces }: Archiving, { out }: Ask): Promise<boolean> => {
  const report: Record<string, unknown>[] = [];
  for (const marketplaceId of marketplaces) {
    const archives = await verifyAndKeep({
      pool,
      dir,
      marketplaceId,
      onArchive: ({ archive, problem }) =>
        out.say(
          `${marketplaceId} ${archive.id}: ${problem === null ? 'holds to its last hash' : `BROKEN. ${problem}`}`,
        ),
    });
    const chain = await verifyChain(pool, { marketplaceId });
    const proof = await proveBooks(pool, marketplaceId);
    const failed = proof.checks.filter((check) => !check.holds && check.name !== 'no-open-breaks');
    const holds = archives.holds && chain.holds && failed.length === 0;
    if (archives.border !== null) out.say(`${marketplaceId}: BROKEN at the border. ${archives.border}`);
    out.say(
      holds
        ? `${marketplaceId}: archives and hot rows hold: ${chain.entries} audit entries, last hash ${chain.lastHash || 'none'}.`
        : `${marketplaceId}: does NOT hold. ${failed.map(({ detail }) => detail).join(' ')} Restore the archive from your backup, then verify again.`,
    );
    const broken = archives.verified.filter(({ problem }) => problem !== null);
    report.push({
      marketplaceId,
      holds,
      archives: archives.verified.length,
      broken: broken.map(({ archive, problem, file }) => ({ month: archive.id, file, problem })),
      border: archives.border,
      chain: { holds: chain.holds, entries: String(chain.entries), lastHash: chain.lastHash },
    });
  }
  out.json(report);
  return report.every(({ holds }) => holds === true);
};

const noArchive = (id: string | null): string =>
  `There is no archive ${id}. \`holdfast archive list\` shows those that exist.`;

const printRows = async (ask: Ask, { folder, manifest }: { folder: string; manifest: Manifest }): Promise<void> => {
  for (const slice of manifest.files.filter(({ table }) => table === ask.table)) {
    for (const line of await readSlice(folder, slice)) {
      if (ask.match === null || line.includes(ask.match)) ask.out.row(line);
    }
  }
};

export const showRows = async ({ dir, archiver, marketplaces }: Archiving, ask: Ask): Promise<boolean> => {
  const found: unknown[] = [];
  for (const marketplaceId of marketplaces) {
    const archive = (await archiver.reads.list(marketplaceId)).find(({ id }) => id === ask.id);
    if (!archive) continue;
    const folder = folderOf(dir, { marketplaceId, id: archive.id });
    const manifest = await readManifest(folder, archive.manifestHash);
    found.push({ folder, ...manifest });
    if (ask.table !== null) {
      await printRows(ask, { folder, manifest });
      continue;
    }
    ask.out.say(`${marketplaceId} ${archive.id}: ${folder}, ${mebibytes(bytesOf(manifest))}`);
    for (const [table, rows] of Object.entries(manifest.rows)) ask.out.say(`  ${table}: ${rows} rows`);
  }
  if (found.length === 0) throw new Error(noArchive(ask.id));
  // With a table the output is its rows, one JSON value on each line.
  if (ask.table === null) ask.out.json(found);
  return true;
};

export const restoreNewest = async (
  { archiver, marketplaces, pool }: Archiving,
  { out, id }: Ask,
): Promise<boolean> => {
  let isFine = true;
  const restored: string[] = [];
  for (const marketplaceId of marketplaces) {
    const kept = (await archiver.reads.list(marketplaceId)).filter(({ state }) => state !== 'RESTORED');
    if (!kept.some((archive) => archive.id === id)) continue;
    if (kept.at(-1)!.id !== id) {
      throw new Error(`${marketplaceId}: only the newest archive can be restored. Restore ${kept.at(-1)!.id} first.`);
    }
    await archiver.restore(marketplaceId);
    restored.push(marketplaceId);
    const { holds, entries, lastHash } = await verifyChain(pool, { marketplaceId });
    isFine &&= holds;
    out.say(
      `${marketplaceId} ${id}: restored. ${entries} audit entries, last hash ${lastHash}${holds ? '' : ': BROKEN'}.`,
    );
  }
  if (restored.length === 0) throw new Error(noArchive(id));
  out.json({ month: id, restored });
  return isFine;
};
