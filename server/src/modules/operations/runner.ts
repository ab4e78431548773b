// Runs operations until they end. One worker in this process runs an operation; when an outcome is unknown the operation is
// postponed and tried again, with growing waits. Another process may run the same operation: the commands check the rows, so that is safe.

import { isDomainError } from '../../base/domain-error.ts';
import { createSingleFlight } from '../../base/one-at-a-time.ts';
import { createRetryTimers } from '../../base/retry-timers.ts';
import { type BackOff, backOffMs, within } from '../../base/wait.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Operation } from './operation.ts';
import {
  busy,
  DONE,
  type FindOrder,
  type OperationContext,
  type OperationHandlers,
  type OperationOutcome,
  type OperationPlace,
  waiting,
} from './operation-context.ts';
import { OperationHeldElsewhere, postponeOperation } from './operation-work.ts';

export type RunnerOptions = {
  readonly submit: Submit;
  readonly handlers: OperationHandlers;
  readonly findOrder: FindOrder;
  findOperation(marketplaceId: string, operationId: string): Promise<Operation | null>;
  onTrouble(message: string, error: unknown): void;
};

const BACK_OFF: BackOff = { firstMs: 100, maxMs: 30_000 };
/** About half an hour of attempts. Each later attempt leaves an audit entry, so there are few of them. */
const RARE_AFTER = 60;
const RARE_MS = 600_000;
const CLOSE_WAIT_MS = 5_000;

const waitMsAfter = (attempts: number): number => (attempts > RARE_AFTER ? RARE_MS : backOffMs(BACK_OFF, attempts + 1));

/** The result of an operation that is no longer running. */
const resultOf = (operation: Operation | null): OperationOutcome =>
  operation?.state === 'FAILED' ? { kind: 'failed', reason: operation.failure ?? 'The operation failed.' } : DONE;

const contextOf = (marketplaceId: string, { ask: { actor, requestId, approval } }: Operation): Context => ({
  marketplaceId,
  actor,
  requestId,
  ...(approval ? { approval } : {}),
});

/** The operation and its order as they are stored, or the outcome when there is nothing to run. */
const open = async (
  { findOperation, findOrder }: RunnerOptions,
  { marketplaceId, operationId }: OperationPlace,
): Promise<OperationContext | OperationOutcome> => {
  const operation = await findOperation(marketplaceId, operationId);
  if (operation?.state !== 'RUNNING') return resultOf(operation);
  const view = await findOrder(marketplaceId, operation.orderId);
  if (view?.escrow?.id !== operation.escrowId) return busy('The order changed while it was read.');
  const context = contextOf(marketplaceId, operation);
  return { marketplaceId, operation, view: { ...view, escrow: view.escrow }, context };
};

const attempt = async (options: RunnerOptions, place: OperationPlace): Promise<OperationOutcome> => {
  const current = await open(options, place);
  if ('kind' in current) return current;
  try {
    return await options.handlers[current.operation.kind](current);
  } catch (error) {
    const isRefused = isDomainError(error) || error instanceof OperationHeldElsewhere;
    // Another worker changed the state that refused the command, so the stored state is the outcome.
    const now = isRefused ? await open(options, place) : null;
    if (now && 'kind' in now) return now;
    if (error instanceof OperationHeldElsewhere) return busy();
    options.onTrouble('an operation failed with an internal error and will be tried again', error);
    return waiting('Internal error; the operation will be retried.');
  }
};

/** The wait before the next attempt, or the outcome when another worker has ended the operation. */
const postpone = async (
  { findOperation, submit }: RunnerOptions,
  { marketplaceId, operationId, reason }: OperationPlace & { readonly reason: string },
): Promise<{ readonly waitMs: number } | OperationOutcome> => {
  const operation = await findOperation(marketplaceId, operationId);
  if (operation?.state !== 'RUNNING') return resultOf(operation);
  const waitMs = waitMsAfter(operation.attempts);
  // A job may resume the operation only after this process had the time to try it again.
  const input = { operationId, reason, waitMs: waitMs + BACK_OFF.maxMs };
  await runCommand(submit, { command: postponeOperation, input, context: contextOf(marketplaceId, operation) });
  return { waitMs };
};

export const createRunner = (options: RunnerOptions) => {
  const flights = createSingleFlight<OperationOutcome>();
  const timers = createRetryTimers<OperationPlace>({
    backOff: BACK_OFF,
    keyOf: ({ operationId }) => operationId,
    run: (place) => run(place),
  });

  const work = async (place: OperationPlace): Promise<OperationOutcome> => {
    try {
      const outcome = await attempt(options, place);
      if (outcome.kind !== 'waiting') return outcome;
      const postponed = await postpone(options, { ...place, reason: outcome.reason });
      if ('kind' in postponed) return postponed;
      timers.retryAfter(place, postponed.waitMs);
      return outcome;
    } catch (error) {
      options.onTrouble('an operation could not be read or postponed and will be tried again', error);
      timers.retryAfter(place, BACK_OFF.maxMs);
      return waiting('The operation could not be read.');
    }
  };

  /** Concurrent calls for one operation share an attempt. */
  const run = (place: OperationPlace): Promise<OperationOutcome> =>
    flights.run(place.operationId, () => {
      timers.clear(place);
      return work(place);
    });

  return {
    run,
    /** Ends the wait before the next attempt, when the awaited change may have happened. Only for retries of this process. */
    retryNow: timers.retryNow,
    /** For a caller that makes the next attempt itself. */
    cancelRetry: timers.clear,
    /** Waits a few seconds for running attempts. The next start finds the others by their rows. */
    async close(): Promise<void> {
      timers.close();
      await within(flights.allEnded(), { ms: CLOSE_WAIT_MS, late: () => {} });
    },
  };
};
