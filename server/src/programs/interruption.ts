// An interruption still puts everything away. The first signal is passed on as an abortion, to whoever cleans up; a later one
// ends the program at once, and even then no process that it started stays behind.

import type { ChildProcess } from 'node:child_process';
import { inspect } from 'node:util';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on what the terminal has sent to everybody already: that is still the same Ctrl-C. */
const SAME_MS = 1_000;
export const INTERRUPTED = 130;

/** Aborted by the first signal. `onAgain` for the second one, when somebody means it. */
export const watchInterruption = (onAgain: () => void = () => process.exit(INTERRUPTED)): AbortSignal => {
  const interruption = new AbortController();
  let firstAt = 0;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (!interruption.signal.aborted) {
        firstAt = performance.now();
        interruption.abort(new Error(`It was interrupted by ${signal}.`));
      } else if (performance.now() - firstAt > SAME_MS) onAgain();
    });
  }
  return interruption.signal;
};

/** Whichever comes first; what the work still says afterwards is not heard any more. */
export const orInterrupted = async <Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> => {
  if (!signal) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const give = (): void => {
    reject(signal.reason);
    // What breaks because the ground is taken away below it must not keep the rest from being put away.
    for (const trouble of ['unhandledRejection', 'uncaughtException']) process.on(trouble, () => {});
  };
  signal.addEventListener('abort', give);
  if (signal.aborted) give();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', give);
  }
};

/** When everything is put away. An error of another kind is not swallowed. */
export const endInterrupted = (signal: AbortSignal, error: unknown): never => {
  if (!signal.aborted) throw error;
  const text = error === signal.reason ? (signal.reason as Error).message : inspect(error);
  process.stderr.write(`${text}\n`);
  process.exit(INTERRUPTED);
};

/** Work whose traces are gone afterwards, however it ends. */
export const runTidily = async (work: (cleanUp: AsyncDisposableStack) => Promise<void>): Promise<void> => {
  const signal = watchInterruption();
  try {
    await using cleanUp = new AsyncDisposableStack();
    await orInterrupted(work(cleanUp), signal);
  } catch (error) {
    endInterrupted(signal, error);
  }
};

/** Started or only just starting: it is stopped when the work is over. */
export const stopAfterwards = async <Thing extends { stop(): Promise<void> }>(
  cleanUp: AsyncDisposableStack,
  starting: Promise<Thing>,
): Promise<Thing> => {
  cleanUp.defer(async () => {
    const thing = await starting.catch(() => null);
    await thing?.stop();
  });
  return starting;
};

const running = new Set<ChildProcess>();
const endAll = (): void => {
  for (const child of running) child.kill('SIGTERM');
};

/** Those that must not get the time to end in good order. */
export const killAll = (): void => {
  for (const child of running) child.kill('SIGKILL');
};

/** For a process outside of our group: Ctrl-C at the terminal does not reach it, so its end is ours to see to. */
export const endWithUs = (child: ChildProcess): void => {
  if (!process.listeners('exit').includes(endAll)) {
    process.on('exit', endAll);
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        // Nobody else listens, so the program would have ended here.
        if (process.listenerCount(signal) === 1) process.exit(INTERRUPTED);
      });
    }
  }
  running.add(child);
  child.once('exit', () => running.delete(child));
};
