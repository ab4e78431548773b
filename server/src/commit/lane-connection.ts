// The one connection of a lane. It is opened when it is first needed and again after it was lost.

import type pg from 'pg';
import { type BackOff, backOffMs, pause } from '../base/wait.ts';
import { isDistributed, PLAN_FOR_VALUES } from '../postgres/distributed.ts';
import { breakOff } from '../postgres/guarded-pool.ts';

/** The database was waited for as long as callers are made to wait. The cause is the last error. */
export class DatabaseUnreachable extends Error {}

export type LaneConnection = {
  /** Null while there is none. */
  current(): pg.Client | null;
  get(): Promise<pg.Client>;
  /** Whether a group may be about one marketplace only. True also before the first connection, when it is unknown. */
  isDistributed(): boolean;
  drop(): Promise<void>;
  /** Statements that are under way fail, and their outcome is open. */
  breakOff(): void;
};

type Options = {
  connect(): Promise<pg.Client>;
  readonly patienceMs: number;
  /** True once the database has ended for good. The lane does not wait for it then. */
  hasEnded?(): boolean;
  /** Only tests set it. Otherwise the database is asked. */
  readonly isDistributed?: boolean;
  onTrouble(message: string, error: unknown): void;
};

const IS_REPLICA = `select current_setting('transaction_read_only')::boolean as "isReplica"`;

/** A load balancer may lead to a replica while the primary changes. The next attempt may reach the primary. */
const refuseReplica = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ isReplica: boolean }>(IS_REPLICA);
  if (rows[0]!.isReplica) throw new Error('the database is a replica and accepts no writes');
};

const BACK_OFF: BackOff = { firstMs: 20, maxMs: 1_000 };

export const createLaneConnection = (options: Options): LaneConnection => {
  const { patienceMs, onTrouble } = options;
  let client: pg.Client | null = null;
  let distributed = options.isDistributed ?? true;
  const connect = async (): Promise<pg.Client> => {
    const connected = await options.connect();
    try {
      await refuseReplica(connected);
      distributed = options.isDistributed ?? (await isDistributed(connected));
      if (distributed) await connected.query(PLAN_FOR_VALUES);
      return connected;
    } catch (error) {
      await connected.end().catch(() => {});
      throw error;
    }
  };
  return {
    current: () => client,
    isDistributed: () => distributed,
    async get() {
      const deadline = performance.now() + patienceMs;
      for (let failures = 1; !client; failures++) {
        try {
          client = await connect();
        } catch (cause) {
          const waitMs = backOffMs(BACK_OFF, failures);
          if (options.hasEnded?.() || performance.now() + waitMs > deadline)
            throw new DatabaseUnreachable('the database is unreachable', { cause });
          onTrouble('the database is unreachable; retrying', cause);
          await pause(waitMs);
        }
      }
      return client;
    },
    breakOff() {
      if (client) breakOff(client);
    },
    async drop() {
      const dead = client;
      client = null;
      await dead?.end().catch(() => {});
    },
  };
};
