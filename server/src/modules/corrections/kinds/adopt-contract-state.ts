// Brings an order to the state of its contract, when a report was false or the contract has moved without us. The provider and the ledger
// have to show the same. Every step goes through the machines, with the postings and fees of an ordinary settlement.

import { DomainError } from '../../../base/domain-error.ts';
import { orderEscrow } from '../../../books/accounts.ts';
import { type Amount, formatAmount, formatExact } from '../../../books/money.ts';
import type { UnitOfWork } from '../../../commit/command.ts';
import { balanceOf } from '../../../commit/money.ts';
import { adoptResolution } from '../../disputes/adopt-resolution.ts';
import { disputeMilestoneOn, openDisputeOn } from '../../disputes/open-dispute.ts';
import { adoptMilestone } from '../../escrows/adopt-milestone.ts';
import { confirmFunding } from '../../escrows/end-funding.ts';
import { callKey } from '../../escrows/escrow.ts';
import { confirmRelease } from '../../escrows/release-and-refund.ts';
import { paidByReport, paidFor, reopenOrder, undoMilestones, unfundOrder } from '../../escrows/undo-report.ts';
import type { FindOrder } from '../../operations/operation-context.ts';
import type { OrderView } from '../../orders/order.ts';
import { liveEscrow, orderNeeds, orderNeedsNext, viewOf } from '../../orders/order-work.ts';
import { openProviderDispute } from '../../webhooks/provider-disputes.ts';
import { type ContractReads, contractOf } from '../contract-reads.ts';
import { type ContractState, contractStateOf, nextStep, type Step } from '../contract-state.ts';
import type { Figures } from '../correction.ts';
import { type AnyKind, type CorrectionRequest, correctionKind, doesNotFit, factsUnknown } from '../kind.ts';

type Parts = { readonly findOrder: FindOrder; readonly contracts: ContractReads };

type Seen = ContractState & {
  /** The rows of the order and its escrow at that time. */
  readonly rows: string;
  readonly addresses: readonly string[];
};

/** Every operation of the order and every report about it changes them. Calls that are only adopted from the ledger do not. */
const rowsOf = ({ order, escrow }: OrderView): string => [order.updatedAt, escrow?.id, escrow?.status].join(' ');

declare module '../../../commit/reactions.ts' {
  interface Reactions {
    /** These wallets may have transactions on the ledger that the books do not have. */
    'wallets-behind': { readonly addresses: readonly string[] };
  }
}

const factsOf = ({ order, escrow, operation }: OrderView, state: ContractState | null): Figures => ({
  orderStatus: order.status,
  finalStatus: order.finalStatus,
  escrowStatus: escrow?.status ?? null,
  operation: operation?.kind ?? null,
  amount: formatAmount(order.amount),
  currency: order.currency,
  ...(state
    ? { inContract: formatExact(state.held), calls: state.calls.map(callKey), isDisputed: state.isDisputed }
    : {}),
});

type Fit = { readonly view: OrderView; readonly state: ContractState | null };

const refuse = (request: CorrectionRequest, { view, state, message }: Fit & { readonly message: string }): never => {
  throw doesNotFit({ ...request, message, facts: factsOf(view, state) });
};

/** An operation, or a call in flight, brings the order further on its own. */
const requireQuiet = (request: CorrectionRequest, { view, state }: Fit): void => {
  const { escrow, operation, order } = view;
  if (operation) {
    const message = `The operation ${operation.kind} runs on the order. Wait for its end, or retry it with retry-operation.`;
    refuse(request, { view, state, message });
  }
  if (!escrow || contractOf(escrow) === null) {
    refuse(request, {
      view,
      state,
      message: `The order has no contract: it is ${order.status}. Nothing can be adopted.`,
    });
  }
  if (escrow?.transactionId === null) return;
  refuse(request, {
    view,
    state,
    message: 'A call of the contract is in progress. Try the correction again in a minute.',
  });
};

const figures = (work: UnitOfWork, orderId: string): Figures => {
  const { order, escrow, milestones, dispute } = viewOf(work, orderId);
  const { currency } = order;
  const buyer = balanceOf(work, { userId: order.buyerId, currency });
  const seller = balanceOf(work, { userId: order.sellerId, currency });
  return {
    orderStatus: order.status,
    finalStatus: order.finalStatus,
    escrowStatus: escrow?.status ?? null,
    milestones: Object.fromEntries(milestones.map(({ ref, status }) => [ref, status])),
    disputeStatus: dispute?.status ?? null,
    inEscrow: formatAmount(work.balance(orderEscrow(orderId, currency))),
    buyerAvailable: formatAmount(buyer.available),
    buyerReserved: formatAmount(buyer.reserved),
    sellerAvailable: formatAmount(seller.available),
  };
};

type Applied = { readonly orderId: string; readonly request: CorrectionRequest; readonly seen: Seen };

type Paid = { readonly userId: string; readonly amount: Amount };

/** The user may have spent what a false report paid. Then the operator decides who bears it. */
const requireReturnable = (work: UnitOfWork, { orderId, request, seen, paid }: Applied & { paid: Paid }): void => {
  const view = viewOf(work, orderId);
  const { userId, amount } = paid;
  const { currency } = view.order;
  const { available } = balanceOf(work, { userId, currency });
  if (available >= amount) return;
  const message =
    `The user ${userId} has ${formatAmount(available)} ${currency} of the ${formatAmount(amount)} that the false report paid. ` +
    `Credit the difference with POST /users/${userId}/balance/credit, which the operator bears, and make the correction again.`;
  refuse(request, { view, state: seen, message });
};

const takeBackMilestones = (
  work: UnitOfWork,
  { places, ...applied }: Applied & Extract<Step, { kind: 'undo-milestones' }>,
): void => {
  const { orderId, request, seen } = applied;
  const view = viewOf(work, orderId);
  const { sellerId, buyerId } = view.order;
  const { seller, buyer } = paidFor(view, places);
  requireReturnable(work, { ...applied, paid: { userId: sellerId, amount: seller } });
  requireReturnable(work, { ...applied, paid: { userId: buyerId, amount: buyer } });
  undoMilestones(work, { orderId, places, reason: request.reason, onLedger: seen.calls });
};

const BY_PROVIDER = { openedBy: 'BUYER', reason: 'OTHER', evidence: null } as const;

const payMilestones = (
  work: UnitOfWork,
  { paid, ...applied }: Applied & Extract<Step, { kind: 'pay-milestones' }>,
): void => {
  const { orderId, request, seen } = applied;
  for (const { milestone, seller, buyer } of paid) {
    const { ref, place } = milestone;
    const isReleased = seen.calls.some(({ call, milestone: of }) => call === 'release' && of === place);
    if (isReleased && milestone.status !== 'DISPUTED') {
      adoptMilestone(work, { orderId, ref, kind: 'release' });
      continue;
    }
    if (milestone.status !== 'DISPUTED') disputeMilestoneOn(work, { orderId, ref, ...BY_PROVIDER });
    const disputeId = viewOf(work, orderId).milestones.find((each) => each.ref === ref)?.disputeId ?? '';
    adoptResolution(work, { orderId, disputeId, seller, buyer, note: request.reason });
  }
};

const apply = (work: UnitOfWork, { step, ...applied }: Applied & { readonly step: Step }): void => {
  const { orderId, request, seen } = applied;
  const { reason } = request;
  const view = viewOf(work, orderId);
  switch (step.kind) {
    case 'confirm-funding':
      confirmFunding(work, { orderId });
      break;
    case 'undo-funding':
      unfundOrder(work, { orderId, reason });
      break;
    case 'reopen':
      requireReturnable(work, { ...applied, paid: paidByReport(view) });
      reopenOrder(work, { orderId, reason, onLedger: seen.calls });
      break;
    case 'open-dispute':
      openProviderDispute(work, { view: { ...view, escrow: liveEscrow(view) }, places: seen.disputed });
      break;
    case 'release':
      confirmRelease(work, { orderId });
      break;
    case 'resolve': {
      const known = view.order.status === 'DISPUTED' ? view.order.disputeId : null;
      const disputeId = known ?? openDisputeOn(work, { orderId, ...BY_PROVIDER }).id;
      adoptResolution(work, { orderId, disputeId, seller: step.seller, buyer: step.buyer, note: reason });
      break;
    }
    case 'undo-milestones':
      takeBackMilestones(work, { ...applied, ...step });
      break;
    case 'pay-milestones':
      payMilestones(work, { ...applied, ...step });
  }
};

/** A false payout after a false funding, and the payout that the contract really made, are three steps. */
const STEPS_MAX = 4;

const applyAll = (work: UnitOfWork, applied: Applied): readonly Step['kind'][] => {
  const { orderId, request, seen: state } = applied;
  const steps: Step['kind'][] = [];
  while (steps.length < STEPS_MAX) {
    const view = viewOf(work, orderId);
    const step = nextStep(view, { state, escrow: liveEscrow(view) });
    if (step.kind === 'nothing') {
      if (steps.length === 0) refuse(request, { view, state, message: step.next });
      break;
    }
    apply(work, { ...applied, step });
    steps.push(step.kind);
  }
  return steps;
};

export const adoptContractState = ({ findOrder, contracts }: Parts): AnyKind =>
  correctionKind<Seen>({
    async look(context, request) {
      const view = await findOrder(context.marketplaceId, request.resourceId);
      if (!view) throw new DomainError('ORDER_NOT_FOUND');
      requireQuiet(request, { view, state: null });
      const escrow = view.escrow!;
      const unknownTo = (provider: 'escrow-provider' | 'ledger-network', reason: string) =>
        factsUnknown({ provider, reason, facts: factsOf(view, null) });
      const record = await contracts.recordOf(context, escrow);
      if (record.kind !== 'yes') throw unknownTo('escrow-provider', record.reason);
      const { contractId } = record.value;
      const held = await contracts.balanceOf(context, { contractId, currency: escrow.currency });
      if (held.kind !== 'yes') throw unknownTo('escrow-provider', held.reason);
      const calls = await contracts.callsOf(escrow);
      if (calls.kind !== 'yes') throw unknownTo('ledger-network', calls.reason);
      const state = contractStateOf(record.value, { calls: calls.value, held: held.value });
      if (!state) throw unknownTo('ledger-network', 'The escrow provider and the ledger show different states.');
      const addresses = [escrow.buyer, escrow.seller, escrow.platform].map(({ address }) => address);
      return { ...state, rows: rowsOf(view), addresses };
    },
    needs: ({ request: { resourceId } }) => orderNeeds(resourceId),
    needsNext: ({ request: { resourceId } }, work) => orderNeedsNext(resourceId, work),
    decide(work, { request, seen }) {
      const orderId = request.resourceId;
      const view = viewOf(work, orderId);
      requireQuiet(request, { view, state: seen });
      // What was seen may be older than what the rows have: a payout since then would look like one that was never made.
      if (rowsOf(view) !== seen.rows) {
        const message = 'The order has changed while its contract was read. Make the correction again.';
        refuse(request, { view, state: seen, message });
      }
      const before = figures(work, orderId);
      const steps = applyAll(work, { orderId, request, seen });
      const { amount, currency } = view.order;
      const isMoney = steps.some((kind) => kind !== 'open-dispute');
      const after = { ...figures(work, orderId), steps };
      return { before, after, amount: isMoney ? amount : null, currency: isMoney ? currency : null, orderId };
    },
    reactions: ({ seen: { addresses } }) => [{ name: 'wallets-behind', payload: { addresses } }],
  });
