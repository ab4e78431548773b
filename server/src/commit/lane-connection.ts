// The one connection of a lane. It is opened when it is first needed and again after it was lost.

import type pg from 'pg';
import { type BackOff, backOffMs, pause } from '../base/wait.ts';

/** The database was waited for as long as callers are made to wait. The cause is the last error. */
export class DatabaseUnreachable extends Error {}

export type LaneConnection = {
  /** Null while there is none. */
  current(): pg.Client | null;
  get(): Promise<pg.Client>;
  drop(): Promise<void>;
};

type Options = {
  connect(): Promise<pg.Client>;
  readonly patienceMs: number;
  onTrouble(message: string, error: unknown): void;
};

const BACK_OFF: BackOff = { firstMs: 20, maxMs: 1_000 };

export const createLaneConnection = ({ connect, patienceMs, onTrouble }: Options): LaneConnection => {
  let client: pg.Client | null = null;
  return {
    current: () => client,
    async get() {
      const deadline = performance.now() + patienceMs;
      for (let failures = 1; !client; failures++) {
        try {
          client = await connect();
        } catch (cause) {
          const waitMs = backOffMs(BACK_OFF, failures);
          if (performance.now() + waitMs > deadline)
            throw new DatabaseUnreachable('the database is unreachable', { cause });
          onTrouble('the database is unreachable; retrying', cause);
          await pause(waitMs);
        }
      }
      return client;
    },
    async drop() {
      const dead = client;
      client = null;
      await dead?.end().catch(() => {});
    },
  };
};
