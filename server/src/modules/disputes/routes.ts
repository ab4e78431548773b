// Dispute routes.

import * as api from '@holdfast/contract/api/disputes.ts';
import { disputeMilestone as disputeMilestoneRow } from '@holdfast/contract/api/orders.ts';
import type { DisputeDecision } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, ZERO } from '../../books/money.ts';
import type { Context } from '../../commit/command.ts';
import { pageRequest, validAmount } from '../../http/checked-values.ts';
import { act, list, type Route, read, write } from '../../http/route.ts';
import type { Operations } from '../operations/operations.ts';
import type { DisputeView } from '../orders/order.ts';
import { presentDispute, presentOrder } from '../orders/present.ts';
import { weighPayment } from '../orders/weigh-payment.ts';
import { assignDispute } from './assign-dispute.ts';
import { disputeMilestone, openDispute } from './open-dispute.ts';
import type { DisputeReads } from './queries.ts';
import { beginResolution, previewResolution } from './resolve-dispute.ts';

type Parts = {
  readonly disputes: Pick<DisputeReads, 'find' | 'list' | 'orderOf'>;
  readonly operations: Pick<Operations, 'start'>;
};

const NOTHING = /^0{1,11}(\.0{1,2})?$/;

/** One side may get zero. The command checks whether the two amounts fit together. */
const share = (text: string | undefined): Amount | null => {
  if (text === undefined) return null;
  return NOTHING.test(text) ? ZERO : validAmount(text);
};

type Decided = {
  readonly decision: DisputeDecision;
  readonly releaseAmount?: string;
  readonly refundAmount?: string;
  readonly note?: string | null;
};

const decisionOf = ({ decision, note = null, releaseAmount, refundAmount }: Decided) => ({
  decision,
  note,
  sellerAmount: share(releaseAmount),
  buyerAmount: share(refundAmount),
});

const presentDisputeWithOrder = ({ dispute, order }: DisputeView) => ({
  ...presentDispute(dispute),
  order: presentOrder(order),
});

export const disputeRoutes = ({ disputes, operations }: Parts): Route[] => {
  const show = async ({ marketplaceId }: Context, disputeId: string) => {
    const view = await disputes.find(marketplaceId, disputeId);
    if (!view) throw new DomainError('DISPUTE_NOT_FOUND');
    return presentDisputeWithOrder(view);
  };

  const orderOf = async ({ marketplaceId }: Context, disputeId: string): Promise<string> => {
    const orderId = await disputes.orderOf(marketplaceId, disputeId);
    if (orderId === null) throw new DomainError('DISPUTE_NOT_FOUND');
    return orderId;
  };

  return [
    write(api.openDispute, {
      command: openDispute,
      // The body may name another order; the path decides.
      input: ({ params: { orderId }, body: { openedBy, reason, evidence = null } }) => ({
        orderId,
        openedBy,
        reason,
        evidence,
      }),
      present: presentDisputeWithOrder,
    }),
    write(disputeMilestoneRow, {
      command: disputeMilestone,
      // The body may name another order; the path decides.
      input: ({ params: { id: orderId, ref }, body: { openedBy, reason, evidence = null } }) => ({
        orderId,
        ref,
        openedBy,
        reason,
        evidence,
      }),
      present: presentOrder,
    }),
    list(api.listDisputes, async ({ query, context }) => {
      const page = await disputes.list(pageRequest('dispute', { query, context }));
      return { items: page.rows.map(presentDispute), nextCursor: page.nextCursor };
    }),
    read(api.getDispute, ({ params, context }) => show(context, params.id)),
    write(api.assignDispute, {
      command: assignDispute,
      input: async ({ params, body, context }) => ({
        disputeId: params.id,
        orderId: await orderOf(context, params.id),
        assignedTo: body.assignedTo,
      }),
      present: presentDisputeWithOrder,
    }),
    act(api.resolveDispute, {
      async answer({ params, body, context }) {
        const input = { ...decisionOf(body), disputeId: params.id, orderId: await orderOf(context, params.id) };
        await operations.start({ command: beginResolution, input, context });
        return show(context, params.id);
      },
      async preview({ params, body, context }, preview) {
        const input = { ...decisionOf(body), disputeId: params.id, orderId: await orderOf(context, params.id) };
        return presentDisputeWithOrder(await previewResolution(preview, input));
      },
      approval: {
        actions: ['dispute.resolve'],
        weighPreview({ data: { order }, changes }) {
          const { id: orderId, buyerId: userId, currency } = order;
          return weighPayment({ action: 'dispute.resolve', orderId, userId, currency, changes });
        },
        current: ({ params, context }) => show(context, params.id),
      },
    }),
  ];
};
