// Disputes: assign and resolve them. Open one with `orders.dispute`.

import type { Changes } from '../changes.ts';
import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type { AssignDisputeInput, ListDisputesQuery, ResolveDisputeInput } from '../printed/disputes.ts';
import type { Dispute, DisputeWithOrder } from '../printed/order-records.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { type Waitable, type WaitFor, waiterOf } from '../wait-for.ts';
import { type orderResource, twoPlaces } from './orders.ts';

type DisputeWithOrderGoal = 'resolved';

const DISPUTE: Waitable<DisputeWithOrder, DisputeWithOrderGoal> = {
  noun: 'dispute',
  goals: { resolved: ({ status }) => status === 'RESOLVED' },
  usual: 'resolved',
  hasEnded: ({ status }) => status === 'RESOLVED',
  stateOf: ({ status }) => status,
  orderOf: ({ orderId }) => orderId,
};

type Around = {
  readonly orders: Pick<ReturnType<typeof orderResource>, 'whenIdle'>;
  readonly changes: Changes;
};

export const disputeResource = (transport: Transport, { orders, changes }: Around) => {
  const get = (id: string, options?: CallOptions): Promise<DisputeWithOrder> =>
    transport.call(ROUTES.getDispute, { params: { id } }, options);

  return {
    /** One dispute with its order. Fails with DISPUTE_NOT_FOUND. */
    get,

    /** Waits until the dispute is resolved. Fails with STILL_PENDING after `patienceMs`. */
    waitFor: waiterOf(DISPUTE, { changes, get }) as WaitFor<DisputeWithOrder, DisputeWithOrderGoal>,

    /** All disputes, or those that match the query. */
    list: (query: ListDisputesQuery = {}, options?: CallOptions): List<Dispute> =>
      listing(transport, ROUTES.listDisputes, { query, options }),

    /** Assigns the dispute to an agent. A dispute can be resolved only after that. */
    assign: <O extends CallOptions>(
      id: string,
      input: AssignDisputeInput,
      options?: O,
    ): Promise<MaybePreview<DisputeWithOrder, O>> =>
      transport.change<DisputeWithOrder, O>(ROUTES.assignDispute, { params: { id }, body: input }, options),

    /** Resolves the dispute and pays as decided: all to one side, or split. Waits when an outside system is slow. */
    resolve: <O extends CallOptions>(
      id: string,
      input: ResolveDisputeInput,
      options?: O,
    ): Promise<MaybePreview<DisputeWithOrder, O>> =>
      transport.change<DisputeWithOrder, O>(
        ROUTES.resolveDispute,
        {
          params: { id },
          body: input,
          async settle(refusal) {
            const { orderId } = await get(id, options);
            const { operation } = await orders.whenIdle(orderId, options);
            const dispute = await get(id, options);
            if (isResolvedAs(dispute, input)) return dispute;
            if (operation !== null) throw refusal;
            return null;
          },
        },
        options,
      ),
  };
};

/** The decision of another person may have the same name and split the money differently. */
const isResolvedAs = (dispute: Dispute, { decision, releaseAmount }: ResolveDisputeInput): boolean =>
  dispute.status === 'RESOLVED' &&
  dispute.resolutionDecision === decision &&
  (releaseAmount === undefined || dispute.sellerAmount === twoPlaces(releaseAmount));
