// Routes of operations.

import { listOperations } from '@holdfast/contract/api/operations.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route } from '../../http/route.ts';
import type { Operation } from './operation.ts';
import type { OperationReads } from './queries.ts';

type Parts = { readonly operations: Pick<OperationReads, 'list'> };

/** Field by field, so that the wallet and the caller are never shown. */
const presentOperationRecord = (operation: Operation) => {
  const { id, kind, state, orderId, attempts, createdAt, updatedAt, nextAttemptAt, failure } = operation;
  const isRunning = state === 'RUNNING';
  return {
    id,
    kind,
    state,
    orderId,
    attempts,
    startedAt: createdAt,
    nextAttemptAt: isRunning ? nextAttemptAt : null,
    lastProblem: failure,
    endedAt: isRunning ? null : updatedAt,
  };
};

export const operationRoutes = ({ operations }: Parts): Route[] => [
  list(listOperations, async ({ query, context }) => {
    const page = await operations.list(pageRequest('operation', { query, context }));
    return { items: page.rows.map(presentOperationRecord), nextCursor: page.nextCursor };
  }),
];
