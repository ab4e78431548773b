// How commands begin and end what is carried out for an order. One at a time per order.

import type { OperationKind } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import type { OrderView } from '../orders/order-view.ts';
import type { Operation, OperationAsk } from './operation.ts';

/** Whoever began it is at work on it; only after this may a job suppose that nobody is. */
const LEASE_MS = 60_000;

export const later = (now: string, ms: number): string => formatInstant((parseInstant(now) ?? 0) + ms * 1_000);

type Begun = {
  readonly kind: OperationKind;
  readonly escrowId: string;
  readonly disputeId?: string;
  /** The wallet that will pay the order's amount. */
  readonly walletId?: string;
  readonly ask?: Omit<OperationAsk, 'actor' | 'requestId'>;
};

export const beginOperation = (work: UnitOfWork, { order }: Pick<OrderView, 'order'>, begun: Begun): Operation => {
  const { actor, requestId } = work.context;
  const operation: Operation = {
    id: work.newId('operation'),
    kind: begun.kind,
    orderId: order.id,
    escrowId: begun.escrowId,
    disputeId: begun.disputeId ?? null,
    state: 'RUNNING',
    step: null,
    attempts: 0,
    ask: { actor, requestId, ...begun.ask },
    walletId: begun.walletId ?? null,
    currency: order.currency,
    amount: order.amount,
    failure: null,
    nextAttemptAt: later(work.now, LEASE_MS),
    createdAt: work.now,
    updatedAt: work.now,
  };
  work.put('operations', operation);
  return operation;
};

/**
 * Before something is undone: it must still be this operation's, and no call of it may be on its way. Another process may be
 * at the same operation, and what it has sent meanwhile decides.
 */
export const requireOwn = (
  { operation, escrow }: Pick<OrderView, 'operation' | 'escrow'>,
  operationId: string,
): void => {
  if (operation?.id === operationId && escrow?.transactionId === null) return;
  throw new DomainError('INVALID_STATE', {
    message: 'The operation is over, or a call of it is on its way.',
    details: { currentState: 'MEANWHILE', allowedActions: [] },
  });
};

/** Whoever tells first that it is done ends it; there may be none when an outside system told by itself. */
export const endOperation = (
  work: UnitOfWork,
  { operation }: Pick<OrderView, 'operation'>,
  failure: string | null,
): void => {
  if (!operation) return;
  work.put('operations', {
    ...operation,
    state: failure === null ? 'DONE' : 'FAILED',
    failure,
    updatedAt: work.now,
  });
};
