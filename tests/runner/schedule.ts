// The order of the test files: the longest first, so that no worker runs a long file alone at the end. The times are those of
// the last run, kept in the cache, or of a recorded run; the time of a new file is estimated by its size.

import { statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

type Durations = Readonly<Record<string, number>>;

/** Measured over all files: a longer file takes longer, roughly in proportion. */
const MS_PER_BYTE = 0.5;
/** A shorter file leaves no worker alone for long. */
const RECORDED_MIN_MS = 5_000;

export async function readDurations(file: string): Promise<Durations> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    return JSON.parse(text) as Durations;
  } catch {
    return {};
  }
}

export async function writeDurations(file: string, durations: Durations): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(durations, null, 2)}\n`);
}

/** The times of a run that are worth keeping, sorted by file name. */
export function longestOf(files: readonly string[], durations: Durations): Durations {
  const long = files.filter((file) => (durations[file] ?? 0) >= RECORDED_MIN_MS);
  return Object.fromEntries(long.toSorted().map((file) => [file, durations[file]!]));
}

export type Scheduled = { readonly file: string; readonly expectedMs: number };

export function scheduleTests(files: readonly string[], options: { root: string; durations: Durations }): Scheduled[] {
  const expectedMs = (file: string): number =>
    options.durations[file] ?? statSync(path.join(options.root, file)).size * MS_PER_BYTE;
  return files
    .map((file) => ({ file, expectedMs: expectedMs(file) }))
    .sort((one, other) => other.expectedMs - one.expectedMs || (one.file < other.file ? -1 : 1));
}
