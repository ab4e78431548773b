// The persisted steps of an approved request: that it began, together with its first change, and how it ended. One run begins it; every
// other run is refused by the row, so the request has its effect once.

import { InternalRefusal } from '../../base/domain-error.ts';
import { transition } from '../../base/machine.ts';
import { type Alongside, command, type UnitOfWork } from '../../commit/command.ts';
import type { Approval, ApprovalFailure } from './approval.ts';
import { userOf } from './decide-approval.ts';
import { APPROVAL_MACHINE } from './machine.ts';
import { eventOf } from './request-approval.ts';

/** Another run carries the request out, or has ended it. */
class RequestBegunElsewhere extends InternalRefusal {
  constructor() {
    super('Another run carries the approved request out.');
  }
}

const need = (approvalId: string) => [{ table: 'approvals' as const, id: approvalId }];

const putDone = (work: UnitOfWork, { approval, result }: { approval: Approval; result: unknown }): Approval => {
  const { to: status, emits } = transition(APPROVAL_MACHINE, { from: approval.status, on: 'request.done' });
  const done: Approval = { ...approval, status, result, resumeAt: null, updatedAt: work.now };
  work.put('approvals', done);
  work.emit({
    type: emits[0],
    aggregateId: approval.id,
    ...userOf(approval),
    payload: { ...eventOf(approval), decidedBy: approval.decidedBy!.id, decidedAt: approval.decidedAt! },
  });
  work.audit({
    action: 'APPROVAL_CARRIED_OUT',
    resourceType: 'Approval',
    resourceId: approval.id,
    ...userOf(approval),
    before: { status: approval.status },
    after: { status, requestedBy: approval.requestedBy, approvedBy: approval.decidedBy },
  });
  return done;
};

const requireUnbegun = (work: UnitOfWork, approvalId: string): Approval => {
  const approval = work.get('approvals', approvalId);
  if (approval.status !== 'APPROVING' || approval.begunBy !== null) throw new RequestBegunElsewhere();
  return approval;
};

type Run = { readonly marketplaceId: string; readonly approvalId: string; readonly runId: string };

/** For a request of one command: the approval ends with it, in the same commit. */
export const endsAlongside = (
  { marketplaceId, approvalId, runId }: Run,
  resultOf: (reply: unknown) => unknown,
): Alongside => ({
  marketplaceId,
  rows: need(approvalId),
  decide(work, reply) {
    const approval = requireUnbegun(work, approvalId);
    putDone(work, { approval: { ...approval, begunBy: runId }, result: resultOf(reply) });
  },
});

const idOf = (reply: unknown): string | null => {
  const { id } = (reply ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : null;
};

/** For a request of more than one command: the first one begins it, and the others belong to the same run. */
export const beginsAlongside = ({ marketplaceId, approvalId, runId }: Run): Alongside => ({
  marketplaceId,
  rows: need(approvalId),
  decide(work, reply) {
    if (work.get('approvals', approvalId).begunBy === runId) return;
    const approval = requireUnbegun(work, approvalId);
    const { to: status } = transition(APPROVAL_MACHINE, { from: approval.status, on: 'request.begun' });
    const effectId = idOf(reply);
    work.put('approvals', { ...approval, status, begunBy: runId, effectId, updatedAt: work.now });
    work.audit({
      action: 'APPROVAL_BEGUN',
      resourceType: 'Approval',
      resourceId: approvalId,
      ...userOf(approval),
      after: { status, effectId },
    });
  },
});

/** Several runs may find the same end; the first one is stored. */
export const completeApproval = command<{ readonly approvalId: string; readonly result: unknown }, Approval>({
  name: 'complete-approval',
  needs: ({ approvalId }) => ({ rows: need(approvalId) }),
  decide({ approvalId, result }, work) {
    const approval = work.get('approvals', approvalId);
    return approval.status === 'APPROVING' ? putDone(work, { approval, result }) : approval;
  },
});

type FailInput = {
  readonly approvalId: string;
  readonly error: ApprovalFailure;
  /** The run knows that its request was refused before its first change. Another run may have begun since. */
  readonly unlessBegun: boolean;
};

export const failApproval = command<FailInput, Approval>({
  name: 'fail-approval',
  needs: ({ approvalId }) => ({ rows: need(approvalId) }),
  decide({ approvalId, error, unlessBegun }, work) {
    const approval = work.get('approvals', approvalId);
    if (approval.status !== 'APPROVING' || (unlessBegun && approval.begunBy !== null)) return approval;
    const { to: status, emits } = transition(APPROVAL_MACHINE, { from: approval.status, on: 'request.refused' });
    const failed: Approval = { ...approval, status, error, resumeAt: null, updatedAt: work.now };
    work.put('approvals', failed);
    const { decidedBy, decidedAt } = approval;
    work.emit({
      type: emits[0],
      aggregateId: approvalId,
      ...userOf(approval),
      payload: {
        ...eventOf(approval),
        decidedBy: decidedBy!.id,
        decidedAt: decidedAt!,
        code: error.code,
        reason: error.message,
      },
    });
    work.audit({
      action: 'APPROVAL_FAILED',
      resourceType: 'Approval',
      resourceId: approvalId,
      ...userOf(approval),
      before: { status: approval.status },
      after: { status, code: error.code, reason: error.message },
      result: 'FAILURE',
    });
    return failed;
  },
});
