// What can be asked to be carried out with the outside systems for an order: claim, then wait for its end. Whoever does not
// hear of the end in time hears that it goes on.

import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '../../../base/domain-error.ts';
import { fewAtOnce } from '../../../base/few-at-once.ts';
import type { Command, Context } from '../../../commit/command.ts';
import { type BeginResolutionInput, beginResolution } from '../../disputes/begin-resolution.ts';
import type { Operation } from '../../operations/operation.ts';
import type { OperationOutcome } from '../../operations/operation-context.ts';
import { createRunner, type RunnerOptions } from '../../operations/runner.ts';
import { beginEscrow } from '../begin-escrow.ts';
import { beginRefund, beginRelease } from '../begin-settlement.ts';
import { startFunding } from '../start-funding.ts';
import type { Parties } from './parties.ts';

export type OperationsOptions = RunnerOptions & {
  /** The wallets that take part in an order's escrow. */
  readonly parties: Parties;
  readonly requirePaymentAccount: boolean;
  /** How long a request waits for the end. */
  readonly waitMs: number;
  /** Those that nobody seems to be at work on, oldest first. */
  listDue(limit: number): Promise<{ marketplaceId: string; operationId: string }[]>;
  /** All that are not ended. */
  listRunning(limit: number): Promise<{ marketplaceId: string; operationId: string }[]>;
};

type Ask = { readonly orderId: string; readonly context: Context };

export type Operations = ReturnType<typeof createOperations>;

const RESUME_MAX = 1_000;
const AT_ONCE = 16;
const BUSY_PAUSE_MS = 150;

const PROVIDER = 'escrow-provider';

const told = ({ id, kind, step, createdAt }: Operation) => ({
  operation: { id, kind, state: 'RUNNING', step, startedAt: createdAt },
});

const timedOut = (operation: Operation, reason: string | null): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message: 'The outcome is not known yet. It is being carried on; read the order again shortly.',
    details: { provider: PROVIDER, ...told(operation), ...(reason === null ? {} : { reason }) },
  });

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const failed = ({ kind, id }: Operation, reason: string): DomainError => {
  const details = { provider: PROVIDER, reason, operation: { id, kind, state: 'FAILED' } };
  if (kind === 'fund-escrow') return new DomainError('ESCROW_FUNDING_FAILED', { details });
  return new DomainError('INTERNAL_ERROR', {
    message: `It was refused: ${sentence(reason)} The order is where it was; you can ask again.`,
    details,
  });
};

export const createOperations = (options: OperationsOptions) => {
  const { submit, waitMs } = options;
  const runner = createRunner(options);

  const claim = async <Input>(command: Command<Input, Operation>, input: Input, context: Context) => {
    const outcome = await submit({ command, input, context });
    if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
    return outcome.reply;
  };

  const inTime = async (outcome: Promise<OperationOutcome>, withinMs: number): Promise<OperationOutcome | null> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), Math.max(withinMs, 0));
    });
    return Promise.race([outcome, late]).finally(() => clearTimeout(timer));
  };

  /** An attempt that only met somebody else at work is followed by the next one; a doubt about the outside is told. */
  const follow = async (
    place: { marketplaceId: string; operationId: string },
    end: number,
  ): Promise<OperationOutcome> => {
    for (;;) {
      const outcome = await runner.run(place);
      if (outcome.kind !== 'waiting' || !outcome.isBusy || performance.now() >= end) return outcome;
      await pause(BUSY_PAUSE_MS);
    }
  };

  const finish = async (
    operation: Operation,
    { marketplaceId }: Context,
    sinceMs = performance.now(),
  ): Promise<void> => {
    const end = sinceMs + waitMs;
    const outcome = await inTime(follow({ marketplaceId, operationId: operation.id }, end), end - performance.now());
    if (outcome === null) throw timedOut(operation, null);
    if (outcome.kind === 'failed') throw failed(operation, outcome.reason);
    if (outcome.kind === 'waiting' && !outcome.isAnswered) throw timedOut(operation, outcome.reason);
  };

  const resume = (places: readonly { marketplaceId: string; operationId: string }[]): Promise<void> =>
    fewAtOnce(places, { atOnce: AT_ONCE, work: runner.run });

  return {
    async createEscrow({ orderId, context }: Ask): Promise<void> {
      const begunMs = performance.now();
      const parties = await options.parties(context.marketplaceId, orderId);
      const { requirePaymentAccount } = options;
      const operation = await claim(beginEscrow, { orderId, requirePaymentAccount, ...parties }, context);
      await finish(operation, context, begunMs);
    },

    async fundEscrow({ orderId, context }: Ask): Promise<void> {
      await finish(await claim(startFunding, { orderId }, context), context);
    },

    async release({ context, ...input }: Ask & { readonly reason: string | null }): Promise<void> {
      await finish(await claim(beginRelease, input, context), context);
    },

    async refund({ context, ...input }: Ask & { readonly reason: string }): Promise<void> {
      await finish(await claim(beginRefund, input, context), context);
    },

    async resolveDispute({ context, ...input }: BeginResolutionInput & { readonly context: Context }): Promise<void> {
      await finish(await claim(beginResolution, input, context), context);
    },

    /** After a start: nobody can be at work on what this process had begun. */
    resumeAll: async (): Promise<void> => resume(await options.listRunning(RESUME_MAX)),
    resumeDue: async (): Promise<void> => resume(await options.listDue(RESUME_MAX)),
    hurry: runner.hurry,
    close: runner.close,
  };
};
