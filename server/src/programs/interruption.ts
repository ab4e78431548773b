// Cleans up after an interruption. The first signal aborts an AbortSignal, and the program cleans up; a later signal ends the program at
// once. In both cases the processes that the program started are ended.

import type { ChildProcess } from 'node:child_process';
import { inspect } from 'node:util';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm sends a signal again that the terminal has already sent to all processes. Within this time it is the same Ctrl-C. */
const SAME_MS = 1_000;
export const INTERRUPTED = 130;

/** The result is aborted by the first signal. `onAgain` is called for a second one. */
export const watchInterruption = (onAgain: () => void = () => process.exit(INTERRUPTED)): AbortSignal => {
  const interruption = new AbortController();
  let firstAt = 0;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (!interruption.signal.aborted) {
        firstAt = performance.now();
        interruption.abort(new Error(`Interrupted by ${signal}.`));
      } else if (performance.now() - firstAt > SAME_MS) onAgain();
    });
  }
  return interruption.signal;
};

/** Resolves with the work, or rejects at the interruption. After an interruption the result of the work is ignored. */
export const orInterrupted = async <Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> => {
  if (!signal) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const interrupt = (): void => {
    reject(signal.reason);
    // Work that fails because its servers are stopped must not prevent the rest of the cleanup.
    for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => {});
  };
  signal.addEventListener('abort', interrupt);
  if (signal.aborted) interrupt();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
};

/** Call it after the cleanup. An error without an interruption is thrown again. */
export const endInterrupted = (signal: AbortSignal, error: unknown): never => {
  if (!signal.aborted) throw error;
  const text = error === signal.reason ? (signal.reason as Error).message : inspect(error);
  process.stderr.write(`${text}\n`);
  process.exit(INTERRUPTED);
};

/** Runs the work and then its cleanup, also after an error or an interruption. */
export const runWithCleanUp = async (work: (cleanUp: AsyncDisposableStack) => Promise<void>): Promise<void> => {
  const signal = watchInterruption();
  try {
    await using cleanUp = new AsyncDisposableStack();
    await orInterrupted(work(cleanUp), signal);
  } catch (error) {
    endInterrupted(signal, error);
  }
};

/** Adds a part to the cleanup, also one that is still starting. */
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
const endChildren = (): void => {
  for (const child of running) child.kill('SIGTERM');
};

/** Kills the processes of endWithProcess without giving them time to stop in order. */
export const killChildren = (): void => {
  for (const child of running) child.kill('SIGKILL');
};

/** Ends a child outside our process group together with this process, because Ctrl-C in the terminal does not reach it. */
export const endWithProcess = (child: ChildProcess): void => {
  if (!process.listeners('exit').includes(endChildren)) {
    process.on('exit', endChildren);
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        // Without another listener the signal would have ended the program.
        if (process.listenerCount(signal) === 1) process.exit(INTERRUPTED);
      });
    }
  }
  running.add(child);
  child.once('exit', () => running.delete(child));
};
