// What a call of an escrow contract leaves on the rows of its escrow and its operation: that it is on its way, that it is
// done, that it came to nothing. At most one call of an escrow is on its way, and none is made twice.

import { DomainError } from '../../base/domain-error.ts';
import type { Need, UnitOfWork } from '../../commit/command.ts';
import type { Operation } from '../operations/operation.ts';
import { callKey, type DoneCall, deployedContract, type Escrow, isCalled } from './escrow.ts';
import type { EscrowAction } from './escrow-payments.ts';

/** Why a call must not be made now; null when it may be. */
export type CallBar = 'OPERATION_OVER' | 'CALL_DONE' | 'CALL_OPEN';

const SENTENCES: Readonly<Record<CallBar, string>> = {
  OPERATION_OVER: 'The operation that this call belongs to is over.',
  CALL_DONE: 'This call is on the ledger already.',
  CALL_OPEN: 'A call of this escrow is on its way.',
};

export type CallStanding = {
  readonly operation: Pick<Operation, 'state'>;
  readonly escrow: Pick<Escrow, 'calls' | 'transactionId'>;
};

export const barOf = (
  { operation, escrow }: CallStanding,
  action: Pick<EscrowAction, 'call' | 'milestone'>,
): CallBar | null => {
  if (operation.state !== 'RUNNING') return 'OPERATION_OVER';
  if (isCalled(escrow, action)) return 'CALL_DONE';
  return escrow.transactionId === null ? null : 'CALL_OPEN';
};

export const escrowCallNeeds = ({ operationId, escrowId }: EscrowAction): Need[] => [
  { table: 'operations', id: operationId },
  { table: 'escrows', id: escrowId },
];

/** Runs before the transaction is sent. A refused transaction must never be sent: two processes may carry out one operation. */
export const beginCall = (work: UnitOfWork, action: EscrowAction, transactionId: string): void => {
  const operation = work.get('operations', action.operationId);
  const escrow = work.get('escrows', action.escrowId);
  const bar = barOf({ operation, escrow }, action);
  if (bar !== null) {
    throw new DomainError('INVALID_STATE', {
      message: SENTENCES[bar],
      details: { currentState: bar, allowedActions: [] },
    });
  }
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

export const endedCallNeeds = ({ orderId }: EscrowAction): Need[] => [
  { table: 'escrows', by: 'order', value: orderId },
];

/** A later escrow of the order may have taken up the same contract. */
const isOfContract = (escrow: Escrow, { escrowId, contractId }: EscrowAction): boolean =>
  escrow.id === escrowId ||
  (contractId !== null && [escrow.providerContractId, deployedContract(escrow)].includes(contractId));

/** Also for a transaction that had been given up: what is on the ledger is done, whoever has the escrow's turn now. */
export const endCall = (
  work: UnitOfWork,
  action: EscrowAction,
  of: { transactionId: string; isDone: boolean },
): void => {
  for (const escrow of work.listBy('escrows', 'order', action.orderId)) {
    if (!isOfContract(escrow, action)) continue;
    const isOwn = escrow.transactionId === of.transactionId;
    const isNew = of.isDone && !isCalled(escrow, action);
    if (!isOwn && !isNew) continue;
    work.put('escrows', {
      ...escrow,
      transactionId: isOwn ? null : escrow.transactionId,
      calls: isNew ? [...escrow.calls, doneCall(action)] : escrow.calls,
      updatedAt: work.now,
    });
  }
};
