// Routes of a project's escrow: it is set up and funded in one call, and its buyer releases it. Both do what Surface A does with an order,
// and nothing else.

import { releaseOrder } from '@holdfast/contract/api/orders.ts';
import * as api from '@holdfast/contract/surface-b/escrows.ts';
import type { RefusalName } from '@holdfast/contract/surface-b/refusals.ts';
import { isDomainError } from '../../base/domain-error.ts';
import { type Amount, DEFAULT_FEE_BPS, formatAmount } from '../../books/money.ts';
import type { Context } from '../../commit/command.ts';
import { ANONYMOUS } from '../../http/caller.ts';
import type { AnyRouteRequest } from '../../http/route.ts';
import type { ApprovalsModule } from '../approvals/wire.ts';
import type { EscrowOperations } from '../escrows/operations/escrow-operations.ts';
import type { CreateOrderInput } from '../orders/create-order.ts';
import type { OrderView } from '../orders/order.ts';
import type { OrderReads } from '../orders/queries.ts';
import { presentEscrow, presentRelease } from './present.ts';
import type { Project } from './project.ts';
import type { ProjectEscrows } from './project-escrow.ts';
import type { ProjectReads } from './queries.ts';
import { refusal } from './surface/envelope.ts';
import { amountOf, personal, route, type SurfaceBRoute } from './surface/route.ts';

type Parts = {
  readonly projects: Pick<ProjectReads, 'find' | 'orderOfEscrow'>;
  readonly orders: Pick<OrderReads, 'find'>;
  readonly operations: Pick<EscrowOperations, 'release'>;
  readonly projectEscrows: Pick<ProjectEscrows, 'init'>;
  readonly approvals: Pick<ApprovalsModule, 'hold'>;
  /** Limits of the amount of one order. */
  readonly amountMin: Amount;
  readonly amountMax: Amount;
  /** Whether the setup of an escrow needs a token. */
  readonly initNeedsToken: boolean;
};

type OrderTerms = Pick<CreateOrderInput, 'sellerId' | 'amount' | 'currency'>;

const orderOf = ({ id, ownerId, title, description }: Project, terms: OrderTerms): CreateOrderInput => ({
  ...terms,
  buyerId: ownerId,
  title,
  description: description || null,
  clientOrderRef: null,
  metadata: { projectId: id },
  platformFeeBps: DEFAULT_FEE_BPS,
  milestones: [],
  lenientMilestones: false,
});

/** The refusals of a release on this surface. */
const RELEASE_REFUSALS: Readonly<Record<string, RefusalName>> = {
  INVALID_STATE: 'notReleasable',
  DISPUTE_ALREADY_OPEN: 'notReleasable',
  PROVIDER_TIMEOUT: 'beingReleased',
};

const releaseRefusalFor = (error: unknown): unknown => {
  const name = isDomainError(error) ? RELEASE_REFUSALS[error.code] : undefined;
  return name ? refusal(name) : error;
};

/** The same release as a request of Surface A, in the name of the buyer: rules of approvals bind both. */
const releaseRequest = (orderId: string, context: Context): AnyRouteRequest => ({
  params: { orderId },
  query: {},
  body: {},
  caller: { ...ANONYMOUS, marketplaceId: context.marketplaceId },
  requestId: context.requestId,
  requestKey: null,
  context,
});

export const escrowRoutes = (parts: Parts): SurfaceBRoute[] => {
  const { projects, orders, operations, projectEscrows, approvals, amountMin, amountMax } = parts;

  const requireWithin = (amount: Amount): void => {
    if (amount >= amountMin && amount <= amountMax) return;
    const min = formatAmount(amountMin);
    const max = formatAmount(amountMax);
    throw refusal('outOfLimits', { validationErrors: [`Amount must be from ${min} to ${max}`] });
  };

  /** The order of a live escrow. */
  const orderOfEscrow = async (marketplaceId: string, escrowId: string): Promise<OrderView> => {
    const orderId = await projects.orderOfEscrow(marketplaceId, escrowId);
    const view = orderId === null ? null : await orders.find(marketplaceId, orderId);
    if (!view) throw refusal('noEscrow');
    return view;
  };

  return [
    route(
      parts.initNeedsToken ? { ...api.initEscrow, access: 'bearer' as const } : api.initEscrow,
      async ({ body, userId: personId, context }) => {
        const { project_id: projectId, seller_id: sellerId, currency } = body;
        const project = await projects.find(context.marketplaceId, projectId);
        if (!project) throw refusal('noProject');
        const order = orderOf(project, { sellerId, currency, amount: amountOf(body.amount) });
        requireWithin(order.amount);
        return presentEscrow(await projectEscrows.init({ projectId, personId, order, context }), projectId);
      },
    ),

    personal(api.releaseEscrow, async ({ body: { escrow_id: escrowId }, userId, context }) => {
      const { order, escrow } = await orderOfEscrow(context.marketplaceId, escrowId);
      if (order.buyerId !== userId) throw refusal('notBuyer');
      // An escrow that was set aside holds no money.
      if (escrow?.id !== escrowId) throw refusal('notReleasable');
      const refuse = (error: unknown): never => {
        throw releaseRefusalFor(error);
      };
      const held = await approvals.hold(releaseOrder, releaseRequest(order.id, context)).catch(refuse);
      if (held) throw refusal('waitsForApproval');
      await operations.release({ orderId: order.id, reason: null, context }).catch(refuse);
      return presentRelease(await orderOfEscrow(context.marketplaceId, escrowId));
    }),
  ];
};
