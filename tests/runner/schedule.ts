// The order of the test files: the longest first, so that no worker runs a long file alone at the end, and half of the time for
// shorter files, so that the processors are never idle while long files wait. The times are those of the last run, kept in the
// cache, or of a recorded run; the time of a new file is estimated by its size.

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

type Durations = Readonly<Record<string, number>>;

/** Measured over all files: a longer file takes longer, roughly in proportion. */
const MS_PER_BYTE = 0.5;
/** A shorter file leaves no worker alone for long. */
const RECORDED_MIN_MS = 5_000;
/** Most of these files wait for timeouts: the 14 longest took 143 s of CPU in 451 s. */
const LONG_MIN_MS = 15_000;

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
  const sorted = files
    .map((file) => ({ file, expectedMs: expectedMs(file) }))
    .sort((one, other) => other.expectedMs - one.expectedMs || (one.file < other.file ? -1 : 1));
  const isLong = (one: Scheduled): boolean => one.expectedMs >= LONG_MIN_MS;
  return alternate(sorted.filter(isLong), { others: sorted.filter((one) => !isLong(one)) });
}

/** In an order that the seed decides: files of one process share servers, so a test that relies on the files before it fails. */
export function shuffleTests(files: readonly Scheduled[], seed: string): Scheduled[] {
  const placed = files.map((one) => ({ one, place: createHash('sha256').update(`${seed} ${one.file}`).digest('hex') }));
  return placed.sort((first, second) => (first.place < second.place ? -1 : 1)).map(({ one }) => one);
}

/** Both lists get the same time until one of them ends. */
function alternate(long: readonly Scheduled[], { others }: { others: readonly Scheduled[] }): Scheduled[] {
  const mixed: Scheduled[] = [];
  const rest = [...others];
  let aheadMs = 0;
  for (const one of long) {
    while (aheadMs > 0 && rest.length > 0) {
      const next = rest.shift()!;
      mixed.push(next);
      aheadMs -= next.expectedMs;
    }
    mixed.push(one);
    aheadMs += one.expectedMs;
  }
  return [...mixed, ...rest];
}
