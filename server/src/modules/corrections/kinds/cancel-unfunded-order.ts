// Cancels an order whose buyer will not fund it, although its escrow exists. Nothing may be on its way into a contract of the order, and
// the money of the order may not be in one. What others paid into a contract stays there, and the caller has to name it.

import { DomainError } from '../../../base/domain-error.ts';
import { type Amount, formatAmount, formatExact, sumOf, wholeCents, ZERO } from '../../../books/money.ts';
import type { UnitOfWork } from '../../../commit/command.ts';
import { balanceOf } from '../../../commit/money.ts';
import { COMPARISON_NEED } from '../../../ledger/holds/begin-hold.ts';
import { lockReservation } from '../../balances/reservation.ts';
import type { Escrow } from '../../escrows/escrow.ts';
import type { FindOrder } from '../../operations/operation-context.ts';
import { cancelOrderOn } from '../../orders/cancel-order.ts';
import type { OrderView } from '../../orders/order.ts';
import { orderNeeds, orderNeedsNext, viewOf } from '../../orders/order-work.ts';
import { type ContractReads, contractOf } from '../contract-reads.ts';
import type { Figures } from '../correction.ts';
import { type AnyKind, type CorrectionRequest, correctionKind, doesNotFit, factsUnknown } from '../kind.ts';
import type { CorrectionReads } from '../queries.ts';

type Parts = {
  readonly findOrder: FindOrder;
  readonly reads: Pick<CorrectionReads, 'escrowsOf'>;
  readonly contracts: Pick<ContractReads, 'balanceOf'>;
};

/** What each contract of the order holds. */
type Seen = { readonly held: Readonly<Record<string, Amount>> };

const factsOf = ({ order, escrow, operation }: OrderView, seen: Seen | null): Figures => ({
  orderStatus: order.status,
  escrowStatus: escrow?.status ?? null,
  operation: operation?.kind ?? null,
  amount: formatAmount(order.amount),
  currency: order.currency,
  ...(seen
    ? { inContracts: Object.fromEntries(Object.entries(seen.held).map(([id, held]) => [id, formatExact(held)])) }
    : {}),
});

/** Why the state of the order does not allow it, with the next step; null when it does. */
const problemOf = ({ order, operation }: OrderView): string | null => {
  const { id, status } = order;
  if (operation) {
    return `The operation ${operation.kind} runs on the order. Wait for its end, or retry it with the correction retry-operation.`;
  }
  if (status === 'ORDER_CREATED') return `Nothing is reserved yet. Cancel the order with POST /orders/${id}/cancel.`;
  if (status === 'FUNDS_RESERVED' || status === 'ESCROW_FUNDING') return null;
  if (status === 'CLOSED') return 'The order is closed. Nothing is left to cancel.';
  return `The order is ${status}, so its money is in escrow. Refund it with POST /orders/${id}/resolution/refund.`;
};

type Fit = { readonly view: OrderView; readonly seen: Seen | null };

const requireOpen = (request: CorrectionRequest, { view, seen }: Fit): void => {
  const message = problemOf(view);
  if (message !== null) throw doesNotFit({ ...request, message, facts: factsOf(view, seen) });
};

type Contract = { readonly view: OrderView; readonly seen: Seen; readonly escrow: Escrow };

/** The money of the order is not in the contract. */
const requireNotFunded = (request: CorrectionRequest, { view, seen, escrow }: Contract): void => {
  const held = seen.held[contractOf(escrow) ?? ''] ?? ZERO;
  if (held < escrow.amount) return;
  const message = escrow.setAside
    ? `An earlier contract holds the amount of the order. Continue with POST /orders/${view.order.id}/escrow.`
    : 'The contract holds the amount of the order. Use the correction adopt-contract-state: it confirms the funding.';
  throw doesNotFit({ ...request, message, facts: factsOf(view, seen) });
};

/** A call in flight, or a contract that was not looked at, may bring the money of the order into a contract. */
const requireQuiet = (request: CorrectionRequest, { view, seen, escrow }: Contract): void => {
  const contractId = contractOf(escrow);
  if (escrow.transactionId === null && (contractId === null || seen.held[contractId] !== undefined)) return;
  const message =
    'A call of the contract is in progress, or the contract has changed. Try the correction again in a minute.';
  throw doesNotFit({ ...request, message, facts: factsOf(view, seen) });
};

/** Less than a cent cannot be named, and anyone can pay it into a contract. */
const requireNamed = (request: CorrectionRequest, { view, seen }: Omit<Contract, 'escrow'>): void => {
  const left = wholeCents(sumOf(Object.values(seen.held)));
  const shown = formatAmount(left);
  if (left === ZERO || (request.amount !== null && formatAmount(request.amount) === shown)) return;
  const message =
    `The contracts of the order hold ${shown} ${view.order.currency} that is not the money of the order. It stays there. ` +
    `Send "amount": "${shown}" to cancel the order all the same.`;
  throw doesNotFit({ ...request, message, facts: factsOf(view, seen) });
};

const figures = (work: UnitOfWork, orderId: string): Figures => {
  const { order, escrow } = viewOf(work, orderId);
  const { available, reserved } = balanceOf(work, { userId: order.buyerId, currency: order.currency });
  return {
    orderStatus: order.status,
    finalStatus: order.finalStatus,
    escrowStatus: escrow?.status ?? null,
    buyerAvailable: formatAmount(available),
    buyerReserved: formatAmount(reserved),
  };
};

export const cancelUnfundedOrder = ({ findOrder, reads, contracts }: Parts): AnyKind =>
  correctionKind<Seen>({
    async look(context, request) {
      const view = await findOrder(context.marketplaceId, request.resourceId);
      if (!view) throw new DomainError('ORDER_NOT_FOUND');
      requireOpen(request, { view, seen: null });
      const held: Record<string, Amount> = {};
      for (const escrow of await reads.escrowsOf(context.marketplaceId, view.order.id)) {
        const contractId = contractOf(escrow);
        if (contractId === null || held[contractId] !== undefined) continue;
        const read = await contracts.balanceOf(context, { contractId, currency: escrow.currency });
        if (read.kind !== 'yes') {
          const facts = { ...factsOf(view, null), contractId };
          throw factsUnknown({ provider: 'escrow-provider', reason: read.reason, facts });
        }
        held[contractId] = read.value;
      }
      return { held };
    },
    needs: ({ request: { resourceId } }) => ({ rows: [...orderNeeds(resourceId).rows, COMPARISON_NEED] }),
    needsNext: ({ request: { resourceId } }, work) => orderNeedsNext(resourceId, work),
    decide(work, { request, seen }) {
      const orderId = request.resourceId;
      const view = viewOf(work, orderId);
      requireOpen(request, { view, seen });
      for (const escrow of work.listBy('escrows', { by: 'order', value: orderId })) {
        requireQuiet(request, { view, seen, escrow });
        requireNotFunded(request, { view, seen, escrow });
      }
      requireNamed(request, { view, seen });
      const before = figures(work, orderId);
      const { buyerId: userId, currency, amount } = view.order;
      // A funding that was only reported has locked it.
      lockReservation(work, { userId, currency, orderId, locked: false });
      cancelOrderOn(work, { orderId, reason: request.reason, on: 'correction.canceled' });
      return { before, after: figures(work, orderId), amount, currency, orderId };
    },
  });
