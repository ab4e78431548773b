// Who may do what to an order, by its policy. An order without a policy has no such rules, and neither have our own jobs: a deadline acts
// for the policy itself, and a webhook tells what has happened.

import type { DisputeOpener, POLICY_ACTIONS, POLICY_ROLES } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import type { Order } from './order.ts';

type Action = (typeof POLICY_ACTIONS)[number];
type Role = (typeof POLICY_ROLES)[number];

type Request = {
  readonly orderId: string;
  readonly action: Action;
  /** The party for which a dispute is opened. */
  readonly openedBy?: DisputeOpener;
};

/** A server without keys has only callers that the operator lets in. */
const rolesOf = ({ context: { actor } }: UnitOfWork, { buyerId, sellerId }: Order): Role[] => {
  if (actor.type !== 'user') return ['operator'];
  return [...(actor.id === buyerId ? ['buyer' as const] : []), ...(actor.id === sellerId ? ['seller' as const] : [])];
};

/** Refuses with 403 when the policy gives the action to others. */
export const requireAllowed = (work: UnitOfWork, { orderId, action, openedBy }: Request): void => {
  const order = work.get('orders', orderId);
  if (order.policyId === null) return;
  const allowed: readonly Role[] | undefined = work.get('policies', order.policyId).rules.allow?.[action];
  if (!allowed) return;
  const roles = [...rolesOf(work, order), ...(openedBy ? [openedBy === 'BUYER' ? 'buyer' : 'seller'] : [])];
  if (roles.some((role) => (allowed as readonly string[]).includes(role))) return;
  throw new DomainError('POLICY_FORBIDS', {
    message: `The order's policy does not allow this caller to ${action.replace('_', ' ')}. Allowed: ${allowed.join(', ')}.`,
    details: { action, allowed: [...allowed], policyId: order.policyId },
  });
};
