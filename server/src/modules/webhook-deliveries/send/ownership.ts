// Which marketplaces this process sends for. They are divided into parts, and a part is held by a lock on a connection of its own: when the
// process or the connection ends, another process takes the part over. Processes that run at the same time hold about as many each.

import type pg from 'pg';
import { type BackOff, backOffMs, pause } from '../../../base/wait.ts';
import { type Locks, openLocks, PARTS, partOf } from './locks.ts';

type Options = {
  connect(): Promise<pg.Client>;
  onTaken(): void;
  /** Resolves when nothing is sent for the part any more. */
  onLost(part: number): Promise<void>;
  onTrouble(message: string, error: unknown): void;
  readonly everyMs: number;
  readonly silentMaxMs?: number;
};

/** The database ends a session that is silent for this long, as that of a process that was stopped. Another process then takes the parts over. */
const SILENT_MAX_MS = 30_000;

const BACK_OFF: BackOff = { firstMs: 250, maxMs: 5_000 };

/** A pause that can be ended early. */
const createPause = () => {
  let end: () => void = () => {};
  return {
    end: (): void => end(),
    wait: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
};

export type Ownership = ReturnType<typeof createOwnership>;

export const createOwnership = (options: Options) => {
  const { connect, onTaken, onLost, onTrouble, everyMs, silentMaxMs = SILENT_MAX_MS } = options;
  const owned = new Set<number>();
  const turn = createPause();
  let isClosed = false;

  const balance = async (locks: Locks): Promise<void> => {
    const share = await locks.share();
    for (const part of [...owned].slice(share)) {
      owned.delete(part);
      await onLost(part);
      await locks.give(part);
    }
    for (let part = 0; part < PARTS && owned.size < share; part++) {
      if (owned.has(part) || !(await locks.take(part))) continue;
      owned.add(part);
      onTaken();
    }
  };

  /** Until the connection ends: then the locks are gone, too. */
  const hold = async (client: pg.Client): Promise<void> => {
    let isOpen = true;
    client.on('end', () => {
      isOpen = false;
      turn.end();
    });
    const locks = await openLocks(client, { silentMaxMs });
    while (isOpen && !isClosed) {
      await balance(locks);
      if (isOpen && !isClosed) await turn.wait(everyMs);
    }
  };

  const holdOnce = async (): Promise<void> => {
    const client = await connect();
    try {
      await hold(client);
    } finally {
      const parts = [...owned];
      owned.clear();
      await Promise.all(parts.map(onLost));
      await client.end().catch(() => {});
    }
  };

  const run = async (): Promise<void> => {
    for (let failures = 1; !isClosed; failures++) {
      await holdOnce().catch((error) =>
        onTrouble('the locks of the webhook sender are lost and are taken again', error),
      );
      if (!isClosed) await pause(backOffMs(BACK_OFF, failures));
    }
  };
  const running = run();

  return {
    owns: (marketplaceId: string): boolean => owned.has(partOf(marketplaceId)),
    async close(): Promise<void> {
      isClosed = true;
      turn.end();
      await running;
    },
  };
};
