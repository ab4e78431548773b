// The states of a dispute: it is assigned to a reviewer, then it is resolved. A dispute that the contract has paid out without us is
// resolved by a correction.

import type { DisputeStatus } from '@holdfast/contract/states.ts';
import type { Machine } from '../../base/machine.ts';

export const DISPUTE_MACHINE = {
  subject: 'the dispute',
  status: 400,
  rows: [
    { from: 'OPEN', on: 'assign', to: 'UNDER_REVIEW', emits: ['dispute.under_review'] },
    { from: 'UNDER_REVIEW', on: 'resolve', to: 'RESOLVED', emits: ['dispute.resolved'] },
    { from: 'OPEN', on: 'resolution.adopted', to: 'RESOLVED', emits: ['dispute.resolved'] },
    { from: 'UNDER_REVIEW', on: 'resolution.adopted', to: 'RESOLVED', emits: ['dispute.resolved'] },
  ],
} as const satisfies Machine<DisputeStatus, 'assign' | 'resolve' | 'resolution.adopted'>;
