// Orders: the agreement, its escrow and its settlement. These routes take no Idempotency-Key; the order's own state tells
// whether an action that may have been lost has been done.

import type { HoldfastError } from '../errors.ts';
import { type List, listing, type Page } from '../pages.ts';
import type { OpenDisputeInput } from '../printed/disputes.ts';
import type { DisputeWithOrder, Milestone, Order } from '../printed/order-records.ts';
import type {
  CancelOrderInput,
  CreateOrderInput,
  ListOrdersQuery,
  RefundOrderInput,
  ReleaseOrderInput,
} from '../printed/orders.ts';
import { ROUTES } from '../printed/routes.ts';
import type { Timeline } from '../printed/timeline.ts';
import type { CallOptions, Route, Transport } from '../transport.ts';
import { wait } from '../waiting.ts';

/** How long an action goes on waiting for an outside system after the service has stopped waiting. */
const PATIENCE_MS = 60_000;
const LOOK = { firstMs: 200, mostMs: 2_000 };

export type IdleOptions = CallOptions & {
  /** Gives up waiting after so long, and answers the order as it is then. */
  patienceMs?: number;
};

export const orderResource = (transport: Transport) => {
  const get = (id: string, options?: CallOptions): Promise<Order> =>
    transport.call(ROUTES.getOrder, { params: { id } }, options);

  const whenIdle = async (id: string, { patienceMs = PATIENCE_MS, ...options }: IdleOptions = {}): Promise<Order> => {
    const until = performance.now() + patienceMs;
    for (let ms = LOOK.firstMs; ; ms = Math.min(ms * 2, LOOK.mostMs)) {
      const order = await get(id, options);
      if (order.operation === null || performance.now() + ms > until) return order;
      await wait(ms, options.signal);
    }
  };

  const act = (route: Route, action: Action): Promise<Order> =>
    transport.call<Order>(
      route,
      { params: action.params, body: action.body },
      {
        ...action.options,
        async settle(refusal) {
          const order = await whenIdle(action.id, action.options ?? {});
          if (action.isDone(order)) return order;
          // Still being carried out: neither done nor not done.
          if (order.operation !== null) throw refusal;
          return null;
        },
      },
    );

  return {
    /** Makes the agreement; no money moves yet. With a `clientOrderRef` a lost answer is found again by itself. */
    create: (input: CreateOrderInput, options?: CallOptions): Promise<Order> =>
      transport.call<Order>(
        ROUTES.createOrder,
        { body: input },
        {
          ...options,
          ...(input.clientOrderRef === undefined
            ? {}
            : { settle: (refusal: HoldfastError) => findMade(refusal, { input, get, options }) }),
        },
      ),

    /** With its escrow, dispute, milestones, and what is being carried out for it. Fails with ORDER_NOT_FOUND. */
    get,

    /** All orders, or those that the query describes. */
    list: (query: ListOrdersQuery = {}, options?: CallOptions): List<Order> =>
      listing(transport, ROUTES.listOrders, { query, options }),

    /** Sets the buyer's money aside. Fails with INSUFFICIENT_FUNDS, and the order stays where it was. */
    reserve: (id: string, options?: CallOptions): Promise<Order> =>
      act(ROUTES.reserveOrder, { id, params: { id }, options, isDone: isReserved }),

    /** Calls it off while nothing is in escrow. */
    cancel: (id: string, input: CancelOrderInput = {}, options?: CallOptions): Promise<Order> =>
      act(ROUTES.cancelOrder, { id, params: { id }, body: input, options, isDone: endedAs('CANCELED') }),

    /** All of them; there is no second page. */
    milestones: async (id: string, options?: CallOptions): Promise<Milestone[]> =>
      (await transport.call<Page<Milestone>>(ROUTES.listMilestones, { params: { id } }, options)).items,

    /** Every milestone must be completed before the money can be released. */
    completeMilestone: (id: string, ref: string, options?: CallOptions): Promise<Order> =>
      act(ROUTES.completeMilestone, {
        ...{ id, params: { id, ref }, options },
        isDone: ({ milestones }) => milestones.some((each) => each.ref === ref && each.status === 'COMPLETED'),
      }),

    /** Deploys the contract on the ledger. When an outside system is slow it goes on waiting. */
    createEscrow: (id: string, options?: CallOptions): Promise<Order> =>
      act(ROUTES.createEscrow, { id, params: { id }, options, isDone: ({ escrow }) => !!escrow?.providerContractId }),

    /** Pays the reserved money into the contract: from here on it is out of both parties' hands. */
    fundEscrow: (id: string, options?: CallOptions): Promise<Order> =>
      act(ROUTES.fundEscrow, { id, params: { id }, options, isDone: ({ escrow }) => !!escrow?.fundedAt }),

    /** Pays the seller, less the platform fee. The answer is the closed order. */
    release: (id: string, input: ReleaseOrderInput = {}, options?: CallOptions): Promise<Order> =>
      act(ROUTES.releaseOrder, { id, params: { orderId: id }, body: input, options, isDone: endedAs('RELEASED') }),

    /** Pays the buyer back in full. The answer is the closed order. */
    refund: (id: string, input: RefundOrderInput, options?: CallOptions): Promise<Order> =>
      act(ROUTES.refundOrder, { id, params: { orderId: id }, body: input, options, isDone: endedAs('REFUNDED') }),

    /** Opens a dispute; nothing moves until it is resolved. */
    dispute: (id: string, input: Omit<OpenDisputeInput, 'orderId'>, options?: CallOptions): Promise<DisputeWithOrder> =>
      transport.call<DisputeWithOrder>(
        ROUTES.openDispute,
        { params: { orderId: id }, body: { ...input, orderId: id } },
        {
          ...options,
          async settle() {
            const order = await get(id, options);
            const { dispute } = order;
            const isOurs = dispute?.openedBy === input.openedBy && dispute.reason === input.reason;
            return dispute && isOurs && dispute.status !== 'RESOLVED' ? { ...dispute, order } : null;
          },
        },
      ),

    /** Everything that happened to it: events, postings, ledger transactions, operations, audit entries. */
    timeline: (id: string, options?: CallOptions): Promise<Timeline> =>
      transport.call(ROUTES.getTimeline, { params: { id } }, options),

    /** Waits until nothing is being carried out for it with an outside system, and answers it as it is then. */
    whenIdle,
  };
};

type Action = {
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly options: CallOptions | undefined;
  /** Whether the order shows that this was done. It may be further by now: others go on with it. */
  isDone(order: Order): boolean;
};

const isReserved = ({ status, finalStatus }: Order): boolean =>
  status !== 'ORDER_CREATED' && finalStatus !== 'CANCELED';

const endedAs =
  (finalStatus: Order['finalStatus']) =>
  (order: Order): boolean =>
    order.status === 'CLOSED' && order.finalStatus === finalStatus;

type Found = {
  readonly input: CreateOrderInput;
  readonly options: CallOptions | undefined;
  get(id: string, options?: CallOptions): Promise<Order>;
};

/** The order that an attempt made whose answer was lost; null when somebody else uses the reference for another one. */
const findMade = async (refusal: HoldfastError, { input, options, get }: Found): Promise<Order | null> => {
  if (refusal.code !== 'ORDER_ALREADY_EXISTS') return null;
  const order = await get(String(refusal.details.orderId), options);
  const isSame =
    order.buyerId === input.buyerId &&
    order.sellerId === input.sellerId &&
    order.amount === twoPlaces(input.amount) &&
    order.currency === (input.currency ?? order.currency);
  return isSame ? order : null;
};

/** As the service shows an amount that it has accepted. */
export const twoPlaces = (amount: string): string => {
  const [whole = '', places = ''] = amount.split('.');
  return `${whole.replace(/^0+(?=\d)/, '') || '0'}.${places.padEnd(2, '0')}`;
};
