// The rows of a call of an escrow contract: its escrow and its operation. They say whether the call may be made, and a call changes them
// when it opens, succeeds or fails. At most one call of an escrow is open, and no call is made twice.

import type pg from 'pg';
import { ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { BalanceKey } from '../../commit/money.ts';
import { type ActionOwner, ActionRefused } from '../../ledger/transactions/action-owners.ts';
import { type EscrowAction, totalOf } from '../../ledger/transactions/contract-moves.ts';
import type { Ending } from '../../ledger/transactions/settle-transaction.ts';
import { lockReservation, reservationId, reservationNeed } from '../balances/reservation.ts';
import type { Operation } from '../operations/operation.ts';
import {
  type CallIdentity,
  callKey,
  type DoneCall,
  deployedContract,
  type Escrow,
  isCalled,
  putEscrow,
} from './escrow.ts';

/** The rows that decide whether a call may be made. */
type CallRows = {
  readonly operation: Pick<Operation, 'state'>;
  readonly escrow: Pick<Escrow, 'calls' | 'transactionId'>;
};

type CallPlace = { readonly marketplaceId: string; readonly operationId: string; readonly escrowId: string };

const CALL_ROWS = `select json_build_object('state', o.state) as operation,
    json_build_object('calls', e.calls, 'transactionId', e.transaction_id) as escrow
  from operations o join escrows e on e.marketplace_id = o.marketplace_id and e.id = $3
  where o.marketplace_id = $1 and o.id = $2`;

/** Null when there are no such rows. */
export type FindCallRows = (place: CallPlace) => Promise<CallRows | null>;

export const createFindCallRows =
  (pool: pg.Pool): FindCallRows =>
  async ({ marketplaceId, operationId, escrowId }) => {
    const { rows } = await pool.query<CallRows>(CALL_ROWS, [marketplaceId, operationId, escrowId]);
    return rows[0] ?? null;
  };

/** Throws ActionRefused when the call must not be made now. */
export const assertCallable = ({ operation, escrow }: CallRows, action: CallIdentity): void => {
  if (operation.state !== 'RUNNING') throw new ActionRefused('The operation that this call belongs to has ended.');
  if (isCalled(escrow, action)) throw new ActionRefused('This call is on the ledger already.');
  if (escrow.transactionId !== null) throw new ActionRefused('Another call of this escrow is open.');
};

/** Two processes may carry out one operation: only the first one may send the call. */
const begin: ActionOwner<EscrowAction>['begin'] = (work, { action, transactionId }) => {
  const operation = work.get('operations', action.operationId);
  const escrow = work.get('escrows', action.escrowId);
  assertCallable({ operation, escrow }, action);
  work.put('escrows', { ...escrow, transactionId, updatedAt: work.now });
  work.put('operations', { ...operation, step: callKey(action), updatedAt: work.now });
};

const doneCall = (action: EscrowAction, ending: Ending): DoneCall => {
  const { call, milestone, part, contractId, sellerUnits, buyerUnits } = action;
  const moved = ending.kind === 'succeeded' ? (ending.moved ?? []) : [];
  return {
    call,
    milestone,
    ...(call === 'deploy' && contractId !== null ? { contractId } : {}),
    ...(part === undefined ? {} : { part }),
    ...(call === 'fund' ? { units: String(totalOf(action, moved)) } : {}),
    ...(sellerUnits === undefined ? {} : { sellerUnits }),
    ...(buyerUnits === undefined ? {} : { buyerUnits }),
  };
};

/** A later escrow of the order may use the same contract. */
const isOfContract = (escrow: Escrow, { escrowId, contractId }: EscrowAction): boolean =>
  escrow.id === escrowId ||
  (contractId !== null && [escrow.providerContractId, deployedContract(escrow)].includes(contractId));

type EndedCall = { readonly action: EscrowAction; readonly transactionId: string; readonly ending: Ending };

/** The row that the funding of an order takes its money from. */
const reservedFor = (work: UnitOfWork, { call, orderId }: EscrowAction): (BalanceKey & { orderId: string }) | null => {
  const order = call === 'fund' ? work.find('orders', orderId) : undefined;
  return order ? { userId: order.buyerId, currency: order.currency, orderId } : null;
};

/** A funding that no row has started, as in a restored database: the money is in the contract, so it must not be spent again. */
const keepReserved = (work: UnitOfWork, action: EscrowAction): void => {
  const of = reservedFor(work, action);
  const reservation = of && work.find('reservations', reservationId(of, of.orderId));
  if (!of || !reservation || reservation.locked || reservation.remaining === ZERO) return;
  const escrows = work.listBy('escrows', { by: 'order', value: of.orderId });
  const isConfirmed = escrows.some((escrow) => isOfContract(escrow, action) && escrow.fundedAt !== null);
  if (!isConfirmed) lockReservation(work, { ...of, locked: true });
};

const endCall = (work: UnitOfWork, { action, transactionId, ending }: EndedCall): void => {
  const isDone = ending.kind === 'succeeded';
  if (isDone) keepReserved(work, action);
  for (const escrow of work.listBy('escrows', { by: 'order', value: action.orderId })) {
    if (!isOfContract(escrow, action)) continue;
    const isOwn = escrow.transactionId === transactionId;
    // A call that is on the ledger is done, also when the escrow has another open transaction by now.
    const isNew = isDone && !isCalled(escrow, action);
    if (!isOwn && !isNew) continue;
    work.put('escrows', {
      ...escrow,
      transactionId: isOwn ? null : escrow.transactionId,
      calls: isNew ? [...escrow.calls, doneCall(action, ending)] : escrow.calls,
      updatedAt: work.now,
    });
  }
};

export const escrowCallOwner: ActionOwner<EscrowAction> = {
  beginNeeds: ({ operationId, escrowId }) => [
    { table: 'operations', id: operationId },
    { table: 'escrows', id: escrowId },
  ],
  begin,
  endNeeds: ({ orderId, call }) => [
    { table: 'escrows', by: 'order', value: orderId },
    ...(call === 'fund' ? [{ table: 'orders', id: orderId } as const] : []),
  ],
  endNeedsNext(work, action) {
    const of = reservedFor(work, action);
    return of ? { rows: [reservationNeed(of, of.orderId)] } : {};
  },
  end: endCall,
};

type RecordInput = { readonly escrowId: string; readonly calls: readonly DoneCall[] };

/** Records calls that the provider shows and that our rows do not have: from now on they count as done. */
export const recordCalls = command<RecordInput, void>({
  name: 'note-calls',
  needs: ({ escrowId }) => ({ rows: [{ table: 'escrows', id: escrowId }] }),
  decide({ escrowId, calls }, work) {
    const escrow = work.get('escrows', escrowId);
    const fresh = calls.filter((call) => !isCalled(escrow, call));
    if (fresh.length === 0) return;
    putEscrow(work, { ...escrow, calls: [...escrow.calls, ...fresh] });
    work.audit({
      action: 'ESCROW_STEP_SEEN',
      resourceType: 'Escrow',
      resourceId: escrowId,
      after: { calls: fresh.map(callKey) },
    });
  },
});
