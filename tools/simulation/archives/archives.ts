// Archives the past of an environment while its marketplaces live, verifies it, and puts it back before the checks of a step read the
// whole history. The archiver is a process of its own that may be killed at any of its steps; the next one continues.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Connection } from '../../../server/src/postgres/postmaster.ts';
import type { Journal } from '../journal.ts';
import type { ArchivePlan, Plan } from '../plan.ts';
import { retryUntil } from '../retry.ts';
import type { ArchiveWork } from './archive-process.ts';

type Options = {
  readonly plan: Plan;
  readonly connection: Connection;
  /** The folder of the environment. */
  readonly folder: string;
  readonly journal: Journal;
  readonly places: readonly { readonly marketplaceId: string }[];
};

/** The archives of all servers of an environment. */
export const archiveDir = (folder: string): string => path.join(folder, 'archive');

/** The ages of what is archived. An entry that a lane may still ask for after a kill must stay: real archives are months old. */
const agesOf = ({ hasCrashes }: Plan): readonly number[] => (hasCrashes ? [35_000, 20_000] : [10_000, 5_000]);

type Ended = { readonly archives: number; readonly problems: readonly string[] };

const PROCESS = path.join(import.meta.dirname, 'archive-process.ts');

/** Null: the process was killed, or PostgreSQL was. */
const runOnce = async (work: ArchiveWork): Promise<{ ended: Ended | null; said: string }> => {
  const child = spawn(process.execPath, [PROCESS, JSON.stringify(work)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  return { ended: code === 0 ? (JSON.parse(out) as Ended) : null, said };
};

export const openArchives = ({ plan, connection, folder, journal, places }: Options) => {
  const marketplaceIds = places.map(({ marketplaceId }) => marketplaceId);
  const common = { connection, marketplaceIds, dir: archiveDir(folder), agesMs: agesOf(plan) };
  const counts = { made: 0, killed: 0 };

  const run = async (of: Pick<ArchiveWork, 'verb' | 'name' | 'killAt'>): Promise<void> => {
    const work = { ...of, ...common };
    let said = '';
    let { ended } = await runOnce(work);
    if (ended === null && of.killAt !== null) counts.killed++;
    await retryUntil(async () => {
      if (ended !== null) return true;
      ({ ended, said } = await runOnce({ ...work, killAt: null }));
      return ended !== null;
    }, `archives: ${of.verb} ends`).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${said}`, { cause: error });
    });
    counts.made += ended!.archives;
    for (const problem of ended!.problems) journal.violate(problem);
  };

  return {
    counts,
    /** While the marketplaces live. The proof has to hold with rows that are in files. */
    async create({ name, killAt }: ArchivePlan): Promise<void> {
      await run({ verb: 'create', name, killAt });
      await run({ verb: 'verify', name, killAt: null });
    },
    /** Proves everything once more, and puts every row back. */
    async restore({ name, restoreKillAt }: ArchivePlan): Promise<void> {
      await run({ verb: 'verify', name, killAt: null });
      await run({ verb: 'restore', name, killAt: restoreKillAt });
      await run({ verb: 'verify', name, killAt: null });
    },
  };
};
