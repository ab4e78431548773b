// Which deadlines an order has in its present state, by the rules of its policy. A pure function: the rows follow it in the commit that
// changes the state.

import type { DeadlineKind, OrderStatus } from '@holdfast/contract/states.ts';
import type { Milestone, Order } from '../orders/order.ts';
import type { Deadline } from './deadline.ts';
import type { PolicyRules } from './policy.ts';

type WantedDeadline = {
  readonly kind: Exclude<DeadlineKind, 'reminder'>;
  /** As of the row. */
  readonly subject: string;
  readonly milestoneRef: string | null;
  /** From now: a duration of the rules. */
  readonly after: string;
};

const UNFUNDED: readonly OrderStatus[] = ['ORDER_CREATED', 'FUNDS_RESERVED', 'ESCROW_CREATING', 'ESCROW_FUNDING'];

/** A request that fails leads back to IN_PROGRESS, so the deadlines stay until the order is closed. */
const RUNNING: readonly OrderStatus[] = ['IN_PROGRESS', 'RELEASE_REQUESTED', 'REFUND_REQUESTED'];

const whileRunning = (rules: PolicyRules, milestones: readonly Milestone[]): WantedDeadline[] => {
  const { autoReleaseAfter, milestoneInspection, dispute } = rules;
  const isWorkDone = milestones.every(({ status }) => status !== 'OPEN' && status !== 'DISPUTED');
  const inspected = milestoneInspection ? milestones.filter(({ status }) => status === 'COMPLETED') : [];
  const disputed = dispute ? milestones.filter(({ status }) => status === 'DISPUTED') : [];
  return [
    ...(autoReleaseAfter && isWorkDone
      ? [{ kind: 'auto_release' as const, subject: '', milestoneRef: null, after: autoReleaseAfter }]
      : []),
    ...inspected.map(({ ref }) => ({
      kind: 'milestone_inspection' as const,
      subject: ref,
      milestoneRef: ref,
      after: milestoneInspection!.within,
    })),
    ...disputed.map(({ ref, disputeId }) => ({
      kind: 'dispute_decision' as const,
      subject: disputeId ?? '',
      milestoneRef: ref,
      after: dispute!.decideWithin,
    })),
  ];
};

export const wantedDeadlines = (
  rules: PolicyRules,
  { order, milestones }: { readonly order: Order; readonly milestones: readonly Milestone[] },
): WantedDeadline[] => {
  const { cancelUnfundedAfter, dispute } = rules;
  if (cancelUnfundedAfter && UNFUNDED.includes(order.status)) {
    return [{ kind: 'cancel_unfunded', subject: '', milestoneRef: null, after: cancelUnfundedAfter }];
  }
  if (RUNNING.includes(order.status)) return whileRunning(rules, milestones);
  if (dispute && order.status === 'DISPUTED') {
    return [
      { kind: 'dispute_decision', subject: order.disputeId ?? '', milestoneRef: null, after: dispute.decideWithin },
    ];
  }
  return [];
};

/** Whether the order can want a deadline again that it does not want now: its release, after the dispute of a milestone was decided. */
export const mayReturn = ({ kind }: Pick<Deadline, 'kind'>, { status }: Order): boolean =>
  kind === 'auto_release' && RUNNING.includes(status);
