// Carries operations on until they are done: each by one worker in this process, put off when an outcome is not known, and
// taken up again at once, then ever later. Another process may be at the same one: the rows keep that harmless.

import { setTimeout as pause } from 'node:timers/promises';
import type { OperationKind } from '@holdfast/contract/states.ts';
import { isDomainError } from '../../base/domain-error.ts';
import {
  confirmRefundCommand,
  confirmReleaseCommand,
  confirmResolutionCommand,
} from '../escrows/confirm-settlement.ts';
import { failRefund, failRelease, failResolution } from '../escrows/fail-settlement.ts';
import { createEscrow } from '../escrows/operations/create-escrow.ts';
import { fundEscrow } from '../escrows/operations/fund-escrow.ts';
import { settleEscrow } from '../escrows/operations/settle-escrow.ts';
import type { Operation } from './operation.ts';
import {
  busy,
  DONE,
  type EscrowParts,
  type OperationContext,
  type OperationOutcome,
  type OperationPlace,
  submitFor,
  waiting,
} from './operation-context.ts';
import { postponeOperation } from './postpone-operation.ts';

export type RunnerOptions = EscrowParts & {
  findOperation(marketplaceId: string, operationId: string): Promise<Operation | null>;
  onTrouble(message: string, error: unknown): void;
};

export type Runner = ReturnType<typeof createRunner>;

const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 30_000;
const DOUBLINGS_MAX = 10;
/** About half an hour of trying: from then on it is tried for the record, and each attempt leaves one. */
const PATIENT_AFTER = 60;
const RETRY_PATIENT_MS = 600_000;
const CLOSE_WAIT_MS = 5_000;

type Settling = Exclude<OperationKind, 'create-escrow' | 'fund-escrow'>;

const CONFIRM = {
  release: confirmReleaseCommand,
  refund: confirmRefundCommand,
  'resolve-dispute': confirmResolutionCommand,
} as const;

const FAIL = { release: failRelease, refund: failRefund, 'resolve-dispute': failResolution } as const;

/** A job that finds it before this has passed would only get in the way. */
const waitFor = (attempts: number): number =>
  attempts > PATIENT_AFTER
    ? RETRY_PATIENT_MS
    : Math.min(RETRY_FIRST_MS * 2 ** Math.min(attempts, DOUBLINGS_MAX), RETRY_MAX_MS);

/** What one came to that is no longer running. */
const endOf = (operation: Operation | null): OperationOutcome =>
  operation?.state === 'FAILED' ? { kind: 'failed', reason: operation.failure ?? 'It failed.' } : DONE;

export const createRunner = (options: RunnerOptions) => {
  const { onTrouble } = options;
  const running = new Map<string, Promise<OperationOutcome>>();
  const timers = new Map<string, NodeJS.Timeout>();
  let closed = false;

  const settle = async (current: OperationContext, kind: Settling): Promise<OperationOutcome> => {
    const orderId = current.view.order.id;
    const ended = await settleEscrow(options, current);
    if (ended.kind === 'paid') {
      await submitFor(options, current, { command: CONFIRM[kind], input: { orderId } });
      return DONE;
    }
    if (ended.kind !== 'refused') return ended;
    const { reason } = ended;
    const operationId = current.operation.id;
    await submitFor(options, current, { command: FAIL[kind], input: { orderId, operationId, reason } });
    return { kind: 'failed', reason };
  };

  const carryOut = (current: OperationContext): Promise<OperationOutcome> => {
    const { kind } = current.operation;
    if (kind === 'create-escrow') return createEscrow(options, current);
    return kind === 'fund-escrow' ? fundEscrow(options, current) : settle(current, kind);
  };

  /** As it is stored, or what it came to when there is nothing to carry on. */
  const open = async ({ marketplaceId, operationId }: OperationPlace): Promise<OperationContext | OperationOutcome> => {
    const operation = await options.findOperation(marketplaceId, operationId);
    if (operation?.state !== 'RUNNING') return endOf(operation);
    const view = await options.findOrder(marketplaceId, operation.orderId);
    if (view?.escrow?.id !== operation.escrowId) return busy('Its order was read while it changed.');
    const { actor, requestId } = operation.ask;
    const context = { marketplaceId, actor, requestId };
    return { marketplaceId, operation, view: { ...view, escrow: view.escrow }, context };
  };

  const attempt = async (place: OperationPlace): Promise<OperationOutcome> => {
    const current = await open(place);
    if ('kind' in current) return current;
    try {
      return await carryOut(current);
    } catch (error) {
      // Refused by a state that somebody else has brought about meanwhile: what is stored now is the answer.
      const now = isDomainError(error) ? await open(place) : null;
      if (now && 'kind' in now) return now;
      if (isDomainError(error) && error.details.currentState === 'MEANWHILE') return busy();
      onTrouble('an operation stumbled and will be tried again', error);
      return waiting('It stumbled over an error of our own.');
    }
  };

  /** Unless somebody else has ended it meanwhile: then that is the outcome. */
  const postpone = async (
    { marketplaceId, operationId }: OperationPlace,
    outcome: Extract<OperationOutcome, { kind: 'waiting' }>,
  ): Promise<OperationOutcome> => {
    const operation = await options.findOperation(marketplaceId, operationId);
    if (operation?.state !== 'RUNNING') return endOf(operation);
    const { reason } = outcome;
    const waitMs = waitFor(operation.attempts);
    const { actor, requestId } = operation.ask;
    const input = { operationId, reason, waitMs: waitMs + RETRY_MAX_MS };
    await options.submit({ command: postponeOperation, input, context: { marketplaceId, actor, requestId } });
    tryLater({ marketplaceId, operationId }, waitMs);
    return outcome;
  };

  const tryLater = (place: OperationPlace, waitMs: number): void => {
    if (closed) return;
    clearTimeout(timers.get(place.operationId));
    const again = (): void => {
      timers.delete(place.operationId);
      void run(place);
    };
    timers.set(place.operationId, setTimeout(again, waitMs).unref());
  };

  const work = async (place: OperationPlace): Promise<OperationOutcome> => {
    try {
      const outcome = await attempt(place);
      return outcome.kind === 'waiting' ? await postpone(place, outcome) : outcome;
    } catch (error) {
      onTrouble('an operation could not be looked at and will be tried again', error);
      tryLater(place, RETRY_MAX_MS);
      return waiting('It could not be looked at.');
    }
  };

  /** Whoever asks while it is being carried on waits for the same attempt. */
  const run = (place: OperationPlace): Promise<OperationOutcome> => {
    const known = running.get(place.operationId);
    if (known) return known;
    clearTimeout(timers.get(place.operationId));
    timers.delete(place.operationId);
    const attempted = work(place).finally(() => running.delete(place.operationId));
    running.set(place.operationId, attempted);
    return attempted;
  };

  return {
    run,
    /** What it waited for may have happened. Only where this process is the one that waits. */
    hurry(place: OperationPlace): void {
      if (timers.has(place.operationId)) tryLater(place, 0);
    },
    /** Waits a moment for what is under way; the rest is found in its rows at the next start. */
    async close(): Promise<void> {
      closed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      const quitting = new AbortController();
      const ended = Promise.allSettled(running.values()).then(() => quitting.abort());
      await Promise.race([ended, pause(CLOSE_WAIT_MS, null, { signal: quitting.signal }).catch(() => {})]);
    },
  };
};
