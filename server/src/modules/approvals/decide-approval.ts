// Decisions about a request that waits: another actor approves or rejects it, the requester cancels it, and time expires it. The first one
// counts. An approval only claims the request here; carry-out.ts does the rest.

import { DomainError } from '../../base/domain-error.ts';
import { laterBy } from '../../base/instant.ts';
import { step, transition } from '../../base/machine.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { type Approval, actorName, type NamedActor } from './approval.ts';
import { APPROVAL_MACHINE } from './machine.ts';
import { eventOf } from './request-approval.ts';

/** The server that approved carries it out. A job may continue it only after this time. */
const LEASE_MS = 60_000;

type Deciding = { readonly approvalId: string; readonly by: NamedActor };

const needs = ({ approvalId }: { readonly approvalId: string }) => ({
  rows: [{ table: 'approvals' as const, id: approvalId }],
});

/** Time has decided, also when its command has not run yet. */
const statusNow = (work: UnitOfWork, { status, expiresAt }: Approval): Approval['status'] =>
  status === 'PENDING' && expiresAt <= work.deadlineNow ? 'EXPIRED' : status;

const requireOther = (work: UnitOfWork, { requester, requestedBy }: Approval): void => {
  if (actorName(work.context.actor) !== requester) return;
  throw new DomainError('APPROVAL_SELF', { details: { requestedBy: requestedBy.id } });
};

export const userOf = ({ userId }: Approval) => (userId === null ? {} : { userId });

export const approveApproval = command<Deciding, Approval>({
  name: 'approve-approval',
  needs,
  decide({ approvalId, by }, work) {
    const approval = work.get('approvals', approvalId);
    requireOther(work, approval);
    const status = step(APPROVAL_MACHINE, { from: statusNow(work, approval), on: 'approve' });
    const approved: Approval = {
      ...approval,
      status,
      decidedBy: by,
      decidedAt: work.now,
      resumeAt: laterBy(work.now, LEASE_MS),
      updatedAt: work.now,
    };
    work.put('approvals', approved);
    work.audit({
      action: 'APPROVAL_GRANTED',
      resourceType: 'Approval',
      resourceId: approvalId,
      ...userOf(approval),
      before: { status: approval.status },
      after: { status, action: approval.action, requestedBy: approval.requestedBy, approvedBy: by },
    });
    return approved;
  },
});

export const rejectApproval = command<Deciding & { readonly reason: string | null }, Approval>({
  name: 'reject-approval',
  needs,
  decide({ approvalId, by, reason }, work) {
    const approval = work.get('approvals', approvalId);
    requireOther(work, approval);
    const { to: status, emits } = transition(APPROVAL_MACHINE, { from: statusNow(work, approval), on: 'reject' });
    const rejected = { ...approval, status, decidedBy: by, decidedAt: work.now, reason, updatedAt: work.now };
    work.put('approvals', rejected);
    const said = reason === null ? {} : { reason };
    work.emit({
      type: emits[0],
      aggregateId: approvalId,
      ...userOf(approval),
      payload: { ...eventOf(approval), decidedBy: by.id, decidedAt: work.now, ...said },
    });
    work.audit({
      action: 'APPROVAL_REJECTED',
      resourceType: 'Approval',
      resourceId: approvalId,
      ...userOf(approval),
      before: { status: approval.status },
      after: { status, requestedBy: approval.requestedBy, rejectedBy: by, ...said },
    });
    return rejected;
  },
});

export const cancelApproval = command<Deciding, Approval>({
  name: 'cancel-approval',
  needs,
  decide({ approvalId, by }, work) {
    const approval = work.get('approvals', approvalId);
    if (actorName(work.context.actor) !== approval.requester) {
      throw new DomainError('INSUFFICIENT_SCOPE', {
        message: 'Only the requester can cancel a request. Another actor can reject it.',
        details: { requiredScope: approval.requester, scopes: [] },
      });
    }
    const { to: status, emits } = transition(APPROVAL_MACHINE, { from: statusNow(work, approval), on: 'cancel' });
    const canceled = { ...approval, status, decidedBy: by, decidedAt: work.now, updatedAt: work.now };
    work.put('approvals', canceled);
    work.emit({
      type: emits[0],
      aggregateId: approvalId,
      ...userOf(approval),
      payload: { ...eventOf(approval), decidedBy: by.id, decidedAt: work.now },
    });
    work.audit({
      action: 'APPROVAL_CANCELED',
      resourceType: 'Approval',
      resourceId: approvalId,
      ...userOf(approval),
      before: { status: approval.status },
      after: { status },
    });
    return canceled;
  },
});

/** Changes nothing unless it is PENDING and due: another process may have been first. */
export const expireApproval = command<{ readonly approvalId: string }, Approval>({
  name: 'expire-approval',
  needs,
  decide({ approvalId }, work) {
    const approval = work.get('approvals', approvalId);
    if (approval.status !== 'PENDING' || approval.expiresAt > work.deadlineNow) return approval;
    const { to: status, emits } = transition(APPROVAL_MACHINE, { from: approval.status, on: 'time.reached' });
    const expired = { ...approval, status, decidedAt: work.now, updatedAt: work.now };
    work.put('approvals', expired);
    work.emit({
      type: emits[0],
      aggregateId: approvalId,
      ...userOf(approval),
      payload: { ...eventOf(approval), expiredAt: work.now },
    });
    work.audit({
      action: 'APPROVAL_EXPIRED',
      resourceType: 'Approval',
      resourceId: approvalId,
      ...userOf(approval),
      before: { status: approval.status },
      after: { status, expiresAt: approval.expiresAt },
    });
    return expired;
  },
});
