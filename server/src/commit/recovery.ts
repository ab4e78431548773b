// The slow path of a lane: carries out a group with the database, from the lock to the commit, while nothing else is in flight. It is
// for first groups, groups with missing rows, and failed groups. A failed group is retried, then split in halves, so that one bad
// command cannot fail the others. When the answer to a commit is lost, `attempt` throws LostCommit, the next attempt passes the group as
// `lost` to `decideWithDatabase`, which asks the database whether it was committed (`wasCommitted` in group.ts) before it decides again.

import type pg from 'pg';
import { DomainError } from '../base/domain-error.ts';
import { pause } from '../base/wait.ts';
import {
  isConnectionLoss,
  isNodeLoss,
  isUnavailable,
  needsNewConnection,
  retryReason,
} from '../postgres/database-errors.ts';
import type { LostNodes } from '../postgres/lost-nodes.ts';
import { commitGroup, type Decision, decideWithDatabase, type Group } from './group.ts';
import type { CommitWatch, Queued } from './lane.ts';
import { DatabaseUnreachable, type LaneConnection } from './lane-connection.ts';
import { removeCommands } from './next-commands.ts';
import { clearCaches, type LaneState } from './row-cache.ts';

export type RecoveryOptions = {
  readonly state: LaneState;
  readonly connection: LaneConnection;
  readonly watch: CommitWatch;
  /** The commands that wait behind this group. */
  readonly queue: Queued[];
  finish(queued: readonly Queued[], committed: { group: Group; startedAt: number }): void;
  onTrouble(message: string, error: unknown): void;
  readonly lostNodes: LostNodes | undefined;
};

const ATTEMPTS = 5;
/** A machine that was started again is found with the second attempt: the first one used an old connection to it. */
const ATTEMPTS_WITHOUT_NODE = 2;

/** The commit was sent and no answer came. Only the database knows whether the group was committed. */
class LostCommit extends Error {
  readonly group: Group;
  constructor(group: Group, cause: unknown) {
    super('the answer to a commit was lost', { cause });
    this.group = group;
  }
}

/** When the outcome is unknown, only the same Idempotency-Key makes a repeat safe. */
const unavailable = (isUnknown: boolean): DomainError =>
  isUnknown
    ? new DomainError('SERVICE_UNAVAILABLE', {
        message:
          'The database did not answer, so it is unknown whether this happened. Repeat it with the same Idempotency-Key, or read the record first.',
        details: { retryAfter: 1, outcome: 'unknown' },
      })
    : new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 1 } });

type GiveUp = {
  readonly queued: readonly Queued[];
  readonly failure: unknown;
  readonly unavailable: boolean;
  readonly unknown?: boolean;
};

/** Commands whose machine does not answer would make the others wait. Nothing of them was done. */
export const refuseOfLostNodes = async (queue: Queued[], nodes: LostNodes): Promise<void> => {
  const of = ({ submission }: Queued): string => submission.context.marketplaceId;
  const lost = await nodes.among([...new Set(queue.map(of))]);
  const refused = queue.filter((item) => lost.has(of(item)));
  removeCommands(queue, refused);
  for (const item of refused) item.settle({ kind: 'refused', error: unavailable(false) });
};

/** Answers every command of the group with the failure. */
export const giveUp = ({ onTrouble }: Pick<RecoveryOptions, 'onTrouble'>, { queued, ...why }: GiveUp): void => {
  if (queued.length === 0) return;
  onTrouble('a group failed for good', why.failure);
  const decision: Decision = why.unavailable
    ? { kind: 'refused', error: unavailable(why.unknown ?? false) }
    : { kind: 'broken', error: why.failure };
  for (const item of queued) item.settle(decision);
};

const rollback = (client: pg.Client): Promise<unknown> => client.query('rollback').catch(() => {});

/**
 * A lost transaction may reach the database after this attempt. A group that changes something gives the head a new hash, on which the
 * lost transaction fails. A group that changes nothing leaves the hash as it was, so the lost one could still succeed.
 */
const couldStillCommit = (lost: readonly Group[], decidedAgain: Group): boolean =>
  decidedAgain.batch.audits.length === 0 && lost.some(({ batch }) => batch.audits.length > 0);

export type Attempt = {
  readonly queued: readonly Queued[];
  /** Earlier commits of the same commands that got no answer. The oldest may still succeed after a later one was lost too. */
  readonly lost: readonly Group[];
};

const attempt = async ({ state, connection }: RecoveryOptions, { queued, lost }: Attempt): Promise<Group> => {
  const client = await connection.get();
  const session = { client, state, isDistributed: connection.isDistributed() };
  let group: Group | null = null;
  try {
    const items = queued.map(({ submission }) => submission);
    const decided = await decideWithDatabase(session, { items, lost });
    if (lost.includes(decided)) return decided;
    if (couldStillCommit(lost, decided)) {
      // Without the locks the lost transaction can end. This error counts as a lost connection, so the group is attempted again.
      await rollback(client);
      throw new Error('the outcome of a lost group is still open');
    }
    group = decided;
    await commitGroup(session, { group, begin: false });
    return group;
  } catch (error) {
    clearCaches(state);
    if (group && isConnectionLoss(error)) throw new LostCommit(group, error);
    if (!isConnectionLoss(error)) await rollback(client);
    throw error;
  }
};

const isOfLostNode = async ({ lostNodes }: RecoveryOptions, queued: readonly Queued[]): Promise<boolean> =>
  lostNodes?.isAny() === true && (await lostNodes.among([queued[0]!.submission.context.marketplaceId])).size > 0;

type Failed = { readonly failure: unknown; readonly isUnknown: boolean; readonly isUnreachable: boolean };

/** Retries until the group is committed. Resolves to the failure when no further attempt can help. */
const attemptRepeatedly = async (options: RecoveryOptions, first: Attempt): Promise<Failed | null> => {
  const { connection, watch, queue, onTrouble } = options;
  const startedAt = performance.now();
  const { queued } = first;
  const lost = [...first.lost];
  let failure: unknown;
  let isUnreachable = false;
  for (let retries = 0; retries < ATTEMPTS; retries++) {
    if (await isOfLostNode(options, queued)) {
      failure ??= new Error('the machine of the marketplace does not answer');
      break;
    }
    try {
      const group = await attempt(options, { queued, lost });
      options.finish(queued, { group, startedAt });
      return null;
    } catch (error) {
      isUnreachable = error instanceof DatabaseUnreachable;
      failure = error instanceof LostCommit || error instanceof DatabaseUnreachable ? error.cause : error;
      if (error instanceof LostCommit) lost.push(error.group);
      if (needsNewConnection(failure)) await connection.drop();
      // The commands behind this group have waited as long, and would wait in vain.
      if (isUnreachable) giveUp(options, { queued: queue.splice(0), failure, unavailable: true });
      if (isNodeLoss(failure) && retries + 1 >= ATTEMPTS_WITHOUT_NODE) {
        await options.lostNodes?.report(queued[0]!.submission.context.marketplaceId);
        break;
      }
      const reason = retryReason(failure) ?? (lost.length > 0 ? 'connection' : null);
      if (reason === null || isUnreachable) break;
      watch.retried(reason);
      onTrouble('a group failed and is retried', failure);
      await pause(2 ** retries + Math.random() * 2 ** retries);
    }
  }
  return { failure, isUnknown: lost.length > 0, isUnreachable };
};

/** Carries one group out. Resolves to true when the database could not be reached. */
const runOne = async (options: RecoveryOptions, { queued, lost }: Attempt): Promise<boolean> => {
  const failed = await attemptRepeatedly(options, { queued, lost });
  if (!failed) return false;
  const { failure, isUnknown, isUnreachable } = failed;
  const cannotSplit = queued.length === 1 || isUnknown || isUnavailable(failure);
  if (cannotSplit) {
    const isAway = isUnknown || isUnavailable(failure);
    giveUp(options, { queued, failure, unavailable: isAway, unknown: isUnknown });
    return isUnreachable;
  }
  options.watch.retried('split');
  const half = Math.ceil(queued.length / 2);
  const halves = [queued.slice(0, half), queued.slice(half)];
  return runWithDatabase(
    options,
    halves.map((commands) => ({ queued: commands, lost: [] })),
  );
};

/**
 * Carries groups out one after the other, while nothing else is in flight. Nothing is decided again before the outcome of `lost` is known.
 * When the database cannot be reached for one group, the groups behind it are answered at once: their callers have waited as long.
 */
export const runWithDatabase = async (options: RecoveryOptions, groups: readonly Attempt[]): Promise<boolean> => {
  let isUnreachable = false;
  for (const { queued, lost } of groups) {
    if (isUnreachable) {
      const failure = new Error('the database is unreachable');
      giveUp(options, { queued, failure, unavailable: true, unknown: lost.length > 0 });
    } else isUnreachable = await runOne(options, { queued, lost });
  }
  return isUnreachable;
};
