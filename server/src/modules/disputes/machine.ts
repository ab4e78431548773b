// The life of a dispute: somebody takes it up, then it is decided.

import type { DisputeStatus } from '@holdfast/contract/states.ts';
import type { Machine } from '../../base/machine.ts';

export const DISPUTE_MACHINE: Machine<DisputeStatus, 'assign' | 'resolve'> = {
  subject: 'the dispute',
  status: 400,
  rows: [
    { from: 'OPEN', on: 'assign', to: 'UNDER_REVIEW', emits: ['dispute.under_review'] },
    { from: 'UNDER_REVIEW', on: 'resolve', to: 'RESOLVED', emits: ['dispute.resolved'] },
  ],
};
