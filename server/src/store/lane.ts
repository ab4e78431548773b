// One lane: a queue, one connection, one group at a time. Whatever arrives while a group is in flight becomes the next
// group; there is no timer. A failed group is tried again, then halved, so that one bad command cannot fail the others.

import type pg from 'pg';
import { Fault } from '../domain/fault.ts';
import type { Clock } from '../domain/instant.ts';
import {
  type AnySubmission,
  type Decision,
  type GroupResult,
  isConnectionLoss,
  LostCommit,
  runGroup,
} from './group.ts';

/** Who counts what the committer does; the metrics implement it. */
export type CommitWatch = {
  committed(group: { size: number; durationMs: number; events: number }): void;
  refused(code: string): void;
  retried(reason: 'serialization' | 'deadlock' | 'connection' | 'split'): void;
};

export const UNWATCHED: CommitWatch = { committed() {}, refused() {}, retried() {} };

export type LaneOptions = {
  connect(): Promise<pg.Client>;
  clock: Clock;
  groupMax: number;
  /** How long an unreachable database is waited for before the waiting callers are told. */
  patienceMs: number;
  watch?: CommitWatch;
  onEvents(marketplaceIds: string[]): void;
  onTrouble(message: string, error: unknown): void;
};

export type Queued = { submission: AnySubmission; settle(decision: Decision): void };

const ATTEMPTS = 5;
const RETRYABLE: Readonly<Record<string, 'serialization' | 'deadlock'>> = {
  '40001': 'serialization',
  '40P01': 'deadlock',
  // A row changed behind our back: what was read is old, and reading again is the cure.
  HF001: 'serialization',
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const createLane = (options: LaneOptions) => {
  const { watch = UNWATCHED } = options;
  const queue: Queued[] = [];
  let client: pg.Client | null = null;
  let running: Promise<void> | null = null;

  const connection = async (): Promise<pg.Client> => {
    const deadline = Date.now() + options.patienceMs;
    for (let wait = 20; !client; wait = Math.min(wait * 2, 1_000)) {
      try {
        client = await options.connect();
      } catch (error) {
        if (Date.now() + wait > deadline) throw error;
        options.onTrouble('the database cannot be reached; trying again', error);
        await pause(wait);
      }
    }
    return client;
  };

  const drop = async (): Promise<void> => {
    const dead = client;
    client = null;
    await dead?.end().catch(() => {});
  };

  /** Waits until the lost transaction has ended (its locks are gone) and asks how. */
  const wasCommitted = async (lost: LostCommit, items: readonly Queued[]): Promise<boolean> => {
    const db = await connection();
    const marketplaceIds = [...new Set(items.map((item) => item.submission.context.marketplaceId))];
    await db.query('select 1 from marketplaces where marketplace_id = any($1) for no key update', [marketplaceIds]);
    const { rows } = await db.query('select pg_xact_status($1::text::xid8) as status', [lost.xid]);
    return rows[0]?.status === 'committed';
  };

  const attempt = async (items: readonly Queued[]): Promise<GroupResult> => {
    const db = await connection();
    try {
      return await runGroup(
        db,
        items.map((item) => item.submission),
        { clock: options.clock },
      );
    } catch (error) {
      if (error instanceof LostCommit || isConnectionLoss(error)) await drop();
      if (error instanceof LostCommit && (await wasCommitted(error, items))) return error.result;
      throw error;
    }
  };

  const finish = (items: readonly Queued[], result: GroupResult): void => {
    if (result.marketplacesWithEvents.length > 0) options.onEvents(result.marketplacesWithEvents);
    for (const [i, item] of items.entries()) {
      const decision = result.decisions[i]!;
      if (decision.kind === 'refused') watch.refused(decision.fault.code);
      item.settle(decision);
    }
  };

  const runItems = async (items: readonly Queued[]): Promise<void> => {
    const started = performance.now();
    let failure: unknown;
    for (let retries = 0; retries < ATTEMPTS; retries++) {
      try {
        const result = await attempt(items);
        const { events } = result;
        watch.committed({ size: items.length, durationMs: performance.now() - started, events });
        finish(items, result);
        return;
      } catch (error) {
        failure = error;
        const reason =
          RETRYABLE[(error as { code?: string }).code ?? ''] ?? (isConnectionLoss(error) ? 'connection' : null);
        if (reason === null) break;
        watch.retried(reason);
        options.onTrouble('a group failed and is tried again', error);
        await pause(2 ** retries + Math.random() * 2 ** retries);
      }
    }
    if (isConnectionLoss(failure) || items.length === 1) {
      options.onTrouble('a group failed for good', failure);
      const decision: Decision = isConnectionLoss(failure)
        ? { kind: 'refused', fault: new Fault('SERVICE_UNAVAILABLE', { details: { retryAfter: 1 } }) }
        : { kind: 'broken', error: failure };
      for (const item of items) item.settle(decision);
      return;
    }
    watch.retried('split');
    const half = Math.ceil(items.length / 2);
    await runItems(items.slice(0, half));
    await runItems(items.slice(half));
  };

  const drain = async (): Promise<void> => {
    while (queue.length > 0) await runItems(queue.splice(0, options.groupMax));
    running = null;
  };

  return {
    push(item: Queued): void {
      queue.push(item);
      running ??= drain();
    },
    get length(): number {
      return queue.length;
    },
    async close(): Promise<void> {
      await running;
      await drop();
    },
  };
};
