// One lane: a queue, one connection, a cache. All commands that arrive while a group is in flight become the next group; there is no
// timer. `pipeline.ts` is the fast path, `recovery.ts` everything that needs a query or has failed.

import type pg from 'pg';
import type { Clock } from '../base/instant.ts';
import type { LostNodes } from '../postgres/lost-nodes.ts';
import { limitCaches } from './cache-limit.ts';
import type { AnySubmission, Decision, Group, RowSource } from './group.ts';
import { createLaneConnection, type LaneConnection } from './lane-connection.ts';
import { nextCommands, removeCommands } from './next-commands.ts';
import { createPipeline } from './pipeline.ts';
import { type Attempt, giveUp, type RecoveryOptions, refuseOfLostNodes, runWithDatabase } from './recovery.ts';
import { clearCaches, newLaneState } from './row-cache.ts';
import type { TableRegistry } from './tables.ts';

/** Counts what the committer does; the metrics implement it. */
export type CommitWatch = {
  committed(group: { size: number; durationMs: number; events: number; rows: RowSource }): void;
  refused(code: string): void;
  retried(reason: 'serialization' | 'deadlock' | 'connection' | 'split'): void;
};

const UNWATCHED: CommitWatch = { committed() {}, refused() {}, retried() {} };

export type LaneOptions = {
  readonly tables: TableRegistry;
  connect(): Promise<pg.Client>;
  readonly clock: Clock;
  /** The clock of deadlines, where it is another one. */
  readonly deadlineClock?: Clock | null;
  readonly groupMax: number;
  /** How long an unreachable database is waited for before the waiting callers are refused. */
  readonly patienceMs: number;
  /** The database is a process of this server and has ended, so it does not come back. */
  hasEnded?(): boolean;
  /** Only tests set it. */
  readonly cacheEntriesMax?: number;
  /** Only tests set it: otherwise the database is asked. */
  readonly isDistributed?: boolean;
  readonly watch?: CommitWatch;
  /** Left out by tests and tools that have one machine. */
  readonly lostNodes?: LostNodes;
  onEvents(marketplaceIds: string[]): void;
  onTrouble(message: string, error: unknown): void;
};

export type Queued = { readonly submission: AnySubmission; settle(decision: Decision): void };

/** Lets everything that is ready to be submitted be submitted first. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Committed = { readonly group: Group; readonly startedAt: number };

const reportTo = (
  { watch = UNWATCHED, onEvents }: LaneOptions,
  { group: { decisions, batch, rows }, startedAt }: Committed,
): void => {
  const durationMs = performance.now() - startedAt;
  watch.committed({ size: decisions.length, durationMs, events: batch.events.length, rows });
  for (const decision of decisions) if (decision.kind === 'refused') watch.refused(decision.error.code);
  if (batch.events.length > 0) onEvents([...new Set(batch.events.map((event) => event.marketplaceId))]);
};

type Leaving = { readonly lostNodes: LostNodes; readonly connection: LaneConnection };

/** A group that waits for a silent machine would hold up the commands of all other marketplaces of its lane. */
const leaveLost = async (sent: readonly Queued[], { lostNodes, connection }: Leaving): Promise<void> => {
  const ids = sent.map(({ submission }) => submission.context.marketplaceId);
  if (ids.length > 0 && (await lostNodes.among(ids)).size > 0) connection.breakOff();
};

export const createLane = (options: LaneOptions) => {
  const { watch = UNWATCHED, onTrouble, groupMax, lostNodes } = options;
  const queue: Queued[] = [];
  const state = newLaneState(options);
  const connection = createLaneConnection(options);
  let running: Promise<void> | null = null;

  /** The group is durable: answers its commands. */
  const finish = (queued: readonly Queued[], committed: Committed): void => {
    try {
      reportTo(options, committed);
    } catch (error) {
      // The group is committed, whatever a listener does.
      onTrouble('a listener of the committer failed', error);
    }
    const { decisions } = committed.group;
    for (let i = 0; i < queued.length; i++) queued[i]!.settle(decisions[i]!);
  };

  const recovery: RecoveryOptions = { state, connection, watch, queue, finish, onTrouble, lostNodes };
  let recovering: readonly Queued[] = [];
  const recover = async (groups: readonly Attempt[]): Promise<void> => {
    recovering = groups.flatMap(({ queued }) => queued);
    await runWithDatabase(recovery, groups).finally(() => {
      recovering = [];
    });
  };
  const pipeline = createPipeline({ state, connection, watch, queue, groupMax, finish, recover, onTrouble });

  lostNodes?.onLost(() => void leaveLost([...pipeline.sent(), ...recovering], { lostNodes, connection }));

  const work = async (): Promise<void> => {
    await nextTurn();
    while (queue.length > 0 || !pipeline.isEmpty()) {
      if (lostNodes?.isAny()) await refuseOfLostNodes(queue, lostNodes);
      if (queue.length > 0 && !pipeline.isFull() && pipeline.send()) continue;
      if (!pipeline.isEmpty()) await pipeline.settleOldest();
      else if (queue.length > 0) {
        const next = nextCommands(queue, { size: groupMax, ofOneMarketplace: connection.isDistributed() });
        removeCommands(queue, next);
        await recover([{ queued: next, lost: [] }]);
      }
      limitCaches(state, options.cacheEntriesMax);
      await nextTurn();
    }
  };

  /** A mistake in the lane itself must not leave callers waiting for ever. */
  const run = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      clearCaches(state);
      giveUp(recovery, {
        queued: [...pipeline.abandon(), ...queue.splice(0)],
        failure: error,
        unavailable: false,
      });
      await connection.drop();
    } finally {
      running = null;
      if (queue.length > 0) running = run();
    }
  };

  return {
    push(item: Queued): void {
      queue.push(item);
      running ??= run();
    },
    async close(): Promise<void> {
      await running;
      await connection.drop();
    },
  };
};
