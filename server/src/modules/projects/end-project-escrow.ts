// Ends the setup of a project's escrow: the escrow is funded and the request is answered, the claim is given up so that the request can be
// repeated, or the order is canceled and the project is as before.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { cancelOrder } from '../orders/cancel-order.ts';
import { onOrder } from '../orders/order-work.ts';
import type { ProjectClaim } from './begin-project-escrow.ts';
import type { Project } from './project.ts';

type Change = Pick<Project, 'orderId' | 'claimedUntil' | 'answeredAt'>;

const change = (
  work: UnitOfWork,
  { project, to, action }: { project: Project; to: Partial<Change>; action: AuditAction },
): void => {
  const { orderId, claimedUntil, answeredAt } = project;
  work.put('projects', { ...project, ...to, updatedAt: work.now });
  work.audit({
    action,
    resourceType: 'Project',
    resourceId: project.id,
    userId: project.ownerId,
    before: { orderId, claimedUntil, answeredAt },
    after: { orderId, claimedUntil, answeredAt, ...to },
  });
};

const needs = ({ projectId }: { projectId: string }) => ({ rows: [{ table: 'projects', id: projectId } as const] });

/** `isFirst` is false when another request was answered before. */
export const answerProjectEscrow = command<ProjectClaim, { readonly isFirst: boolean }>({
  name: 'answer-project-escrow',
  needs,
  decide({ projectId, orderId }, work) {
    const project = work.get('projects', projectId);
    if (project.orderId !== orderId || project.answeredAt !== null) return { isFirst: false };
    const to = { claimedUntil: null, answeredAt: work.now };
    change(work, { project, to, action: 'PROJECT_ESCROW_ANSWERED' });
    return { isFirst: true };
  },
});

/** Changes nothing when the claim has expired and another request holds one. */
export const leaveProjectEscrow = command<ProjectClaim, void>({
  name: 'leave-project-escrow',
  needs,
  decide({ projectId, orderId, claimedUntil }, work) {
    const project = work.get('projects', projectId);
    if (project.orderId !== orderId || project.claimedUntil !== claimedUntil) return;
    change(work, { project, to: { claimedUntil: null }, action: 'PROJECT_ESCROW_LEFT' });
  },
});

type CallOffInput = Pick<ProjectClaim, 'projectId' | 'orderId'> & { readonly reason: string };

/** Refuses, like canceling an order, when money may be in escrow. */
export const callOffProjectEscrow = command<CallOffInput, void>({
  name: 'call-off-project-escrow',
  needs({ projectId, ...order }) {
    const { rows = [] } = cancelOrder.needs(order);
    return { rows: [...needs({ projectId }).rows, ...rows] };
  },
  needsNext: onOrder.needsNext,
  decide({ projectId, orderId, reason }, work) {
    cancelOrder.decide({ orderId, reason }, work);
    const project = work.get('projects', projectId);
    if (project.orderId !== orderId) return;
    const to = { orderId: null, claimedUntil: null, answeredAt: null };
    change(work, { project, to, action: 'PROJECT_ESCROW_CALLED_OFF' });
  },
});
