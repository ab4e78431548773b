// Order routes. A request that reaches an outside system starts an operation: it resolves when the operation is done, and the reply
// is read again from the database.

import * as api from '@holdfast/contract/api/orders.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type { ApprovalAction } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Context } from '../../commit/command.ts';
import type { PreviewChanges } from '../../commit/preview/preview.ts';
import type { Config } from '../../config/config.ts';
import { ANONYMOUS, contextOf } from '../../http/caller.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { act, list, type Route, read, write } from '../../http/route.ts';
import type { EscrowOperations } from '../escrows/operations/escrow-operations.ts';
import type { EscrowPreviews } from '../escrows/operations/preview-escrow.ts';
import type { PolicyReads } from '../policies/queries.ts';
import { cancelOrder } from './cancel-order.ts';
import { completeMilestone } from './complete-milestone.ts';
import { createOrder } from './create-order.ts';
import type { OrderView } from './order.ts';
import { orderInput, orderRules } from './order-body.ts';
import { presentMilestone, presentOrder } from './present.ts';
import type { OrderReads } from './queries.ts';
import { reserveOrder } from './reserve-order.ts';
import { weighPayment } from './weigh-payment.ts';

type Parts = {
  readonly orders: Pick<OrderReads, 'find' | 'list'>;
  readonly policies: Pick<PolicyReads, 'resolve'>;
  readonly operations: EscrowOperations;
  readonly previews: EscrowPreviews;
  readonly config: Pick<Config, 'money' | 'orders'>;
};

type EscrowRouteParts = Pick<Parts, 'operations' | 'previews'> & {
  show(context: Context, orderId: string): Promise<ReturnType<typeof presentOrder>>;
};

type ShownOrder = ReturnType<typeof presentOrder>;

const approvalOf = <Request>(action: ApprovalAction, current: (request: Request) => Promise<ShownOrder>) => ({
  actions: [action],
  weighPreview: ({ data, changes }: { readonly data: ShownOrder; readonly changes: PreviewChanges }) => {
    const { id: orderId, buyerId: userId, currency } = data;
    return weighPayment({ action, orderId, userId, currency, changes });
  },
  current,
});

/** Requests that start an operation. */
const escrowRoutes = ({ operations, previews, show }: EscrowRouteParts): Route[] => [
  act(api.createEscrow, {
    async answer({ params, context }) {
      await operations.createEscrow({ orderId: params.id, context });
      return show(context, params.id);
    },
    preview: async ({ params }, preview) => presentOrder(await previews.createEscrow(preview, { orderId: params.id })),
  }),
  act(api.fundEscrow, {
    async answer({ params, context }) {
      await operations.fundEscrow({ orderId: params.id, context });
      return show(context, params.id);
    },
    preview: async ({ params }, preview) => presentOrder(await previews.fundEscrow(preview, { orderId: params.id })),
  }),
  act(api.releaseOrder, {
    async answer({ params: { orderId }, body, context }) {
      await operations.release({ orderId, reason: body.reason ?? null, context });
      return show(context, orderId);
    },
    preview: async ({ params: { orderId }, body }, preview) =>
      presentOrder(await previews.release(preview, { orderId, reason: body.reason ?? null })),
    approval: approvalOf('order.release', ({ params: { orderId }, context }) => show(context, orderId)),
  }),
  act(api.refundOrder, {
    async answer({ params: { orderId }, body, context }) {
      await operations.refund({ orderId, reason: body.reason, context });
      return show(context, orderId);
    },
    preview: async ({ params: { orderId }, body }, preview) =>
      presentOrder(await previews.refund(preview, { orderId, reason: body.reason })),
    approval: approvalOf('order.refund', ({ params: { orderId }, context }) => show(context, orderId)),
  }),
];

const milestoneRoutes = ({ operations, previews, show }: EscrowRouteParts): Route[] => [
  act(api.releaseMilestone, {
    async answer({ params: { id: orderId, ref }, body, context }) {
      await operations.releaseMilestone({ orderId, ref, reason: body.reason ?? null, context });
      return show(context, orderId);
    },
    preview: async ({ params: { id: orderId, ref }, body }, preview) =>
      presentOrder(await previews.releaseMilestone(preview, { orderId, ref, reason: body.reason ?? null })),
    approval: approvalOf('order.release', ({ params: { id }, context }) => show(context, id)),
  }),
  act(api.refundMilestone, {
    async answer({ params: { id: orderId, ref }, body, context }) {
      await operations.refundMilestone({ orderId, ref, reason: body.reason, context });
      return show(context, orderId);
    },
    preview: async ({ params: { id: orderId, ref }, body }, preview) =>
      presentOrder(await previews.refundMilestone(preview, { orderId, ref, reason: body.reason })),
    approval: approvalOf('order.refund', ({ params: { id }, context }) => show(context, id)),
  }),
];

export const orderRoutes = ({ orders, policies, operations, previews, config }: Parts): Route[] => {
  const rules = orderRules(config);
  const get = async ({ marketplaceId }: Context, orderId: string): Promise<OrderView> => {
    const view = await orders.find(marketplaceId, orderId);
    if (!view) throw new DomainError('ORDER_NOT_FOUND');
    return view;
  };
  const show = async (context: Context, orderId: string) => presentOrder(await get(context, orderId));

  /** By its id, or the newest version of a name. */
  const policyId = async ({ marketplaceId }: Context, policy: string): Promise<string> => {
    const id = await policies.resolve(marketplaceId, policy);
    if (id !== null) return id;
    throw new DomainError('POLICY_NOT_FOUND', {
      message: `There is no policy ${JSON.stringify(policy)}. Create it with POST /policies, or list the policies.`,
      details: { policy },
    });
  };

  return [
    write(api.createOrder, {
      command: createOrder,
      async input({ body, context }) {
        const input = orderInput(body, rules);
        return body.policy === undefined ? input : { ...input, policyId: await policyId(context, body.policy) };
      },
      present: presentOrder,
    }),
    list(api.listOrders, async ({ query, context }) => {
      const page = await orders.list(pageRequest('order', { query, context }));
      return { items: page.rows.map(presentOrder), nextCursor: page.nextCursor };
    }),
    read(api.getOrder, ({ params, context }) => show(context, params.id)),
    write(api.reserveOrder, {
      command: reserveOrder,
      input: ({ params }) => ({ orderId: params.id }),
      present: presentOrder,
    }),
    write(api.cancelOrder, {
      command: cancelOrder,
      input: ({ params, body }) => ({ orderId: params.id, reason: body.reason ?? null }),
      present: presentOrder,
    }),
    list(api.listMilestones, async ({ params, context }) => {
      const { milestones } = await get(context, params.id);
      return { items: milestones.map(presentMilestone), nextCursor: null };
    }),
    write(api.completeMilestone, {
      command: completeMilestone,
      input: ({ params }) => ({ orderId: params.id, ref: params.ref }),
      present: presentOrder,
    }),
    ...escrowRoutes({ operations, previews, show }),
    ...milestoneRoutes({ operations, previews, show }),
  ];
};

/** Seven days, as in an earlier description of the service. */
const ANSWERS_KEPT_HOURS = 7 * 24;

/** The routes with an Idempotency-Key that counts, where ORDER_IDEMPOTENCY says so. */
export const withIdempotency = (routes: readonly Route[]): Route[] =>
  routes.map((route) =>
    route.endpoint.method === 'GET'
      ? route
      : { ...route, endpoint: { ...route.endpoint, idempotent: true }, retentionHours: ANSWERS_KEPT_HOURS },
  );

type PathParams = { readonly id?: string; readonly orderId?: string };

/**
 * The routes without keys, for callers that move over from a service without keys. A key that is sent is ignored. The routes act in the
 * marketplace of the order in the path, as the anonymous caller.
 */
export const withoutKeys = (routes: readonly Route[], find: (orderId: string) => Promise<string | null>): Route[] => {
  /** The default marketplace when the order does not exist: the route refuses the request there. */
  const marketplaceOf = async ({ id, orderId = id }: PathParams): Promise<string> =>
    orderId === undefined ? DEFAULT_MARKETPLACE : ((await find(orderId)) ?? DEFAULT_MARKETPLACE);

  return routes.map((route) => ({
    ...route,
    endpoint: { ...route.endpoint, access: 'public' },
    async place(request) {
      const caller = { ...ANONYMOUS, marketplaceId: await marketplaceOf(request.params) };
      return { ...request, caller, context: contextOf(caller, request.requestId) };
    },
  }));
};
