// Records that the outcome of an operation is unknown. The operation keeps running and is tried again later.

import { command } from '../../commit/command.ts';
import type { Operation } from './operation.ts';
import { later } from './operation-work.ts';

type PostponeInput = { readonly operationId: string; readonly reason: string; readonly waitMs: number };

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
