// Disputes: taken up by somebody, and decided. They are opened with `orders.dispute`.

import { type List, listing } from '../pages.ts';
import type { AssignDisputeInput, ListDisputesQuery, ResolveDisputeInput } from '../printed/disputes.ts';
import type { Dispute, DisputeWithOrder } from '../printed/order-records.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { type orderResource, twoPlaces } from './orders.ts';

export const disputeResource = (transport: Transport, orders: Pick<ReturnType<typeof orderResource>, 'whenIdle'>) => {
  const get = (id: string, options?: CallOptions): Promise<DisputeWithOrder> =>
    transport.call(ROUTES.getDispute, { params: { id } }, options);

  return {
    /** With its order. Fails with DISPUTE_NOT_FOUND. */
    get,

    /** All disputes, or those that the query describes. */
    list: (query: ListDisputesQuery = {}, options?: CallOptions): List<Dispute> =>
      listing(transport, ROUTES.listDisputes, { query, options }),

    /** Somebody takes it up; only then it can be decided. */
    assign: (id: string, input: AssignDisputeInput, options?: CallOptions): Promise<DisputeWithOrder> =>
      transport.call(ROUTES.assignDispute, { params: { id }, body: input }, options),

    /** Pays as decided: all to one side, or split. When an outside system is slow it goes on waiting. */
    resolve: (id: string, input: ResolveDisputeInput, options?: CallOptions): Promise<DisputeWithOrder> =>
      transport.call<DisputeWithOrder>(
        ROUTES.resolveDispute,
        { params: { id }, body: input },
        {
          ...options,
          async settle(refusal) {
            const { orderId } = await get(id, options);
            const { operation } = await orders.whenIdle(orderId, options);
            const dispute = await get(id, options);
            if (isResolvedAs(dispute, input)) return dispute;
            // Still being carried out: neither done nor not done.
            if (operation !== null) throw refusal;
            return null;
          },
        },
      ),
  };
};

/** Somebody else's decision may have the same name and split the money otherwise. */
const isResolvedAs = (dispute: Dispute, { decision, releaseAmount }: ResolveDisputeInput): boolean =>
  dispute.status === 'RESOLVED' &&
  dispute.resolutionDecision === decision &&
  (releaseAmount === undefined || dispute.sellerAmount === twoPlaces(releaseAmount));
