// A file that fails is run again only when the host of the machine had taken its processors, and then alone; a second failure counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileResult } from './progress.ts';
import { runFiles } from './second-run.ts';
import { timesIn, watchStolenTime } from './stolen-time.ts';

const FILES = ['passes', 'fails', 'late', 'never'].map((file) => ({ file, expectedMs: 1 }));

const resultOf = (file: string, isRight: boolean): FileResult => ({
  file,
  passed: isRight ? 1 : 0,
  skipped: 0,
  failures: isRight ? [] : [{ path: [file], error: 'broken' }],
  notes: [],
  durationMs: 1,
  cpuMs: 1,
});

/** The file `late` passes the second time. */
const runWith = async (share: number) => {
  const runs: [files: string[], isAlone: boolean][] = [];
  const done: string[] = [];
  const postponed: string[] = [];
  await runFiles(FILES, {
    async run(files, { isAlone, onDone }) {
      runs.push([files.map(({ file }) => file), isAlone]);
      for (const { file } of files) onDone(resultOf(file, file === 'passes' || (file === 'late' && isAlone)));
    },
    peakSince: () => share,
    onDone: ({ file, failures }) => void done.push(`${file} ${failures.length === 0 ? 'passed' : 'failed'}`),
    onPostponed: ({ file }) => void postponed.push(file),
  });
  return { runs, done, postponed };
};

test('on a machine of its own every failure counts at once', async () => {
  assert.deepEqual(await runWith(0.39), {
    runs: [[FILES.map(({ file }) => file), false]],
    done: ['passes passed', 'fails failed', 'late failed', 'never failed'],
    postponed: [],
  });
});

test('without its processors a file that failed is run again alone, and the second result counts', async () => {
  assert.deepEqual(await runWith(0.4), {
    runs: [
      [FILES.map(({ file }) => file), false],
      [['fails', 'late', 'never'], true],
    ],
    done: ['passes passed', 'fails failed', 'late passed', 'never failed'],
    postponed: ['fails', 'late', 'never'],
  });
});

test('the largest share of one interval counts, and only since the file began', () => {
  const texts = ['cpu  10 0 10 80 0 0 0 0 5 5', 'cpu  15 0 15 90 0 0 0 80 5 5', 'cpu  60 0 60 180 0 0 0 100 5 5'];
  let time = 0;
  const watch = watchStolenTime({ read: () => timesIn(texts.shift() ?? ''), now: () => time, everyMs: 1_000_000 });
  for (time of [1_000, 2_000, 3_000]) watch.look();
  watch.stop();
  assert.deepEqual([watch.peakSince(0), watch.peakSince(1_500), watch.peakSince(2_500)], [0.8, 0.1, 0]);
  assert.equal(timesIn('no such file'), null);
});
