// The states of an approval. Another actor approves or rejects, the requester cancels, time expires it; what was approved is carried out or
// fails.

import type { ApprovalStatus } from '@holdfast/contract/states.ts';
import type { Machine } from '../../base/machine.ts';

export const APPROVAL_MACHINE = {
  subject: 'the approval',
  rows: [
    { from: 'PENDING', on: 'approve', to: 'APPROVING' },
    { from: 'PENDING', on: 'reject', to: 'REJECTED', emits: ['approval.rejected'] },
    { from: 'PENDING', on: 'cancel', to: 'CANCELED', emits: ['approval.canceled'] },
    { from: 'PENDING', on: 'time.reached', to: 'EXPIRED', emits: ['approval.expired'] },
    { from: 'APPROVING', on: 'request.begun', to: 'APPROVING' },
    { from: 'APPROVING', on: 'request.done', to: 'APPROVED', emits: ['approval.approved'] },
    { from: 'APPROVING', on: 'request.refused', to: 'FAILED', emits: ['approval.failed'] },
  ],
} as const satisfies Machine<
  ApprovalStatus,
  'approve' | 'reject' | 'cancel' | 'time.reached' | 'request.begun' | 'request.done' | 'request.refused'
>;
