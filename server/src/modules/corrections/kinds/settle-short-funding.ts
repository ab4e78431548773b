// Ends a funding that brought less into its contract than the amount, when the contract neither takes the rest nor pays the part back.
// The buyer's money is reserved as a whole, so the part belongs to the operator: it stays in the contract and in the books, and the
// order can be funded with a new contract or cancelled. Nothing is booked.

import { DomainError } from '../../../base/domain-error.ts';
import { contractHolding } from '../../../books/accounts.ts';
import { type Amount, formatAmount, formatExact, negated, wholeCents, ZERO } from '../../../books/money.ts';
import type { UnitOfWork } from '../../../commit/command.ts';
import { balanceOf } from '../../../commit/money.ts';
import { endFunding } from '../../escrows/end-funding.ts';
import { fundingsOf, paidIn } from '../../escrows/escrow.ts';
import type { FindOrder } from '../../operations/operation-context.ts';
import type { OrderView } from '../../orders/order.ts';
import { orderNeeds, orderNeedsNext, viewOf } from '../../orders/order-work.ts';
import { type ContractReads, contractOf } from '../contract-reads.ts';
import type { Figures } from '../correction.ts';
import {
  type AnyKind,
  CALLED_SINCE,
  type CorrectionRequest,
  correctionKind,
  doesNotFit,
  factsUnknown,
  isAsSeen,
  requireVoided,
  type VoidRefusedCalls,
} from '../kind.ts';

type Parts = {
  readonly findOrder: FindOrder;
  readonly contracts: Pick<ContractReads, 'balanceOf'>;
  readonly voidRefusedCalls: VoidRefusedCalls;
};

type Seen = {
  readonly view: OrderView;
  readonly operationId: string;
  readonly contractId: string;
  readonly held: Amount;
};

const factsOf = ({ order, escrow, operation }: OrderView, held: Amount | null): Figures => ({
  orderStatus: order.status,
  escrowStatus: escrow?.status ?? null,
  operation: operation && {
    id: operation.id,
    kind: operation.kind,
    attempts: operation.attempts,
    failure: operation.failure,
  },
  amount: formatAmount(order.amount),
  currency: order.currency,
  paidIn: escrow ? formatExact(paidIn(escrow)) : null,
  inContract: held === null ? null : formatExact(held),
});

/** Why the funding is not one that is stuck, with the next step; null when it is. */
const problemOf = ({ order, escrow, operation }: OrderView): string | null => {
  if (order.status !== 'ESCROW_FUNDING' || operation?.kind !== 'fund-escrow' || !escrow) {
    return `No funding runs on the order, which is ${order.status}. Where its contract differs, use adopt-contract-state.`;
  }
  if (fundingsOf(escrow).length === 0)
    return 'No funding is on the ledger yet. Retry it with the correction retry-operation.';
  if (paidIn(escrow) >= escrow.amount) return 'The whole amount was paid in. Retry the operation with retry-operation.';
  if (operation.attempts === 0) return 'The server is still paying the rest. Try the correction again in a minute.';
  return escrow.transactionId === null
    ? null
    : 'A call of the contract is in progress. Try the correction again in a minute.';
};

type Fit = { readonly view: OrderView; readonly held: Amount | null };

const requireShort = (request: CorrectionRequest, { view, held }: Fit): void => {
  const message = problemOf(view);
  if (message !== null) throw doesNotFit({ ...request, message, facts: factsOf(view, held) });
};

type Named = { readonly view: OrderView; readonly part: Amount; readonly held: Amount };

/** The operator leaves this money in the contract, so the caller has to know how much it is. Less than a cent cannot be named. */
const requireNamed = (request: CorrectionRequest, { view, part, held }: Named): void => {
  const { currency } = view.order;
  const isFull = held >= view.escrow!.amount;
  // All of a full contract is named: a caller who names the operator's part does not know that the rest has arrived.
  const shown = formatAmount(isFull ? held : part);
  if (wholeCents(part) === ZERO && !isFull) return;
  if (request.amount !== null && formatAmount(request.amount) === shown) return;
  const next = `Retry with retry-operation if the contract works again, or send "amount": "${shown}" to go on without`;
  const message = isFull
    ? `The contract holds ${shown} ${currency}, the whole amount: an outsider has paid the rest. ${next} it.`
    : `${shown} ${currency} of the operator stay in the contract, which neither takes the rest nor pays them back. ${next} them.`;
  throw doesNotFit({ ...request, message, facts: factsOf(view, held) });
};

const figures = (work: UnitOfWork, { orderId, contractId }: { orderId: string; contractId: string }): Figures => {
  const { order, escrow, operation } = viewOf(work, orderId);
  const { available, reserved } = balanceOf(work, { userId: order.buyerId, currency: order.currency });
  return {
    orderStatus: order.status,
    escrowStatus: escrow?.status ?? null,
    operation: operation?.kind ?? null,
    buyerAvailable: formatAmount(available),
    buyerReserved: formatAmount(reserved),
    inContract: formatExact(negated(work.balance(contractHolding(contractId, order.currency)))),
  };
};

export const settleShortFunding = ({ findOrder, contracts, voidRefusedCalls }: Parts): AnyKind =>
  correctionKind<Seen>({
    async look(context, request) {
      const view = await findOrder(context.marketplaceId, request.resourceId);
      if (!view) throw new DomainError('ORDER_NOT_FOUND');
      requireShort(request, { view, held: null });
      const contractId = contractOf(view.escrow!)!;
      const read = await contracts.balanceOf(context, { contractId, currency: view.order.currency });
      if (read.kind !== 'yes') {
        throw factsUnknown({ provider: 'escrow-provider', reason: read.reason, facts: factsOf(view, null) });
      }
      return { view, operationId: view.operation!.id, contractId, held: read.value };
    },
    // Another call for the rest may have been refused.
    prepare(context, { request, seen: { view, held } }) {
      return requireVoided(request, { voidRefusedCalls, context, escrow: view.escrow, facts: factsOf(view, held) });
    },
    needs: ({ request: { resourceId } }) => orderNeeds(resourceId),
    needsNext({ request: { resourceId }, seen }, work) {
      const { rows, accounts } = orderNeedsNext(resourceId, work);
      const currency = work.find('orders', resourceId)?.currency;
      return { rows, accounts: [...accounts, ...(currency ? [contractHolding(seen.contractId, currency)] : [])] };
    },
    decide(work, { request, seen }) {
      const orderId = request.resourceId;
      const view = viewOf(work, orderId);
      requireShort(request, { view, held: seen.held });
      if (!isAsSeen(seen.view.escrow, view.escrow)) {
        throw doesNotFit({ ...request, message: CALLED_SINCE, facts: factsOf(view, seen.held) });
      }
      const { currency } = view.order;
      const part = negated(work.balance(contractHolding(seen.contractId, currency)));
      const isSame = view.operation?.id === seen.operationId && contractOf(view.escrow!) === seen.contractId;
      if (!isSame || part > seen.held || part === ZERO) {
        const message =
          'The contract and the books show two different amounts. Retry the operation with retry-operation first.';
        throw doesNotFit({ ...request, message, facts: { ...factsOf(view, seen.held), inBooks: formatExact(part) } });
      }
      requireNamed(request, { view, part, held: seen.held });
      const before = figures(work, { orderId, contractId: seen.contractId });
      endFunding(work, { orderId, operationId: seen.operationId, reason: request.reason });
      const after = figures(work, { orderId, contractId: seen.contractId });
      return { before, after, amount: part, currency, orderId };
    },
  });
