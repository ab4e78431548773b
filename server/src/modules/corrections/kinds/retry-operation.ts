// Retries a running operation at once. Nothing is decided here: the operation continues from its rows, as at its next automatic attempt.

import { formatAmount } from '../../../books/money.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Figures } from '../correction.ts';
import { type AnyKind, type CorrectionRequest, correctionKind, doesNotFit } from '../kind.ts';

export const operationFacts = (operation: Operation): Figures => ({
  operation: operation.kind,
  state: operation.state,
  orderId: operation.orderId,
  amount: formatAmount(operation.amount),
  currency: operation.currency,
  lastCall: operation.step,
  attempts: operation.attempts,
  lastProblem: operation.failure,
  nextAttemptAt: operation.state === 'RUNNING' ? operation.nextAttemptAt : null,
});

/** How the request of a failed operation is made again. */
const AGAIN: Readonly<Record<Operation['kind'], string>> = {
  'create-escrow': 'POST /orders/{id}/escrow',
  'fund-escrow': 'POST /orders/{id}/escrow, then POST /orders/{id}/escrow/fund',
  release: 'POST /orders/{id}/resolution/release',
  refund: 'POST /orders/{id}/resolution/refund',
  'resolve-dispute': 'POST /disputes/{id}/resolve',
  'release-milestone': 'POST /orders/{id}/milestones/{ref}/release',
  'refund-milestone': 'POST /orders/{id}/milestones/{ref}/refund',
};

/** Only a running operation can be retried or given up. */
export const requireRunning = (request: CorrectionRequest, operation: Operation): void => {
  if (operation.state === 'RUNNING') return;
  const facts = operationFacts(operation);
  const message =
    operation.state === 'DONE'
      ? 'The operation has succeeded. Nothing is left to correct; read the order.'
      : `The operation has failed and was undone, so nothing waits. Make the request again: ${AGAIN[operation.kind]}.`;
  throw doesNotFit({ ...request, message, facts });
};

export const retryOperation = (): AnyKind =>
  correctionKind<null>({
    look: async () => null,
    needs: ({ request: { resourceId: id } }) => ({ rows: [{ table: 'operations', id }] }),
    decide(work, { request }) {
      const operation = work.get('operations', request.resourceId);
      requireRunning(request, operation);
      const due: Operation = { ...operation, nextAttemptAt: work.now, updatedAt: work.now };
      work.put('operations', due);
      const { orderId } = operation;
      return { before: operationFacts(operation), after: operationFacts(due), amount: null, currency: null, orderId };
    },
    reactions: ({ request }) => [{ name: 'operation-begun', payload: { operationId: request.resourceId } }],
  });
