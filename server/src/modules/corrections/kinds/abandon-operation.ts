// Gives up a running operation that has paid nothing and cannot pay any more. Our rows prove it: every call of a contract is signed here and
// stored before it is sent, and no call begins for an operation that has ended. A call that is signed and open is never given up, and the
// sequence number of a refused one is used up first, because the ledger could still accept it.

import { DomainError } from '../../../base/domain-error.ts';
import { type Amount, formatExact, negated, ZERO } from '../../../books/money.ts';
import type { Command, UnitOfWork } from '../../../commit/command.ts';
import { failResolution } from '../../disputes/resolve-dispute.ts';
import { failEscrow } from '../../escrows/end-escrow-creation.ts';
import { failFunding } from '../../escrows/end-funding.ts';
import { callKey, type DoneCall, type Escrow } from '../../escrows/escrow.ts';
import {
  type FailInput,
  failMilestoneRefund,
  failMilestoneRelease,
  failRefund,
  failRelease,
} from '../../escrows/release-and-refund.ts';
import type { Operation } from '../../operations/operation.ts';
import type { FindOrder } from '../../operations/operation-context.ts';
import type { OperationReads } from '../../operations/queries.ts';
import type { OrderView } from '../../orders/order.ts';
import { holdingOf, viewOf } from '../../orders/order-work.ts';
import { isPaid } from '../../orders/paid-milestones.ts';
import type { Figures } from '../correction.ts';
import {
  type AnyKind,
  type Asked,
  CALLED_SINCE,
  correctionKind,
  doesNotFit,
  isAsSeen,
  requireVoided,
  type VoidRefusedCalls,
} from '../kind.ts';
import { operationFacts, requireRunning } from './retry-operation.ts';

/** The commands that undo an operation after a certain no of the provider. */
const UNDO: Readonly<Record<Operation['kind'], Command<FailInput, void>>> = {
  'create-escrow': failEscrow,
  'fund-escrow': failFunding,
  release: failRelease,
  refund: failRefund,
  'resolve-dispute': failResolution,
  'release-milestone': failMilestoneRelease,
  'refund-milestone': failMilestoneRefund,
};

type Seen = {
  readonly orderId: string;
  readonly operation: Operation;
  readonly escrow: Escrow | null;
};

const inputOf = ({ request, seen }: Asked<Seen>): FailInput => ({
  orderId: seen.orderId,
  operationId: request.resourceId,
  reason: `An operator gave the operation up: ${request.reason}`,
});

/** Payments of the contract that the rows of the milestones do not have. */
const paymentsOf = ({ milestones }: OrderView, { calls }: Escrow): DoneCall[] =>
  calls.filter(({ call, milestone }) => {
    if (call !== 'release' && call !== 'resolve') return false;
    const paid = milestones.find(({ place }) => place === milestone);
    return paid === undefined || !isPaid(paid);
  });

/** What the books have in the contract. */
const heldIn = (work: UnitOfWork, escrow: Escrow | null): Amount => {
  const holding = escrow && holdingOf(escrow);
  return holding ? negated(work.balance(holding)) : ZERO;
};

const factsOf = (work: UnitOfWork, view: OrderView & { readonly operation: Operation }): Figures => ({
  ...operationFacts(view.operation),
  orderStatus: view.order.status,
  openTransaction: view.escrow?.transactionId ?? null,
  callsOnLedger: (view.escrow?.calls ?? []).map(callKey),
  inContract: formatExact(heldIn(work, view.escrow)),
});

const SETTLEMENTS: ReadonlySet<Operation['kind']> = new Set([
  'release',
  'refund',
  'resolve-dispute',
  'release-milestone',
  'refund-milestone',
]);

/** Why something may still happen, or has happened; null when nothing did and nothing can. */
const obstacleOf = (
  work: UnitOfWork,
  { view, seen }: { readonly view: OrderView & { readonly operation: Operation }; readonly seen: Seen },
): string | null => {
  const { escrow, operation } = view;
  if (escrow === null) return isAsSeen(seen.escrow, null) ? null : CALLED_SINCE;
  if (escrow.transactionId !== null) {
    return 'A signed call is open, and the ledger may still accept it. It ends within its time bounds: wait for it, or use retry-operation.';
  }
  if (operation.kind === 'fund-escrow' && heldIn(work, escrow) > ZERO) {
    return 'A part of the funding is in the contract. Use settle-short-funding on the order.';
  }
  if (SETTLEMENTS.has(operation.kind) && paymentsOf(view, escrow).length > 0) {
    return 'The contract has paid already, so the operation has to be completed. Use retry-operation, or adopt-contract-state on the order.';
  }
  return isAsSeen(seen.escrow, escrow) ? null : CALLED_SINCE;
};

type Parts = {
  readonly operations: Pick<OperationReads, 'find'>;
  readonly findOrder: FindOrder;
  readonly voidRefusedCalls: VoidRefusedCalls;
};

export const abandonOperation = ({ operations, findOrder, voidRefusedCalls }: Parts): AnyKind =>
  correctionKind<Seen>({
    async look({ marketplaceId }, request) {
      const operation = await operations.find(marketplaceId, request.resourceId);
      if (!operation) throw new DomainError('OPERATION_NOT_FOUND');
      requireRunning(request, operation);
      const { orderId } = operation;
      const view = await findOrder(marketplaceId, orderId);
      return { orderId, operation, escrow: view?.escrow ?? null };
    },
    prepare(context, { request, seen: { operation, escrow } }) {
      return requireVoided(request, { voidRefusedCalls, context, escrow, facts: operationFacts(operation) });
    },
    needs(asked) {
      const { rows = [], ...others } = UNDO[asked.seen.operation.kind].needs(inputOf(asked));
      return { ...others, rows: [...rows, { table: 'operations', id: asked.request.resourceId }] };
    },
    needsNext(asked, work) {
      const { accounts = [], ...others } = UNDO[asked.seen.operation.kind].needsNext?.(inputOf(asked), work) ?? {};
      const escrows = work.listBy('escrows', { by: 'order', value: asked.seen.orderId });
      return { ...others, accounts: [...accounts, ...escrows.flatMap((escrow) => holdingOf(escrow) ?? [])] };
    },
    decide(work, asked) {
      const { request, seen } = asked;
      const operation = work.get('operations', request.resourceId);
      requireRunning(request, operation);
      const view = { ...viewOf(work, seen.orderId), operation };
      const before = factsOf(work, view);
      const obstacle = obstacleOf(work, { view, seen });
      if (obstacle !== null) throw doesNotFit({ ...request, message: obstacle, facts: before });
      UNDO[operation.kind].decide(inputOf(asked), work);
      const ended = work.get('operations', request.resourceId);
      const after = { ...before, ...operationFacts(ended), orderStatus: work.get('orders', seen.orderId).status };
      return { before, after, amount: null, currency: null, orderId: seen.orderId };
    },
  });
