// Routes of operations.

import { getOperation, listOperations } from '@holdfast/contract/api/operations.ts';
import { DomainError } from '../../base/domain-error.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route, read } from '../../http/route.ts';
import type { Operation } from './operation.ts';
import type { OperationReads } from './queries.ts';

type Parts = { readonly operations: Pick<OperationReads, 'find' | 'list'> };

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
  read(getOperation, async ({ params, context }) => {
    const operation = await operations.find(context.marketplaceId, params.id);
    if (!operation) throw new DomainError('OPERATION_NOT_FOUND');
    return presentOperationRecord(operation);
  }),
];
