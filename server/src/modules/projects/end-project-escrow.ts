// Ends the setting up of a project's escrow: it is funded and whoever asked hears of it, it is left for the same request
// again, or it is called off and everything is as it was before.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { command, type Desk } from '../../commit/command.ts';
import { cancelOrder } from '../orders/cancel-order.ts';
import { onOrder } from '../orders/order-work.ts';
import type { ProjectClaim } from './begin-project-escrow.ts';
import type { Project } from './project.ts';

type Change = Pick<Project, 'orderId' | 'claimedUntil' | 'answeredAt'>;

const change = (desk: Desk, project: Project, { to, action }: { to: Partial<Change>; action: AuditAction }): void => {
  const { orderId, claimedUntil, answeredAt } = project;
  desk.put('projects', { ...project, ...to, updatedAt: desk.now });
  desk.audit({
    action,
    resourceType: 'Project',
    resourceId: project.id,
    userId: project.ownerId,
    before: { orderId, claimedUntil, answeredAt },
    after: { orderId, claimedUntil, answeredAt, ...to },
  });
};

const needs = ({ projectId }: { projectId: string }) => ({ rows: [{ table: 'projects', id: projectId } as const] });

/** False: another request has had the answer meanwhile. */
export const answerProjectEscrow = command<ProjectClaim, { readonly isFirst: boolean }>({
  name: 'answer-project-escrow',
  needs,
  decide({ projectId, orderId }, desk) {
    const project = desk.get('projects', projectId);
    if (project.orderId !== orderId || project.answeredAt !== null) return { isFirst: false };
    const to = { claimedUntil: null, answeredAt: desk.now };
    change(desk, project, { to, action: 'PROJECT_ESCROW_ANSWERED' });
    return { isFirst: true };
  },
});

/** Changes nothing when the claim has run out and somebody else holds one. */
export const leaveProjectEscrow = command<ProjectClaim, void>({
  name: 'leave-project-escrow',
  needs,
  decide({ projectId, orderId, claimedUntil }, desk) {
    const project = desk.get('projects', projectId);
    if (project.orderId !== orderId || project.claimedUntil !== claimedUntil) return;
    change(desk, project, { to: { claimedUntil: null }, action: 'PROJECT_ESCROW_LEFT' });
  },
});

type CallOffInput = Pick<ProjectClaim, 'projectId' | 'orderId'> & { readonly reason: string };

/** Refuses, as canceling an order does, when something may be in escrow. */
export const callOffProjectEscrow = command<CallOffInput, void>({
  name: 'call-off-project-escrow',
  needs: ({ projectId, orderId }) => ({ rows: [...needs({ projectId }).rows, ...onOrder.needs({ orderId }).rows] }),
  needsNext: onOrder.needsNext,
  decide({ projectId, orderId, reason }, desk) {
    cancelOrder.decide({ orderId, reason }, desk);
    const project = desk.get('projects', projectId);
    if (project.orderId !== orderId) return;
    const to = { orderId: null, claimedUntil: null, answeredAt: null };
    change(desk, project, { to, action: 'PROJECT_ESCROW_CALLED_OFF' });
  },
});
