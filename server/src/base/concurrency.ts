// Limits how many pieces of work run at once: a gate for requests, one for each key, and a few items of a list at a time.

import { DomainError } from './domain-error.ts';

/** Work that still waits when `left` is aborted gives its place up. */
export type Gate = <Result>(work: () => Promise<Result>, left?: AbortSignal) => Promise<Result>;

type GateOptions = {
  readonly atOnce: number;
  readonly waitingMax?: number;
  /** The refusal of more work than may wait. */
  refusal?(): DomainError;
};

const RETRY_AFTER_S = 1;

const busy = (): DomainError => new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: RETRY_AFTER_S } });

/**
 * First come first served. Without a gate, a flood of one kind of request (logins, reconnects) would take memory, processors and
 * database connections from all others. Without `waitingMax` any number may wait.
 */
export const createGate = ({ atOnce, waitingMax, refusal = busy }: GateOptions): Gate => {
  const waiting = new Set<() => void>();
  let running = 0;

  const enter = async (left: AbortSignal | undefined): Promise<void> => {
    if (left?.aborted) throw busy();
    if (running < atOnce) {
      running++;
      return;
    }
    if (waitingMax !== undefined && waiting.size >= waitingMax) throw refusal();
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        waiting.delete(begin);
        reject(busy());
      };
      const begin = (): void => {
        left?.removeEventListener('abort', giveUp);
        resolve();
      };
      waiting.add(begin);
      left?.addEventListener('abort', giveUp, { once: true });
    });
  };

  // The place passes directly to the next in line, so that a new caller cannot take it.
  const leave = (): void => {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else running--;
  };

  return async (work, left) => {
    await enter(left);
    try {
      return await work();
    } finally {
      leave();
    }
  };
};

type Entry = { readonly key: string; readonly left?: AbortSignal | undefined };

export type Gates = <Result>(entry: Entry, work: () => Promise<Result>) => Promise<Result>;

/** A gate for each key, so that the work of one key never waits for the work of another. A gate without work is forgotten. */
export const createGates = (options: GateOptions): Gates => {
  const gates = new Map<string, { readonly gate: Gate; inside: number }>();
  return async ({ key, left }, work) => {
    const own = gates.get(key) ?? { gate: createGate(options), inside: 0 };
    gates.set(key, own);
    own.inside++;
    try {
      return await own.gate(work, left);
    } finally {
      own.inside--;
      if (own.inside === 0) gates.delete(key);
    }
  };
};

type FewAtOnce<T> = {
  readonly atOnce: number;
  work(item: T): Promise<unknown>;
  /** Called after each item. When it returns true, no further item is started. */
  isOver?(): boolean;
};

/** Works through a list with a few items in progress at a time, so that the load on outside systems stays low. */
export const fewAtOnce = async <T>(
  items: readonly T[],
  { atOnce, work, isOver = () => false }: FewAtOnce<T>,
): Promise<void> => {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      await work(item);
      if (isOver()) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

type PollEach<T> = {
  readonly atOnce: number;
  /** After so many items in a row without an answer the outside system is unreachable, and polling the rest would only wait. */
  readonly silentMax: number;
  /** Must not reject. */
  poll(item: T): Promise<'answered' | 'silent'>;
  isClosed?(): boolean;
};

/** Polls each item, and stops early when the outside system does not answer. */
export const pollEach = async <T>(
  items: readonly T[],
  { atOnce, silentMax, poll, isClosed = () => false }: PollEach<T>,
): Promise<void> => {
  let silent = 0;
  await fewAtOnce(items, {
    atOnce,
    async work(item) {
      silent = (await poll(item)) === 'silent' ? silent + 1 : 0;
    },
    isOver: () => isClosed() || silent >= silentMax,
  });
};
