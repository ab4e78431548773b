// What a person sees of a test run: one line that shows how far it is, every failure at once and again at the end, and totals.
// Without a terminal there is a line per file instead, which a log can keep.

import type { Failure } from './messages.ts';
import type { Scheduled } from './schedule.ts';

export type FileResult = {
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  readonly notes: readonly string[];
  readonly durationMs: number;
  /** CPU of the worker process; PostgreSQL, a browser and other processes are not in it. */
  readonly cpuMs: number;
};

export type Progress = {
  done(result: FileResult): void;
  /** The file failed while this share of the processors was taken. It is run again at the end. */
  postponed(result: FileResult, share: number): void;
  /** Prints the failures again, then the totals. */
  end(skippedFiles: SkippedFiles | null): void;
};

export type SkippedFiles = { readonly count: number; readonly reason: string };

const BAR = 24;

const inMinutes = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const failureText = ({ file }: { file: string }, { path, error }: Failure): string =>
  [
    `✖ ${path[0] === file ? '' : `${file} > `}${path.join(' > ')}`,
    ...error.split('\n').map((line) => `    ${line}`),
  ].join('\n');

const fileLine = ({ file, passed, skipped, failures, durationMs, notes }: FileResult): string =>
  [
    `${failures.length === 0 ? '✔' : '✖'} ${file} (${passed} passed${skipped ? `, ${skipped} skipped` : ''}${
      failures.length ? `, ${failures.length} failed` : ''
    }, ${(durationMs / 1_000).toFixed(1)} s)`,
    ...notes.map((note) => `    ${note}`),
  ].join('\n');

export function showProgress(files: readonly Scheduled[], { workers }: { workers: number }): Progress {
  const startedMs = performance.now();
  const expected = new Map(files.map(({ file, expectedMs }) => [file, expectedMs]));
  const isTerminal = process.stdout.isTTY === true;
  const results: FileResult[] = [];
  const postponed: FileResult[] = [];
  let remainingMs = files.reduce((sum, { expectedMs }) => sum + expectedMs, 0);
  let spentMs = 0;
  let foreseenMs = 0;

  // The estimate assumes that the remaining files are as much slower or faster than expected as the finished ones.
  const timeLeft = (): string => {
    if (foreseenMs === 0) return 'time left unknown';
    return `about ${inMinutes((remainingMs * (spentMs / foreseenMs)) / workers)} left`;
  };
  const line = (): string => {
    const failed = results.reduce((sum, { failures }) => sum + failures.length, 0);
    const filled = Math.round((BAR * results.length) / files.length);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
    const elapsed = inMinutes(performance.now() - startedMs);
    return `${bar} ${results.length} of ${files.length} files, ${failed} failed, ${elapsed} elapsed, ${timeLeft()}`;
  };
  const print = (text: string): void => {
    process.stdout.write(isTerminal ? `\r\u001b[K${text}\n${line()}` : `${text}\n`);
  };

  return {
    done(result) {
      results.push(result);
      const foreseen = expected.get(result.file) ?? 0;
      remainingMs -= foreseen;
      foreseenMs += foreseen;
      spentMs += result.durationMs;
      for (const failure of result.failures) print(failureText(result, failure));
      if (!isTerminal) print(`[${results.length}/${files.length}, ${timeLeft()}] ${fileLine(result)}`);
      else process.stdout.write(`\r\u001b[K${line()}`);
    },
    postponed(result, share) {
      postponed.push(result);
      for (const failure of result.failures) print(failureText(result, failure));
      const taken = `the host of this machine took ${Math.round(share * 100)} % of the processors while it ran`;
      print(`${result.file} is run again at the end: ${taken}`);
    },
    end(skippedFiles) {
      if (isTerminal) process.stdout.write('\r\u001b[K');
      process.stdout.write(
        `${closingLines({ results, postponed, skippedFiles, elapsedMs: performance.now() - startedMs }).join('\n')}\n`,
      );
    },
  };
}

/** The files that took longest, with the CPU of their worker: a file that takes long without it waits for other processes or timers. */
export function slowestLines(results: readonly FileResult[], { count }: { count: number }): string[] {
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1).padStart(8);
  const sorted = results.toSorted((one, other) => other.durationMs - one.durationMs);
  const total = (of: (result: FileResult) => number): number => results.reduce((sum, each) => sum + of(each), 0);
  return [
    '       s   CPU s  (CPU of the worker process only)',
    ...sorted.slice(0, count).map(({ file, durationMs, cpuMs }) => `${seconds(durationMs)}${seconds(cpuMs)}  ${file}`),
    `${seconds(total((each) => each.durationMs))}${seconds(total((each) => each.cpuMs))}  all files`,
  ];
}

type Closing = {
  results: readonly FileResult[];
  postponed: readonly FileResult[];
  skippedFiles: SkippedFiles | null;
  elapsedMs: number;
};

function closingLines({ results: ended, postponed, skippedFiles, elapsedMs }: Closing): string[] {
  // A run that was interrupted has not run these files again, so their first result counts.
  const again = postponed.filter(({ file }) => ended.some((result) => result.file === file));
  const results = [...ended, ...postponed.filter((result) => !again.includes(result))];
  const failures = results.flatMap((result) => result.failures.map((failure) => failureText(result, failure)));
  const sum = (count: (result: FileResult) => number): number => results.reduce((all, each) => all + count(each), 0);
  const skipped = sum((result) => result.skipped) + (skippedFiles?.count ?? 0);
  return [
    ...(failures.length === 0 ? [] : ['', 'Failures:', ...failures]),
    '',
    `${results.length} files in ${inMinutes(elapsedMs)}`,
    ...again.map(({ file }) => `Run twice, because the host had taken the processors: ${file}`),
    ...(skippedFiles === null ? [] : [`Skipped ${skippedFiles.count} files: ${skippedFiles.reason}`]),
    `${sum((result) => result.passed)} passed, ${failures.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
  ];
}
