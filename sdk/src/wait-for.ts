// Waits until a record reaches a state that comes later, such as a paid top-up. It reads the record first, follows the event stream
// and reads again after each event, so no change is missed. It never waits for a state that can no longer come.

import type { Changes } from './changes.ts';
import { HoldfastError } from './errors.ts';
import type { HoldfastEvent } from './events.ts';
import { isOurs, isPassing } from './failures.ts';
import type { Approval } from './printed/approvals.ts';
import type { OperationRecord } from './printed/operations.ts';
import type { DisputeWithOrder, Order } from './printed/order-records.ts';
import type { TopUp } from './printed/topups.ts';
import type { Withdrawal } from './printed/withdrawals.ts';
import type { CallOptions } from './transport.ts';
import { deadline, limitOf } from './waiting.ts';

/** A record that can be waited for. */
export type WaitedRecord = Order | DisputeWithOrder | TopUp | Withdrawal | Approval | OperationRecord;

export type WaitOptions<Item, Goal extends string> = Pick<CallOptions, 'signal' | 'timeoutMs' | 'maxRetries'> & {
  /** The goal: a name, or a function that says whether the record has reached it. */
  until?: Goal | ((record: Item) => boolean);
  /** Gives up after this time with STILL_PENDING. The default is one minute; Infinity means never. */
  patienceMs?: number;
};

export type WaitFor<Item, Goal extends string> = (id: string, options?: WaitOptions<Item, Goal>) => Promise<Item>;

/** What waiting needs to know about one kind of record. */
export type Waitable<Item, Goal extends string> = {
  /** The name of the record in messages. */
  readonly noun: string;
  readonly goals: Readonly<Record<Goal, (record: Item) => boolean>>;
  /** The goal when the caller names none. */
  readonly usual: NoInfer<Goal>;
  /** The record does not change any more. */
  hasEnded(record: Item): boolean;
  /** The state and, of a failure, its reason: for people. */
  stateOf(record: Item): string;
  /** The order whose events change the record too. */
  orderOf?(record: Item): string;
};

const PATIENCE_MS = 60_000;

type Source<Item> = {
  readonly changes: Changes;
  get(id: string, options?: CallOptions): Promise<Item>;
};

export const waiterOf =
  <Item extends WaitedRecord, Goal extends string>(
    kind: Waitable<Item, Goal>,
    { changes, get }: Source<Item>,
  ): WaitFor<Item, Goal> =>
  async (id, { until = kind.usual, patienceMs = PATIENCE_MS, signal, ...options } = {}) => {
    const named = typeof until === 'string' && Object.hasOwn(kind.goals, until) ? kind.goals[until] : null;
    const isReached = typeof until === 'function' ? until : named;
    if (!isReached) throw new TypeError(`until must be a function or one of ${Object.keys(kind.goals).join(', ')}`);
    const limit = deadline(limitOf('patienceMs', patienceMs), signal);
    const startedAt = performance.now();
    let last: Item | null = null;
    let problem: unknown;

    const factsOf = (): Facts => ({
      id,
      goal: typeof until === 'string' ? until : 'your function returns true',
      noun: kind.noun,
      state: last && kind.stateOf(last),
      last,
      waitedMs: Math.round(performance.now() - startedAt),
      cause: problem,
    });

    const look = async (): Promise<Item | null> => {
      try {
        last = await get(id, { ...options, signal: limit.signal });
        problem = undefined;
      } catch (error) {
        // A server that restarts is waited for like a record that does not change.
        if (!isOurs(error) || !isPassing(error)) throw error;
        problem = error;
        return null;
      }
      if (isReached(last)) return last;
      if (kind.hasEnded(last)) throw endedOtherwise(factsOf());
      return null;
    };

    const concerns = (event: HoldfastEvent): boolean => {
      const orderId = last && kind.orderOf?.(last);
      return [id, orderId].includes(event.aggregateId) || orderIn(event) === (orderId ?? id);
    };

    let follower: ReturnType<Changes['follow']> | undefined;
    try {
      let found = await look();
      follower = found ? undefined : changes.follow(concerns);
      while (!found) {
        await follower!.next(limit.signal);
        found = await look();
      }
      return found;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw limit.passed() ? stillPending(factsOf()) : error;
    } finally {
      follower?.stop();
      limit.end();
    }
  };

/** Escrows and disputes name the order that they belong to. */
const orderIn = ({ payload }: HoldfastEvent): string | undefined => (payload as { orderId?: string }).orderId;

type Facts = {
  readonly id: string;
  readonly goal: string;
  readonly noun: string;
  readonly state: string | null;
  readonly last: WaitedRecord | null;
  readonly waitedMs: number;
  readonly cause: unknown;
};

const stillPending = ({ noun, cause, ...details }: Facts): HoldfastError => {
  const { id, goal, state, waitedMs } = details;
  const known = state === null ? 'could not be read' : `is ${state}`;
  return new HoldfastError({
    code: 'STILL_PENDING',
    message: `The ${noun} ${id} ${known} after ${waitedMs} ms, and the goal was: ${goal}. Nothing was stopped: wait again, or follow its events.`,
    status: null,
    details,
    requestId: null,
    cause,
  });
};

const endedOtherwise = ({ noun, cause: _, ...details }: Facts): HoldfastError => {
  const { id, goal, state } = details;
  return new HoldfastError({
    code: 'ENDED_OTHERWISE',
    message: `The ${noun} ${id} is ${state} and does not change any more. The goal was: ${goal}.`,
    status: null,
    details,
    requestId: null,
  });
};
