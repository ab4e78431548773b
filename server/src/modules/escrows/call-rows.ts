// The rows of a call of an escrow contract: its escrow and its operation. They say whether the call may be made, and a call changes them
// when it opens, succeeds or fails. At most one call of an escrow is open, and no call is made twice.

import type pg from 'pg';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { type ActionOwner, ActionRefused } from '../../ledger/transactions/action-owners.ts';
import type { EscrowAction } from '../../ledger/transactions/contract-moves.ts';
import type { Operation } from '../operations/operation.ts';
import { callKey, type DoneCall, deployedContract, type Escrow, isCalled, putEscrow } from './escrow.ts';

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
export const assertCallable = (
  { operation, escrow }: CallRows,
  action: Pick<EscrowAction, 'call' | 'milestone'>,
): void => {
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

const doneCall = ({ call, milestone, contractId, sellerUnits, buyerUnits }: EscrowAction): DoneCall => ({
  call,
  milestone,
  ...(call === 'deploy' && contractId !== null ? { contractId } : {}),
  ...(sellerUnits === undefined ? {} : { sellerUnits }),
  ...(buyerUnits === undefined ? {} : { buyerUnits }),
});

/** A later escrow of the order may use the same contract. */
const isOfContract = (escrow: Escrow, { escrowId, contractId }: EscrowAction): boolean =>
  escrow.id === escrowId ||
  (contractId !== null && [escrow.providerContractId, deployedContract(escrow)].includes(contractId));

type EndedCall = { readonly action: EscrowAction; readonly transactionId: string; readonly isDone: boolean };

const endCall = (work: UnitOfWork, { action, transactionId, isDone }: EndedCall): void => {
  for (const escrow of work.listBy('escrows', { by: 'order', value: action.orderId })) {
    if (!isOfContract(escrow, action)) continue;
    const isOwn = escrow.transactionId === transactionId;
    // A call that is on the ledger is done, also when the escrow has another open transaction by now.
    const isNew = isDone && !isCalled(escrow, action);
    if (!isOwn && !isNew) continue;
    work.put('escrows', {
      ...escrow,
      transactionId: isOwn ? null : escrow.transactionId,
      calls: isNew ? [...escrow.calls, doneCall(action)] : escrow.calls,
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
  endNeeds: ({ orderId }) => [{ table: 'escrows', by: 'order', value: orderId }],
  end: (work, { action, transactionId, ending }) =>
    endCall(work, { action, transactionId, isDone: ending.kind === 'succeeded' }),
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
