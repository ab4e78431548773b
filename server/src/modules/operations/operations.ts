// Starts operations and waits for their end. A request that times out gets 504; the operation continues in the background. Operations
// that a crash or a provider without an answer left open are resumed when the server starts and by a job.

import { fewAtOnce } from '../../base/concurrency.ts';
import { DomainError } from '../../base/domain-error.ts';
import { pause, within } from '../../base/wait.ts';
import { type Command, type Context, runCommand } from '../../commit/command.ts';
import type { EffectOutcome } from '../../http/approval-terms.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { Operation } from './operation.ts';
import type { OperationOutcome, OperationPlace } from './operation-context.ts';
import { createRunner, type RunnerOptions } from './runner.ts';

type OperationsOptions = RunnerOptions & {
  /** How long a request waits for the end. */
  readonly waitMs: number;
  /** Operations whose lease has expired, oldest first. */
  listDue(limit: number): Promise<OperationPlace[]>;
  /** All operations that have not ended. */
  listRunning(limit: number): Promise<OperationPlace[]>;
};

type Start<Input> = {
  /** Writes the operation's row, before anything is sent. */
  readonly command: Command<Input, Operation>;
  readonly input: Input;
  readonly context: Context;
  /** When the request began to wait, where it waited before this. */
  readonly sinceMs?: number;
};

export type Operations = ReturnType<typeof createOperations>;

const RESUME_MAX = 1_000;
const AT_ONCE = 16;
const BUSY_PAUSE_MS = 150;

const PROVIDER = 'escrow-provider';

const timedOut = ({ id, kind, step, createdAt }: Operation, reason: string | null): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message: 'The operation is still in progress. Check the order again in a few seconds.',
    details: {
      provider: PROVIDER,
      operation: { id, kind, state: 'RUNNING', step, startedAt: createdAt },
      ...(reason === null ? {} : { reason }),
    },
  });

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const failed = ({ kind, id }: Operation, reason: string): DomainError => {
  const details = { provider: PROVIDER, reason, operation: { id, kind, state: 'FAILED' } };
  if (kind === 'fund-escrow') return new DomainError('ESCROW_FUNDING_FAILED', { details });
  return new DomainError('INTERNAL_ERROR', {
    message: `The provider refused: ${sentence(reason)} The order is unchanged; you can retry.`,
    details,
  });
};

export const createOperations = (options: OperationsOptions) => {
  const { submit, waitMs } = options;
  const runner = createRunner(options);

  /** Retries while another worker holds the operation. An unknown answer of the provider is returned to the caller. */
  const runUntil = async (place: OperationPlace, end: number): Promise<OperationOutcome> => {
    for (;;) {
      const outcome = await runner.run(place);
      if (outcome.kind !== 'waiting' || !outcome.isBusy || performance.now() >= end) return outcome;
      // The next attempt belongs to the request: it would not see the outcome of an attempt by the timer.
      runner.cancelRetry(place);
      await pause(BUSY_PAUSE_MS);
    }
  };

  const resume = (places: readonly OperationPlace[]): Promise<void> =>
    fewAtOnce(places, { atOnce: AT_ONCE, work: runner.run });

  return {
    /** Resolves when the operation is done; refuses when it failed or takes longer than a request waits. */
    async start<Input>({ command, input, context, sinceMs = performance.now() }: Start<Input>): Promise<void> {
      const operation = await runCommand(submit, { command, input, context });
      const end = sinceMs + waitMs;
      const place = { marketplaceId: context.marketplaceId, operationId: operation.id };
      const outcome = await within(runUntil(place, end), { ms: end - performance.now(), late: () => null });
      if (outcome === null) throw timedOut(operation, null);
      if (outcome.kind === 'failed') throw failed(operation, outcome.reason);
      if (outcome.kind === 'waiting' && !outcome.isAnswered) throw timedOut(operation, outcome.reason);
    },

    /** What became of an operation that a request has begun earlier. */
    async outcomeOf(marketplaceId: string, operationId: string): Promise<EffectOutcome> {
      const operation = await options.findOperation(marketplaceId, operationId);
      if (operation?.state === 'RUNNING') return { kind: 'running' };
      if (operation?.state !== 'FAILED') return { kind: 'done' };
      return { kind: 'failed', reason: operation.failure ?? 'The operation failed.' };
    },

    /** After a start of the server. The operations that this process had begun have no other worker. */
    resumeAll: async (): Promise<void> => resume(await options.listRunning(RESUME_MAX)),
    resumeDue: async (): Promise<void> => resume(await options.listDue(RESUME_MAX)),
    /** Runs an operation that a command without a waiting request has begun. A job finds it if this process ends before. */
    runBegun: (place: OperationPlace): void => void runner.run(place),
    retryNow: runner.retryNow,
    close: runner.close,
  };
};

/** Resumes operations that a crash, a provider without an answer or another process left open, once their lease has expired. */
export const resumeOperations = ({ resumeDue }: Pick<Operations, 'resumeDue'>): Job => ({
  ...scheduled('resume-operations'),
  run: resumeDue,
});
