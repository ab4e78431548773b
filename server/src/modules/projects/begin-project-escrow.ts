// Claims the setup of a project's escrow: creates its order, or continues the order of an earlier request that got no reply. While the
// claim lasts, and after the request was answered, no other request can claim it.

import { available } from '../../books/accounts.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { later } from '../operations/operation-work.ts';
import { type CreateOrderInput, createOrder } from '../orders/create-order.ts';
import type { Order } from '../orders/order.ts';
import { isCanceled, type Project } from './project.ts';
import { refusal } from './surface/envelope.ts';

type BeginInput = {
  readonly projectId: string;
  /** The user of the request's token; null: the request had none. */
  readonly personId: string | null;
  readonly order: CreateOrderInput;
  /** Longer than the setup can take. */
  readonly claimMs: number;
};

/** `claimedUntil` identifies the claim: a later claim has another time. */
export type ProjectClaim = { readonly projectId: string; readonly orderId: string; readonly claimedUntil: string };

type Begin = { readonly project: Project; readonly input: BeginInput };

const requireTerms = (work: UnitOfWork, { project, input: { personId, order } }: Begin): void => {
  if (personId !== null && personId !== project.ownerId) throw refusal('notOwner');
  if (order.sellerId === project.ownerId) throw refusal('ownSeller');
  if (!work.find('users', order.sellerId)) throw refusal('noSeller');
  if (order.currency !== project.currency) throw refusal('otherCurrency');
  if (order.amount > project.budget) throw refusal('overBudget');
};

const isSame = (order: Order, requested: CreateOrderInput): boolean =>
  order.sellerId === requested.sellerId && order.amount === requested.amount && order.currency === requested.currency;

/** The order of an earlier request whose claim expired without a reply; null: there is none. */
const interruptedOrder = (work: UnitOfWork, { project, input: { order: requested, claimMs } }: Begin): Order | null => {
  const order = project.orderId === null ? null : work.get('orders', project.orderId);
  if (order === null || isCanceled(order)) return null;
  const { claimedUntil } = project;
  // A claim that lasts longer than `claimMs` was made before the clock was set back.
  const isClaimed = claimedUntil !== null && claimedUntil > work.now && claimedUntil <= later(work.now, claimMs);
  if (isClaimed || project.answeredAt !== null || !isSame(order, requested)) throw refusal('escrowExists');
  return order;
};

/** The reservation makes the final check. This check avoids an order that could only be canceled. */
const requireBalance = (work: UnitOfWork, { buyerId, currency, amount }: CreateOrderInput): void => {
  if (work.balance(available(buyerId, currency)) < amount) throw refusal('tooLittle');
};

export const beginProjectEscrow = command<BeginInput, ProjectClaim>({
  name: 'begin-project-escrow',
  needs: ({ projectId, order }) => ({
    rows: [{ table: 'projects', id: projectId }, ...(createOrder.needs(order).rows ?? [])],
    accounts: [available(order.buyerId, order.currency)],
  }),
  needsNext({ projectId }, work) {
    const orderId = work.find('projects', projectId)?.orderId ?? null;
    return orderId === null ? {} : { rows: [{ table: 'orders', id: orderId }] };
  },
  decide(input, work) {
    const project = work.get('projects', input.projectId);
    if (input.order.buyerId !== project.ownerId) throw new Error("a project's buyer is its owner");
    requireTerms(work, { project, input });
    const left = interruptedOrder(work, { project, input });
    if (left === null) requireBalance(work, input.order);
    const orderId = left?.id ?? createOrder.decide(input.order, work).order.id;
    const claimedUntil = later(work.now, input.claimMs);
    work.put('projects', { ...project, orderId, claimedUntil, answeredAt: null, updatedAt: work.now });
    work.audit({
      action: 'PROJECT_ESCROW_REQUESTED',
      resourceType: 'Project',
      resourceId: project.id,
      userId: project.ownerId,
      before: { orderId: project.orderId },
      after: { orderId, claimedUntil },
    });
    return { projectId: project.id, orderId, claimedUntil };
  },
});
