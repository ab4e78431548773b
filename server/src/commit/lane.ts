// One lane: a queue, one connection, and up to two groups on their way: while PostgreSQL writes one, the next is decided
// on what that one leaves. Whatever arrives meanwhile becomes the next group; there is no timer. A failed group is tried
// again, then halved, so that one bad command cannot fail the others.

import type pg from 'pg';
import { Fault } from '../base/domain-error.ts';
import type { Clock } from '../base/instant.ts';
import { isConnectionLoss, isUnavailable, retryReason } from '../postgres/database-errors.ts';
import {
  type AnySubmission,
  commit,
  type Decision,
  decideFromMemory,
  decideWithDatabase,
  type Group,
  type Mind,
} from './group.ts';
import { cellsIn } from './row-cache.ts';

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

type Flight = {
  readonly queued: readonly Queued[];
  readonly group: Group;
  readonly startedAt: number;
  readonly landed: Promise<void>;
};

const FLIGHTS_MAX = 2;
const ATTEMPTS = 5;
/** Rows and accounts remembered; a cell is about half a kilobyte. */
const CELLS_MAX = 50_000;
const ANSWERS_MAX = 5_000;

/** The commit was sent and no answer came: only the database knows. */
class LostCommit extends Error {
  readonly group: Group;
  constructor(group: Group, cause: unknown) {
    super('the answer to a commit was lost', { cause });
    this.group = group;
  }
}

/** The database was waited for as long as callers are. */
class Unreachable extends Error {}

/** Whether it happened may not be known: then only the same Idempotency-Key makes a repeat safe. */
const unavailable = (isUnknown: boolean): Fault =>
  isUnknown
    ? new Fault('SERVICE_UNAVAILABLE', {
        message:
          'The database did not answer, and it is not known whether this happened. Repeat it with the same Idempotency-Key, or look first.',
        details: { retryAfter: 1, outcome: 'unknown' },
      })
    : new Fault('SERVICE_UNAVAILABLE', { details: { retryAfter: 1 } });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets everything that is ready to be submitted be submitted first. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const submissions = (queued: readonly Queued[]): AnySubmission[] => queued.map(({ submission }) => submission);

export const createLane = (options: LaneOptions) => {
  const { watch = UNWATCHED } = options;
  const queue: Queued[] = [];
  const flights: Flight[] = [];
  const mind: Mind = { memory: new Map(), answers: new Map(), clock: options.clock };
  let client: pg.Client | null = null;
  let running: Promise<void> | null = null;

  const forget = (): void => {
    mind.memory.clear();
    mind.answers.clear();
  };

  const connection = async (): Promise<pg.Client> => {
    const deadline = performance.now() + options.patienceMs;
    for (let wait = 20; !client; wait = Math.min(wait * 2, 1_000)) {
      try {
        client = await options.connect();
      } catch (error) {
        if (performance.now() + wait > deadline)
          throw new Unreachable('the database cannot be reached', { cause: error });
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

  const tell = ({ decisions, batch }: Group, startedAt: number): void => {
    watch.committed({ size: decisions.length, durationMs: performance.now() - startedAt, events: batch.events.length });
    for (const decision of decisions) if (decision.kind === 'refused') watch.refused(decision.fault.code);
    if (batch.events.length > 0) options.onEvents([...new Set(batch.events.map((event) => event.marketplaceId))]);
  };

  const finish = (queued: readonly Queued[], { group, startedAt }: { group: Group; startedAt: number }): void => {
    try {
      tell(group, startedAt);
    } catch (error) {
      // It is committed, whatever becomes of the news.
      options.onTrouble('a listener failed', error);
    }
    for (const [i, item] of queued.entries()) item.settle(group.decisions[i]!);
  };

  /** One group from the lock to the commit, with nothing else on its way. */
  const attempt = async (queued: readonly Queued[], lost: Group | null): Promise<Group> => {
    const db = await connection();
    let group: Group | null = null;
    try {
      group = await decideWithDatabase(db, mind, { items: submissions(queued), lost });
      if (!group) return lost!;
      await commit(db, mind, { group, begin: false });
      return group;
    } catch (error) {
      forget();
      if (group && isConnectionLoss(error)) throw new LostCommit(group, error);
      if (!isConnectionLoss(error)) await db.query('rollback').catch(() => {});
      throw error;
    }
  };

  const giveUp = (
    queued: readonly Queued[],
    why: { failure: unknown; unavailable: boolean; unknown?: boolean },
  ): void => {
    if (queued.length === 0) return;
    options.onTrouble('a group failed for good', why.failure);
    const decision: Decision = why.unavailable
      ? { kind: 'refused', fault: unavailable(why.unknown ?? false) }
      : { kind: 'broken', error: why.failure };
    for (const item of queued) item.settle(decision);
  };

  /** `lost`: a commit of these very commands that got no answer. Nothing is decided anew before that is known. */
  const runAlone = async (queued: readonly Queued[], lost: Group | null = null): Promise<void> => {
    const startedAt = performance.now();
    let unanswered = lost;
    let failure: unknown;
    for (let retries = 0; retries < ATTEMPTS; retries++) {
      try {
        const group = await attempt(queued, unanswered);
        finish(queued, { group, startedAt });
        return;
      } catch (error) {
        failure = error instanceof LostCommit || error instanceof Unreachable ? error.cause : error;
        if (error instanceof LostCommit) unanswered = error.group;
        if (isConnectionLoss(failure)) await drop();
        const reason = retryReason(failure) ?? (unanswered ? 'connection' : null);
        // Those behind have waited as long, and would wait in vain.
        if (error instanceof Unreachable) giveUp(queue.splice(0), { failure, unavailable: true });
        if (reason === null || error instanceof Unreachable) break;
        watch.retried(reason);
        options.onTrouble('a group failed and is tried again', failure);
        await pause(2 ** retries + Math.random() * 2 ** retries);
      }
    }
    if (queued.length === 1 || unanswered || isUnavailable(failure)) {
      const unknown = unanswered !== null;
      giveUp(queued, { failure, unavailable: unknown || isUnavailable(failure), unknown });
      return;
    }
    watch.retried('split');
    const half = Math.ceil(queued.length / 2);
    await runAlone(queued.slice(0, half));
    await runAlone(queued.slice(half));
  };

  /** Decides from memory and sends; false when the first in the queue needs the database first. */
  const launch = (): boolean => {
    if (!client) return false;
    const outstanding = queue.length + flights.reduce((sum, { queued }) => sum + queued.length, 0);
    // Half of what is there, so that there is something to decide while the other half is written.
    const size = Math.min(options.groupMax, Math.ceil(outstanding / FLIGHTS_MAX), queue.length);
    const startedAt = performance.now();
    const group = decideFromMemory(mind, submissions(queue.slice(0, size)));
    if (group.items.length === 0) return false;
    const queued = queue.splice(0, group.items.length);
    const landed = commit(client, mind, { group, begin: true });
    landed.catch(() => {});
    flights.push({ queued, group, startedAt, landed });
    return true;
  };

  /** Waits for every flight: behind one that failed the next has failed too, unless it was about something else. */
  const landAll = async (): Promise<void> => {
    const failed: { flight: Flight; error: unknown }[] = [];
    for (const flight of flights.splice(0)) {
      try {
        await flight.landed;
        finish(flight.queued, flight);
      } catch (error) {
        failed.push({ flight, error });
        watch.retried(retryReason(error) ?? 'serialization');
      }
    }
    forget();
    for (const { flight, error } of failed) {
      options.onTrouble('a group decided from memory failed and is decided again', error);
      if (isConnectionLoss(error)) await drop();
      await runAlone(flight.queued, isConnectionLoss(error) ? flight.group : null);
    }
  };

  const land = async (): Promise<void> => {
    try {
      await flights[0]!.landed;
    } catch {
      await landAll();
      return;
    }
    const flight = flights.shift()!;
    finish(flight.queued, flight);
  };

  const tidy = (): void => {
    if (cellsIn(mind.memory) > CELLS_MAX) mind.memory.clear();
    if (mind.answers.size > ANSWERS_MAX) mind.answers.clear();
  };

  const work = async (): Promise<void> => {
    await nextTurn();
    while (queue.length > 0 || flights.length > 0) {
      if (queue.length > 0 && flights.length < FLIGHTS_MAX && launch()) continue;
      if (flights.length > 0) await land();
      else await runAlone(queue.splice(0, options.groupMax));
      if (flights.length === 0) tidy();
      await nextTurn();
    }
  };

  /** A mistake in the lane itself must not leave callers waiting for ever. */
  const run = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      forget();
      const waiting = [...flights.splice(0).flatMap(({ queued }) => queued), ...queue.splice(0)];
      giveUp(waiting, { failure: error, unavailable: false });
      await drop();
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
      await drop();
    },
  };
};
