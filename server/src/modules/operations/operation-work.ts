// How commands begin, postpone and end an operation of an order. An order has at most one operation at a time.

import type { OperationKind } from '@holdfast/contract/states.ts';
import { InternalRefusal } from '../../base/domain-error.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { OrderView } from '../orders/order.ts';
import type { Operation, OperationRequest } from './operation.ts';

/** The process that began the operation runs it. A job may resume the operation only after this time. */
const LEASE_MS = 60_000;

export const later = (now: string, ms: number): string => formatInstant((parseInstant(now) ?? 0) + ms * 1_000);

type Begun = Pick<OrderView, 'order'> & {
  readonly kind: OperationKind;
  readonly escrowId: string;
  readonly disputeId?: string;
  /** The wallet that will pay the order's amount. */
  readonly walletId?: string;
  readonly ask?: Omit<OperationRequest, 'actor' | 'requestId' | 'approval'>;
};

export const beginOperation = (work: UnitOfWork, { order, ...begun }: Begun): Operation => {
  const { actor, requestId, approval } = work.context;
  const operation: Operation = {
    id: work.newId('operation'),
    kind: begun.kind,
    orderId: order.id,
    escrowId: begun.escrowId,
    disputeId: begun.disputeId ?? null,
    state: 'RUNNING',
    step: null,
    attempts: 0,
    ask: { actor, requestId, ...(approval ? { approval } : {}), ...begun.ask },
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

type PostponeInput = { readonly operationId: string; readonly reason: string; readonly waitMs: number };

/** Records that the outcome of an operation is unknown. The operation keeps running and is tried again later. */
export const postponeOperation = command<PostponeInput, Operation>({
  name: 'postpone-operation',
  needs: ({ operationId }) => ({ rows: [{ table: 'operations', id: operationId }] }),
  decide({ operationId, reason, waitMs }, work) {
    const operation = work.get('operations', operationId);
    // Another worker has ended the operation.
    if (operation.state !== 'RUNNING') return operation;
    const postponed: Operation = {
      ...operation,
      attempts: operation.attempts + 1,
      failure: reason,
      nextAttemptAt: later(work.now, waitMs),
      updatedAt: work.now,
    };
    work.put('operations', postponed);
    work.audit({
      action: 'OPERATION_POSTPONED',
      resourceType: 'Operation',
      resourceId: operationId,
      after: { attempts: postponed.attempts, reason, nextAttemptAt: postponed.nextAttemptAt },
      result: 'FAILURE',
    });
    return postponed;
  },
});

/** Another worker has ended the operation, or has sent a call that is not settled yet. */
export class OperationHeldElsewhere extends InternalRefusal {
  constructor() {
    super('Another worker holds the operation.');
  }
}

/**
 * Called before an operation is undone: it must still be the order's operation, and none of its calls may be in flight. Another
 * process may run the same operation, and the outcome of the call that it has sent decides.
 */
export const requireHeld = (
  { operation, escrow }: Pick<OrderView, 'operation' | 'escrow'>,
  operationId: string,
): void => {
  if (operation?.id === operationId && escrow?.transactionId === null) return;
  throw new OperationHeldElsewhere();
};

/** Does nothing where the order has no operation: the outside system acted without a request of ours. */
type Ended = Pick<OrderView, 'operation'> & {
  /** Null: the operation succeeded. */
  readonly failure: string | null;
};

export const endOperation = (work: UnitOfWork, { operation, failure }: Ended): void => {
  if (!operation) return;
  work.put('operations', {
    ...operation,
    state: failure === null ? 'DONE' : 'FAILED',
    failure,
    updatedAt: work.now,
  });
};
