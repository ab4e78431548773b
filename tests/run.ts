// Runs the tests: one temporary PostgreSQL with a migrated template database, and several worker processes. Leaves nothing of them behind.
// `node tests/run.ts` runs every `*.test.ts` except the long ones, `--long` runs the long ones (`*.long.test.ts`). Folders, files or parts of
// names choose; `--cluster` runs them on a cluster of PostgreSQL with Citus, `--shuffle=<seed>` in another order; `--record` keeps the measured
// times, `--slowest` lists the longest files; other options go to node.

import { chmod, glob, mkdtemp, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { removeOrphans } from '../server/src/postgres/temporary-folder.ts';
import { findPrograms } from '../tools/distributed/programs.ts';
import { openTestPostgres } from '../tools/test-database/open.ts';
import { BROWSER_TESTS, prepareBrowser } from './browser/support/prepare.ts';
import { clusterFiles, needsCluster, withoutExcluded } from './runner/cluster-files.ts';
import { type FileResult, type SkippedFiles, showProgress, slowestLines } from './runner/progress.ts';
import { longestOf, readDurations, scheduleTests, shuffleTests, writeDurations } from './runner/schedule.ts';
import { runFiles } from './runner/second-run.ts';
import { watchStolenTime } from './runner/stolen-time.ts';
import { runInWorkers } from './runner/workers.ts';
import { prepareLoading } from './support/loading.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const LONG = '.long.test.ts';
const FILE_TIMEOUT_MS = 240_000;
const LONG_FILE_TIMEOUT_MS = 1_800_000;
/** Three more than there are processors: most tests also wait, for the database or for a process that they started. */
const WORKERS = os.availableParallelism() + 3;
const CACHE = path.join(ROOT, 'node_modules/.cache/holdfast-tests');
/** For the first run on a machine. Written by `--record`, never by hand. */
const RECORDED = path.join(import.meta.dirname, 'runner/durations.json');
/** A larger young generation is collected less often: a twentieth less CPU. */
const NODE_OPTIONS = ['--max-semi-space-size=64'];
const SLOWEST = 40;
const RUN = 'holdfast-run-';
const MEMORY = '/dev/shm';
const MEMORY_MIN_BYTES = 4 * 1024 ** 3;

const given = process.argv.slice(2);
const isLong = given.includes('--long');
const isRecorded = given.includes('--record');
const isOnCluster = given.includes('--cluster');
const isSlowestShown = given.includes('--slowest');
const SHUFFLE = '--shuffle=';
const shuffled = given.find((argument) => argument.startsWith(SHUFFLE));
const OWN_OPTIONS = ['--long', '--record', '--cluster', '--slowest', shuffled];
const nodeOptions = given.filter((argument) => argument.startsWith('--') && !OWN_OPTIONS.includes(argument));
const DURATIONS = path.join(CACHE, isOnCluster ? 'durations-on-cluster.json' : 'durations.json');
const programs = isOnCluster ? await findPrograms() : null;
if (isOnCluster && programs === null) {
  console.log(
    'Not run: Citus is not installed for any PostgreSQL of this machine (docs/testing.md says how to install it).',
  );
  process.exit(process.env.TEST_CLUSTER_REQUIRED === undefined ? 0 : 1);
}
const found = await findTests(given.filter((argument) => !argument.startsWith('--')));
if (found.length === 0) {
  console.error(`No test file matches ${given.join(' ') || 'tests/**/*.test.ts'}.`);
  process.exit(1);
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());
process.exitCode = await runAll();

async function runAll(): Promise<number> {
  // The tests' own temporary files go here too, so an interrupted test leaves nothing either.
  const roomy = await roomyFolder();
  // Each run has its PostgreSQL in a folder of its own, where no other run looks.
  for await (const earlier of glob(`${RUN}*`, { cwd: roomy })) await removeOrphans(path.join(roomy, earlier));
  const folder = await mkdtemp(path.join(roomy, RUN));
  await chmod(folder, 0o711);
  process.env.TMPDIR = folder;
  // While PostgreSQL starts: each of the three uses one processor. On a new machine they took 11 s one after the other.
  const preparing = Promise.allSettled([chooseFiles(), prepareLoading(CACHE)]);
  const { postgres, stop } = await openTestPostgres(programs === null ? null : { programs, folder });
  try {
    const [chosen, loading] = await preparing;
    if (interruption.signal.aborted) return 1;
    if (chosen.status === 'rejected') throw chosen.reason;
    if (loading.status === 'rejected') throw loading.reason;
    const { files, skipped, browser } = chosen.value;
    const env = { ...process.env, TEST_POSTGRES: JSON.stringify(postgres), ...loading.value, ...browser };
    return await runTests(files, { env, skipped });
  } finally {
    await stop();
    // An interrupted test's programs may write for another moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** Without a Chromium the browser tests are skipped, and the closing lines say so. */
async function chooseFiles(): Promise<{
  files: string[];
  skipped: SkippedFiles | null;
  browser: Record<string, string>;
}> {
  const isBrowserTest = (file: string): boolean => file.startsWith(path.normalize(BROWSER_TESTS));
  if (!found.some(isBrowserTest)) return { files: found, skipped: null, browser: {} };
  const prepared = await prepareBrowser();
  if (prepared.ok) return { files: found, skipped: null, browser: { TEST_BROWSER: JSON.stringify(prepared.browser) } };
  const files = found.filter((file) => !isBrowserTest(file));
  return { files, skipped: { count: found.length - files.length, reason: prepared.reason }, browser: {} };
}

type Run = { readonly env: NodeJS.ProcessEnv; readonly skipped: SkippedFiles | null };

async function runTests(files: readonly string[], { env, skipped }: Run): Promise<number> {
  const durations: Record<string, number> = { ...(await readDurations(RECORDED)), ...(await readDurations(DURATIONS)) };
  const inOrder = scheduleTests(files, { root: ROOT, durations });
  const scheduled = shuffled === undefined ? inOrder : shuffleTests(inOrder, shuffled.slice(SHUFFLE.length));
  const progress = showProgress(scheduled, { workers: WORKERS });
  const results: FileResult[] = [];
  const stolenTime = watchStolenTime();
  await runFiles(scheduled, {
    run: (those, { isAlone, onDone }) =>
      runInWorkers(those, {
        root: ROOT,
        workers: isAlone ? 1 : WORKERS,
        fileTimeoutMs: isLong || isOnCluster ? LONG_FILE_TIMEOUT_MS : FILE_TIMEOUT_MS,
        nodeOptions: [...NODE_OPTIONS, ...nodeOptions],
        env,
        signal: interruption.signal,
        onDone,
      }),
    peakSince: stolenTime.peakSince,
    onDone(result) {
      results.push(result);
      durations[result.file] = Math.round(result.durationMs);
      progress.done(result);
    },
    onPostponed: progress.postponed,
  });
  stolenTime.stop();
  progress.end(skipped);
  if (isSlowestShown) console.log(slowestLines(results, { count: SLOWEST }).join('\n'));
  // A run of chosen tests only would make a file look shorter than it is.
  if (nodeOptions.length === 0) await writeDurations(DURATIONS, durations);
  if (isRecorded) await writeDurations(RECORDED, longestOf(files, durations));
  const mayNotSkip = skipped !== null && process.env.TEST_BROWSER_REQUIRED !== undefined;
  const hasFailed = results.some(({ failures }) => failures.length > 0);
  return hasFailed || interruption.signal.aborted || mayNotSkip ? 1 : 0;
}

// Cloning a database in memory took 20 ms of CPU each time, on a disk from 20 to 160 ms.
async function roomyFolder(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => null);
  return memory && memory.bavail * memory.bsize >= MEMORY_MIN_BYTES ? MEMORY : os.tmpdir();
}

async function findTests(wanted: string[]): Promise<string[]> {
  const every = (await Array.fromAsync(glob('tests/**/*.test.ts', { cwd: ROOT }))).sort();
  const all = every.filter((file) => isOnCluster || !needsCluster(file));
  const ofKind = all.filter((file) => file.endsWith(LONG) === isLong);
  const chosen = (isLong ? ofKind : all).filter((file) => wanted.some((part) => file.includes(path.normalize(part))));
  if (isOnCluster) return wanted.length === 0 ? clusterFiles(all) : withoutExcluded(chosen);
  return wanted.length === 0 ? ofKind : chosen;
}
