// Creates an order between two users. No money moves: it is reserved by the order's next step.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { orderFee } from '../../books/fees.ts';
import { type Amount, formatAmount, plus, ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { policyFee } from '../policies/fee.ts';
import { deadlinesOf, followDeadlines } from '../policies/follow-deadlines.ts';
import type { Policy } from '../policies/policy.ts';
import { type Milestone, milestoneId, type Order, type OrderView } from './order.ts';

export type CreateOrderInput = {
  readonly buyerId: string;
  readonly sellerId: string;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly title: string;
  readonly description: string | null;
  readonly clientOrderRef: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly platformFeeBps: number;
  readonly milestones: readonly { readonly ref: string; readonly title: string; readonly amount: Amount }[];
  /** Milestones that do not sum to the amount are then refused only when the escrow is created. */
  readonly lenientMilestones: boolean;
  /** The version of a policy that the order takes. */
  readonly policyId?: string | null;
  /** The fee was given for this order, so it goes before the policy's. */
  readonly hasOwnFee?: boolean;
};

type Party = { readonly userId: string; readonly role: 'buyer' | 'seller' };

const requireParty = (work: UnitOfWork, { userId, role }: Party): void => {
  const user = work.find('users', userId);
  if (!user) {
    throw new DomainError('USER_NOT_FOUND', {
      message: `There is no such ${role}. Check the id.`,
      details: { userId, role },
    });
  }
  if (user.status !== 'SUSPENDED') return;
  throw new DomainError('INVALID_STATE', {
    message: `The ${role} is suspended. Reactivate the user, then create the order.`,
    details: { currentState: user.status, allowedActions: ['reactivate'], userId },
    status: 400,
  });
};

const requireNewRef = (work: UnitOfWork, clientOrderRef: string | null): void => {
  if (clientOrderRef === null) return;
  const known = work.findBy('orders', { by: 'clientOrderRef', value: clientOrderRef });
  if (known) throw new DomainError('ORDER_ALREADY_EXISTS', { details: { orderId: known.id, clientOrderRef } });
};

const requireSum = ({ milestones, amount, lenientMilestones }: CreateOrderInput): void => {
  const total = milestones.reduce((sum, milestone) => plus(sum, milestone.amount), ZERO);
  if (milestones.length === 0 || total === amount || lenientMilestones) return;
  throw new DomainError('INVALID_AMOUNT', {
    message: `The milestones sum to ${formatAmount(total)}, the order is ${formatAmount(amount)}. Make them equal.`,
    details: { amount: formatAmount(amount), milestonesTotal: formatAmount(total) },
  });
};

/** The fee of the order: its own, the policy's, or the default. Refuses a fee that would leave the seller nothing. */
const chargedBy = (input: CreateOrderInput, policy: Policy | null) => {
  const own = { platformFeeBps: input.platformFeeBps, feeTerms: null };
  if (policy === null || input.hasOwnFee) return own;
  const charged = policyFee(policy.rules, input.metadata) ?? own;
  const fee = orderFee(charged, input.amount);
  if (fee < input.amount) return charged;
  throw new DomainError('INVALID_AMOUNT', {
    message: `The platform fee of the policy is ${formatAmount(fee)}, so nothing of ${formatAmount(input.amount)} would be left for the seller. Raise the amount, or set metadata.platformFee.`,
    details: { amount: formatAmount(input.amount), platformFee: formatAmount(fee), policyId: policy.id },
  });
};

export const createOrder = command<CreateOrderInput, OrderView>({
  name: 'create-order',
  needs: ({ buyerId, sellerId, clientOrderRef, policyId = null }) => ({
    rows: [
      { table: 'users', id: buyerId },
      { table: 'users', id: sellerId },
      ...(clientOrderRef === null ? [] : [{ table: 'orders', by: 'clientOrderRef', value: clientOrderRef } as const]),
      ...(policyId === null ? [] : [{ table: 'policies', id: policyId } as const]),
    ],
  }),
  decide(input, work) {
    const { lenientMilestones: _, hasOwnFee: __, milestones: requested, policyId = null, ...fields } = input;
    requireParty(work, { userId: input.buyerId, role: 'buyer' });
    requireParty(work, { userId: input.sellerId, role: 'seller' });
    requireNewRef(work, input.clientOrderRef);
    requireSum(input);
    const policy = policyId === null ? null : work.get('policies', policyId);
    const order: Order = {
      ...fields,
      ...chargedBy(input, policy),
      policyId,
      id: work.newId('order'),
      status: 'ORDER_CREATED',
      finalStatus: null,
      escrowId: null,
      disputeId: null,
      operationId: null,
      createdAt: work.now,
      updatedAt: work.now,
    };
    work.put('orders', order);
    const milestones = requested.map(
      ({ ref, title, amount }, place): Milestone => ({
        id: milestoneId(order.id, place),
        orderId: order.id,
        place,
        ref,
        title,
        amount,
        status: 'OPEN',
        completedAt: null,
        releasedAmount: null,
        refundedAmount: null,
        fee: null,
        disputeId: null,
      }),
    );
    for (const milestone of milestones) work.put('milestones', milestone);
    followDeadlines(work, order);
    const { buyerId, sellerId, currency, title, description, clientOrderRef } = order;
    const amount = formatAmount(order.amount);
    work.emit({
      type: 'order.created',
      aggregateId: order.id,
      userId: buyerId,
      payload: {
        orderId: order.id,
        buyerId,
        sellerId,
        amount,
        currency,
        title,
        ...(description === null ? {} : { description }),
        ...(clientOrderRef === null ? {} : { clientOrderRef }),
      },
    });
    work.audit({
      action: 'ORDER_CREATED',
      resourceType: 'Order',
      resourceId: order.id,
      userId: buyerId,
      after: { status: order.status, buyerId, sellerId, amount, currency, milestones: milestones.length },
    });
    const deadlines = policy === null ? [] : deadlinesOf(work, order.id);
    return { order, milestones, escrow: null, dispute: null, operation: null, policy, deadlines };
  },
});
