// An operation as the wire shows one: field by field, so that wallets and who asked stay inside.

import type { Operation } from './operation.ts';

export const presentOperationRecord = (operation: Operation) => {
  const { id, kind, state, orderId, attempts, createdAt, updatedAt, nextAttemptAt, failure } = operation;
  const isRunning = state === 'RUNNING';
  return {
    ...{ id, kind, state, orderId, attempts, startedAt: createdAt },
    nextAttemptAt: isRunning ? nextAttemptAt : null,
    lastProblem: failure,
    endedAt: isRunning ? null : updatedAt,
  };
};
