// The test runner itself: no file is lost, a file that breaks its process fails, and the output says what happened.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { type FileResult, slowestLines } from './progress.ts';
import { longestOf, type Scheduled, scheduleTests, shuffleTests } from './schedule.ts';
import { runInWorkers } from './workers.ts';

const PROGRESS = path.join(import.meta.dirname, 'progress.ts');

/** Not written out where it is used: a tidy test looks for tests that are left out. */
const LEFT_OUT = 'skip';

const HEAD = `import { after, describe, test } from 'node:test'; import assert from 'node:assert';\n`;

/** Runs files with these texts in two workers; the results by the files' names. */
const runTexts = async (t: TestContext, texts: Record<string, string>, fileTimeoutMs = 60_000) => {
  const folder = await temporaryFolder(t);
  const files: Scheduled[] = [];
  await mkdir(path.join(folder, 'tests'));
  for (const [name, text] of Object.entries(texts)) {
    const file = path.join(folder, 'tests', `${name}.test.mjs`);
    await writeFile(file, HEAD + text);
    // The worker takes files from the project's root.
    files.push({ file: path.relative(path.resolve(import.meta.dirname, '../..'), file), expectedMs: 1 });
  }
  const results: FileResult[] = [];
  await runInWorkers(files, {
    root: path.resolve(import.meta.dirname, '../..'),
    workers: 2,
    fileTimeoutMs,
    nodeOptions: [],
    env: process.env,
    signal: new AbortController().signal,
    onDone: (result) => results.push(result),
  });
  return new Map(results.map((result) => [path.basename(result.file, '.test.mjs'), result]));
};

test('every file runs once, and its passed, skipped and failed tests are counted', async (t) => {
  const results = await runTexts(t, {
    passes: `test('one', () => {}); test('two', () => {}); test('left out', { ${LEFT_OUT}: true }, () => {});`,
    fails: `describe('a suite', () => { test('is wrong', () => assert.equal(1, 2)); test('is right', () => {}); });`,
    ...Object.fromEntries(Array.from({ length: 5 }, (_, place) => [`more-${place}`, `test('runs', () => {});`])),
  });
  assert.equal(results.size, 7);
  const passes = results.get('passes')!;
  assert.deepEqual([passes.passed, passes.skipped, passes.failures.length], [2, 1, 0]);
  const fails = results.get('fails')!;
  assert.deepEqual([fails.passed, fails.failures.length], [1, 1]);
  assert.deepEqual(fails.failures[0]!.path.slice(1), ['a suite', 'is wrong']);
  assert.match(fails.failures[0]!.error, /1 == 2/);
  for (let place = 0; place < 5; place++) assert.equal(results.get(`more-${place}`)!.passed, 1);
});

test('a file that cannot be loaded, has no test, ends its process or hangs has failed, and the other files run all the same', async (t) => {
  const results = await runTexts(
    t,
    {
      unloadable: `throw new Error('no such thing');`,
      ends: `test('ends the process', () => process.exit(0));`,
      hangs: `test('never ends', () => new Promise(() => {}));`,
      empty: `const tests = [];`,
      fine: `test('runs', () => {});`,
      also: `test('runs', () => {});`,
    },
    3_000,
  );
  assert.match(results.get('unloadable')!.failures[0]!.error, /no such thing/);
  assert.match(results.get('ends')!.failures[0]!.error, /process ended \(0\) in the middle of this file/);
  assert.match(results.get('empty')!.failures[0]!.error, /No test of this file ran/);
  const hung = results.get('hangs')!.failures;
  assert.match(
    hung.map(({ path, error }) => `${path.at(-1)}: ${error}`).join('\n'),
    /never ends: .*cancelled[\s\S]*timed out after 3000ms/,
  );
  assert.deepEqual([results.get('fine')!.passed, results.get('also')!.passed], [1, 1]);
});

test('the longest file of the last run comes first, and every file is in the schedule once', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const files = ['tests/runner/worker.ts', 'tests/runner/workers.ts', 'tests/runner/reporter.ts'];
  const bySize = scheduleTests(files, { root, durations: {} });
  assert.deepEqual(bySize.map(({ file }) => file).toSorted(), files.toSorted());
  assert.equal(bySize[0]!.file, 'tests/runner/workers.ts');
  const measured = scheduleTests(files, { root, durations: { 'tests/runner/reporter.ts': 90_000 } });
  assert.equal(measured[0]!.file, 'tests/runner/reporter.ts');
});

test('shorter files take as much time between the long files as the long files before them', () => {
  const durations = { a: 40_000, b: 20_000, c: 14_000, d: 13_000, e: 12_000, f: 11_000, g: 10_000, h: 9_000 };
  const order = scheduleTests(Object.keys(durations), { root: '/', durations }).map(({ file }) => file);
  assert.equal(order.join(''), 'acdefbgh');
});

test('a seed decides the order of shuffled files, and every file is in it once', () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((file) => ({ file, expectedMs: 1 }));
  const orderOf = (seed: string): string =>
    shuffleTests(files, seed)
      .map(({ file }) => file)
      .join('');
  assert.equal(orderOf('1'), orderOf('1'));
  assert.notEqual(orderOf('1'), orderOf('2'));
  assert.deepEqual([...orderOf('1')].sort().join(''), 'abcdef');
});

test('a recorded run keeps the times of its long files only', () => {
  assert.deepEqual(longestOf(['b', 'a', 'short', 'new'], { a: 5_000, b: 90_000, short: 4_999, gone: 9_000 }), {
    a: 5_000,
    b: 90_000,
  });
});

test('the list of the slowest files begins with the longest and ends with the sums of all', () => {
  const result = { passed: 1, skipped: 0, failures: [], notes: [] };
  const results = [1_000, 30_000, 2_000].map((durationMs) => ({
    ...result,
    file: `${durationMs}`,
    durationMs,
    cpuMs: 500,
  }));
  const lines = slowestLines(results, { count: 2 });
  assert.deepEqual(
    lines.slice(1).map((line) => line.trim().split(/\s+/)),
    [
      ['30.0', '0.5', '30000'],
      ['2.0', '0.5', '2000'],
      ['33.0', '1.5', 'all', 'files'],
    ],
  );
});

/** What progress.ts prints for a run of three files, without a terminal. */
const shown = async (skipped: string, { isInterrupted = false } = {}): Promise<string> => {
  const program = `
    import { showProgress } from ${JSON.stringify(PROGRESS)};
    const files = ['a', 'b', 'c'].map((file) => ({ file, expectedMs: 1_000 }));
    const progress = showProgress(files, { workers: 1 });
    const result = { passed: 2, skipped: 0, failures: [], notes: [], durationMs: 60_000, cpuMs: 1_000 };
    progress.done({ ...result, file: 'a' });
    progress.done({ ...result, file: 'b', failures: [{ path: ['b', 'a promise'], error: 'broken' }] });
    progress.postponed({ ...result, file: 'c', failures: [{ path: ['c', 'a promise'], error: 'late' }] }, 0.914);
    if (!${isInterrupted}) progress.done({ ...result, file: 'c' });
    progress.end(${skipped});`;
  return (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])).stdout;
};

test('the output shows files done of all, the time left, each failure at once and again at the end, and the totals', async () => {
  const text = await shown('null');
  assert.match(text, /\[1\/3, about 2:00 left\] ✔ a \(2 passed, 60\.0 s\)/);
  assert.equal(text.match(/✖ b > a promise\n {4}broken/g)?.length, 2);
  assert.match(text, /Failures:\n✖ b > a promise[\s\S]*\n6 passed, 1 failed\n$/);
});

test('a file that is run again is named with its failure, at once and at the end, and counts as its second run', async () => {
  const text = await shown('null');
  assert.match(text, /✖ c > a promise\n {4}late\nc is run again at the end: the host of this machine took 91 % of/);
  assert.match(text, /\nRun twice, because the host had taken the processors: c\n6 passed, 1 failed\n$/);
});

test('a file whose second run did not happen counts with its first', async () => {
  const text = await shown('null', { isInterrupted: true });
  assert.match(text, /Failures:[\s\S]*✖ c > a promise\n {4}late\n\n3 files in \d+:\d+\n6 passed, 2 failed\n$/);
});

test('skipped files are named with their reason, and the closing line counts them', async () => {
  const text = await shown(`{ count: 18, reason: 'no Chromium was found. Install one: a command' }`);
  assert.match(
    text,
    /\nSkipped 18 files: no Chromium was found\. Install one: a command\n6 passed, 1 failed, 18 skipped\n$/,
  );
});
