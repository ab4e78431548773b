// The fast path of a lane: a group whose rows are all cached is decided at once and sent in one round trip. Up to two groups are in
// flight: while PostgreSQL writes one, the next one is decided on what the first one leaves.

import { isConnectionLoss, needsNewConnection, retryReason } from '../postgres/database-errors.ts';
import { commitGroup, decideFromCache, type Group } from './group.ts';
import type { CommitWatch, Queued } from './lane.ts';
import type { LaneConnection } from './lane-connection.ts';
import { nextCommands, removeCommands } from './next-commands.ts';
import type { Attempt } from './recovery.ts';
import { clearCaches, type LaneState } from './row-cache.ts';

type InFlightGroup = {
  readonly queued: readonly Queued[];
  readonly group: Group;
  readonly startedAt: number;
  readonly committed: Promise<void>;
};

type PipelineOptions = {
  readonly state: LaneState;
  readonly connection: LaneConnection;
  readonly watch: CommitWatch;
  readonly queue: Queued[];
  readonly groupMax: number;
  finish(queued: readonly Queued[], committed: { group: Group; startedAt: number }): void;
  /** Carries out again what failed in flight. `lost`: the group when its commit got no answer. */
  recover(groups: readonly Attempt[]): Promise<void>;
  onTrouble(message: string, error: unknown): void;
};

const IN_FLIGHT_MAX = 2;

export const createPipeline = (options: PipelineOptions) => {
  const { state, connection, watch, queue, groupMax, finish, onTrouble } = options;
  const inFlight: InFlightGroup[] = [];

  /** Waits for every group in flight: the group behind a failed one fails too, unless it concerns another marketplace. */
  const drainAfterFailure = async (): Promise<void> => {
    const failed: { group: InFlightGroup; error: unknown }[] = [];
    for (const group of inFlight.splice(0)) {
      try {
        await group.committed;
        finish(group.queued, group);
      } catch (error) {
        failed.push({ group, error });
        watch.retried(retryReason(error) ?? 'serialization');
      }
    }
    clearCaches(state);
    const again: Attempt[] = [];
    for (const { group, error } of failed) {
      onTrouble('a group that was decided from the cache failed and goes to recovery', error);
      // The answer to the commit is lost: the group may be committed or not. recovery.ts asks the database before it decides again.
      again.push({ queued: group.queued, lost: isConnectionLoss(error) ? [group.group] : [] });
      if (needsNewConnection(error)) await connection.drop();
    }
    await options.recover(again);
  };

  return {
    isEmpty: (): boolean => inFlight.length === 0,
    isFull: (): boolean => inFlight.length >= IN_FLIGHT_MAX,
    /** The commands that are under way. */
    sent: (): Queued[] => inFlight.flatMap(({ queued }) => queued),

    /** Decides a group from the cache and sends it. False: the first command in the queue needs a query. */
    send(): boolean {
      const client = connection.current();
      if (!client) return false;
      const outstanding = queue.length + inFlight.reduce((sum, { queued }) => sum + queued.length, 0);
      // Half of all commands, so that there is something to decide while the other half is written.
      const size = Math.min(groupMax, Math.ceil(outstanding / IN_FLIGHT_MAX), queue.length);
      const startedAt = performance.now();
      const isDistributed = connection.isDistributed();
      const next = nextCommands(queue, { size, ofOneMarketplace: isDistributed });
      const items = next.map(({ submission }) => submission);
      const group = decideFromCache(state, items);
      if (group.items.length === 0) return false;
      const queued = next.slice(0, group.items.length);
      removeCommands(queue, queued);
      const committed = commitGroup({ client, state, isDistributed }, { group, begin: true });
      committed.catch(() => {});
      inFlight.push({ queued, group, startedAt, committed });
      return true;
    },

    /** Waits for the oldest group in flight, and recovers when it failed. */
    async settleOldest(): Promise<void> {
      try {
        await inFlight[0]!.committed;
      } catch {
        await drainAfterFailure();
        return;
      }
      const group = inFlight.shift()!;
      finish(group.queued, group);
    },

    /** Empties the pipeline after a mistake in the lane itself, and names the commands that were in it. */
    abandon: (): Queued[] => inFlight.splice(0).flatMap(({ queued }) => queued),
  };
};
