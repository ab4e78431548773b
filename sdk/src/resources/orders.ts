// Orders: the agreement, its escrow and its settlement. These routes use no Idempotency-Key: the state of the order shows whether an
// action whose answer was lost has been done.

import type { HoldfastError } from '../errors.ts';
import { type List, listing, type Page } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type { OpenDisputeInput } from '../printed/disputes.ts';
import type { DisputeWithOrder, Milestone, Order } from '../printed/order-records.ts';
import type {
  CancelOrderInput,
  CreateOrderInput,
  DisputeMilestoneInput,
  ListOrdersQuery,
  RefundMilestoneInput,
  RefundOrderInput,
  ReleaseMilestoneInput,
  ReleaseOrderInput,
} from '../printed/orders.ts';
import type {
  ExtendDeadlineInput,
  GetOutlookResult,
  HoldDeadlineInput,
  ResumeDeadlineInput,
  TriggerDeadlineInput,
} from '../printed/policies.ts';
import { ROUTES } from '../printed/routes.ts';
import type { Timeline } from '../printed/timeline.ts';
import type { CallOptions, Route, Transport } from '../transport.ts';
import { type OrderReads, orderReads } from './order-reads.ts';

export type IdleOptions = CallOptions & {
  /** Stops waiting after this time, and returns the order in its current state. */
  patienceMs?: number;
};

/** A deadline of an order, by its kind. */
type NamedDeadline<Input> = Input & { kind: Order['deadlines'][number]['kind'] };

/** What an operator does to the deadlines of an order that has a policy. */
const deadlineActions = (transport: Transport) => {
  const act =
    <Input>(route: Route) =>
    <O extends CallOptions>(
      id: string,
      { kind, ...body }: NamedDeadline<Input>,
      options?: O,
    ): Promise<MaybePreview<Order, O>> =>
      transport.change<Order, O>(route, { params: { id, kind }, body }, options);

  return {
    /** It does not pass until it is resumed or triggered. */
    holdDeadline: act<HoldDeadlineInput>(ROUTES.holdDeadline),

    /** A deadline whose time was reached while it was held passes at once. */
    resumeDeadline: act<ResumeDeadlineInput>(ROUTES.resumeDeadline),

    /** Sets a later time. */
    extendDeadline: act<ExtendDeadlineInput>(ROUTES.extendDeadline),

    /** Carries it out now. */
    triggerDeadline: act<TriggerDeadlineInput>(ROUTES.triggerDeadline),
  };
};

type Act = <O extends CallOptions>(route: Route, action: Action<O>) => Promise<MaybePreview<Order, O>>;

/** Each milestone of an order with two or more of them can be paid or disputed on its own. */
const milestoneActions = (act: Act) => ({
  /** Pays the seller one completed milestone, minus its part of the platform fee. With the last one the order is closed. */
  releaseMilestone: <O extends CallOptions>(
    id: string,
    input: OfMilestone & ReleaseMilestoneInput,
    options?: O,
  ): Promise<MaybePreview<Order, O>> =>
    act(ROUTES.releaseMilestone, ofMilestone({ id, input, options, status: 'RELEASED' })),

  /** Pays the buyer one milestone back. With the last one the order is closed. */
  refundMilestone: <O extends CallOptions>(
    id: string,
    input: OfMilestone & RefundMilestoneInput,
    options?: O,
  ): Promise<MaybePreview<Order, O>> =>
    act(ROUTES.refundMilestone, ofMilestone({ id, input, options, status: 'REFUNDED' })),

  /** Opens a dispute about one milestone; the others go on. */
  disputeMilestone: <O extends CallOptions>(
    id: string,
    input: OfMilestone & DisputeMilestoneInput,
    options?: O,
  ): Promise<MaybePreview<Order, O>> =>
    act(ROUTES.disputeMilestone, ofMilestone({ id, input, options, status: 'DISPUTED' })),
});

/** The actions on an order. After a lost answer the state of the order shows whether the action was done. */
const orderActions = (transport: Transport, { whenIdle }: OrderReads) => {
  const act: Act = (route, action) =>
    transport.change(
      route,
      {
        params: action.params,
        body: action.body,
        async settle(refusal) {
          const order = await whenIdle(action.id, action.options ?? {});
          if (action.isDone(order)) return order;
          // Still in progress: neither done nor failed.
          if (order.operation !== null) throw refusal;
          return null;
        },
      },
      action.options,
    );

  return {
    ...milestoneActions(act),

    /** Reserves the buyer's money. Fails with INSUFFICIENT_FUNDS, and the order stays unchanged. */
    reserve: <O extends CallOptions>(id: string, options?: O): Promise<MaybePreview<Order, O>> =>
      act(ROUTES.reserveOrder, { id, params: { id }, options, isDone: isReserved }),

    /** Cancels the order while no money is in escrow. */
    cancel: <O extends CallOptions>(
      id: string,
      input: CancelOrderInput = {},
      options?: O,
    ): Promise<MaybePreview<Order, O>> =>
      act(ROUTES.cancelOrder, { id, params: { id }, body: input, options, isDone: endedAs('CANCELED') }),

    /** Completes a milestone. All milestones must be completed before the money can be released. */
    completeMilestone: <O extends CallOptions>(id: string, ref: string, options?: O): Promise<MaybePreview<Order, O>> =>
      act(ROUTES.completeMilestone, {
        id,
        params: { id, ref },
        options,
        isDone: ({ milestones }) => milestones.some((each) => each.ref === ref && each.status === 'COMPLETED'),
      }),

    /** Deploys the contract on the ledger. Waits when an outside system is slow. */
    createEscrow: <O extends CallOptions>(id: string, options?: O): Promise<MaybePreview<Order, O>> =>
      act(ROUTES.createEscrow, { id, params: { id }, options, isDone: ({ escrow }) => !!escrow?.providerContractId }),

    /** Pays the reserved money into the contract. Neither party can move it alone from here on. */
    fundEscrow: <O extends CallOptions>(id: string, options?: O): Promise<MaybePreview<Order, O>> =>
      act(ROUTES.fundEscrow, { id, params: { id }, options, isDone: ({ escrow }) => !!escrow?.fundedAt }),

    /** Pays the seller, minus the platform fee. Returns the closed order. */
    release: <O extends CallOptions>(
      id: string,
      input: ReleaseOrderInput = {},
      options?: O,
    ): Promise<MaybePreview<Order, O>> =>
      act(ROUTES.releaseOrder, { id, params: { orderId: id }, body: input, options, isDone: endedAs('RELEASED') }),

    /** Pays the buyer back in full. Returns the closed order. */
    refund: <O extends CallOptions>(
      id: string,
      input: RefundOrderInput,
      options?: O,
    ): Promise<MaybePreview<Order, O>> =>
      act(ROUTES.refundOrder, { id, params: { orderId: id }, body: input, options, isDone: endedAs('REFUNDED') }),
  };
};

export const orderResource = (transport: Transport) => {
  const reads = orderReads(transport);
  const { get } = reads;
  return {
    ...reads,
    ...orderActions(transport, reads),
    ...deadlineActions(transport),

    /** Creates an order; no money moves yet. With a `clientOrderRef` an order whose answer was lost is found automatically. */
    create: <O extends CallOptions>(input: CreateOrderInput, options?: O): Promise<MaybePreview<Order, O>> =>
      transport.change<Order, O>(
        ROUTES.createOrder,
        {
          body: input,
          ...(input.clientOrderRef === undefined
            ? {}
            : { settle: (refusal: HoldfastError) => findMade(refusal, { input, get, options }) }),
        },
        options,
      ),

    /** All orders, or those that match the query. */
    list: (query: ListOrdersQuery = {}, options?: CallOptions): List<Order> =>
      listing(transport, ROUTES.listOrders, { query, options }),

    /** All milestones, on one page. */
    milestones: async (id: string, options?: CallOptions): Promise<Milestone[]> =>
      (await transport.call<Page<Milestone>>(ROUTES.listMilestones, { params: { id } }, options)).items,

    /** Opens a dispute; no money moves until it is resolved. */
    dispute: <O extends CallOptions>(
      id: string,
      input: Omit<OpenDisputeInput, 'orderId'>,
      options?: O,
    ): Promise<MaybePreview<DisputeWithOrder, O>> =>
      transport.change<DisputeWithOrder, O>(
        ROUTES.openDispute,
        {
          params: { orderId: id },
          body: { ...input, orderId: id },
          async settle() {
            const order = await get(id, options);
            const { dispute } = order;
            const isOurs = dispute?.openedBy === input.openedBy && dispute.reason === input.reason;
            return dispute && isOurs && dispute.status !== 'RESOLVED' ? { ...dispute, order } : null;
          },
        },
        options,
      ),

    /** What happens when, if no one acts: the deadlines to come, each with a preview. */
    outlook: (id: string, options?: CallOptions): Promise<GetOutlookResult> =>
      transport.call(ROUTES.getOutlook, { params: { id } }, options),

    /** The timeline of the order: events, postings, ledger transactions, operations, audit entries. */
    timeline: (id: string, options?: CallOptions): Promise<Timeline> =>
      transport.call(ROUTES.getTimeline, { params: { id } }, options),
  };
};

type Action<O extends CallOptions = CallOptions> = {
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly options: O | undefined;
  /** Whether the order shows that the action was done. The order may be further by now. */
  isDone(order: Order): boolean;
};

/** The reference of the milestone that is paid or disputed on its own. */
type OfMilestone = { readonly ref: string };

type MilestoneAction<O extends CallOptions> = {
  readonly id: string;
  readonly input: OfMilestone;
  readonly options: O | undefined;
  readonly status: Milestone['status'];
};

const ofMilestone = <O extends CallOptions>({
  id,
  input: { ref, ...body },
  options,
  status,
}: MilestoneAction<O>): Action<O> => ({
  id,
  params: { id, ref },
  body,
  options,
  isDone: ({ milestones }) => milestones.some((each) => each.ref === ref && each.status === status),
});

const isReserved = ({ status, finalStatus }: Order): boolean =>
  status !== 'ORDER_CREATED' && finalStatus !== 'CANCELED';

/** Where milestones were paid to the other side before, the settlement of the rest ends the order as SPLIT. */
const endedAs =
  (finalStatus: Order['finalStatus']) =>
  (order: Order): boolean =>
    order.status === 'CLOSED' &&
    (order.finalStatus === finalStatus ||
      (finalStatus !== 'CANCELED' && order.finalStatus === 'SPLIT' && order.paid !== undefined));

type Found = {
  readonly input: CreateOrderInput;
  readonly options: CallOptions | undefined;
  get(id: string, options?: CallOptions): Promise<Order>;
};

/** The order of an attempt whose answer was lost; null when another order uses the reference. */
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

/** The amount as the service shows it. */
export const twoPlaces = (amount: string): string => {
  const [whole = '', places = ''] = amount.split('.');
  return `${whole.replace(/^0+(?=\d)/, '') || '0'}.${places.padEnd(2, '0')}`;
};
