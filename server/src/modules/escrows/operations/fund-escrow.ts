// Pays the order's amount from the buyer's wallet into the contract. The treasury funds the wallet first. When less arrives than was
// sent, the rest is paid with a further call; when that is impossible, the contract pays the part back and the funding has failed.

import { type Answer, no, yes } from '../../../base/answer.ts';
import { formatExact, minus, ZERO } from '../../../books/money.ts';
import {
  DONE,
  type OperationContext,
  type OperationOutcome,
  submitFor,
  waiting,
  waitingFor,
} from '../../operations/operation-context.ts';
import { confirmFundingCommand, failFunding, MoneyInContract } from '../end-funding.ts';
import { deployedContract, type Escrow, fundingsOf, paidIn } from '../escrow.ts';
import { fundSigner, sendCall } from './escrow-calls.ts';
import { actionOf, deployStep } from './escrow-steps.ts';
import type { EscrowParts } from './handlers.ts';
import { payBack } from './settle-escrow.ts';

const FUND = { call: 'fund', milestone: null } as const;

/** The first payment and two for the rest. A contract that takes less than was sent three times will not take the next one. */
const PARTS_MAX = 3;

/** The contract is paying back already, so nothing more may be paid in. */
const isReturning = ({ calls }: Escrow): boolean => calls.some(({ call }) => call === 'dispute' || call === 'resolve');

type Part = { readonly current: OperationContext; readonly escrow: Escrow };

/** Pays what is not in the contract yet. Yes: the call is on the ledger, with whatever it moved. */
const payPart = async (parts: EscrowParts, { current, escrow }: Part): Promise<Answer<Escrow>> => {
  const { view, operation } = current;
  const amount = minus(escrow.amount, paidIn(escrow));
  const part = fundingsOf(escrow).length + 1;
  // While a funding is in flight the money may have left the wallet already: the wallet must not be funded a second time.
  const isInFlight = escrow.transactionId !== null && operation.step?.startsWith(FUND.call) === true;
  if (!isInFlight) {
    const funded = await fundSigner(parts, { current, signer: 'buyer', amount });
    if (funded.kind !== 'yes') return funded;
  }
  const sent = await sendCall(parts, {
    current: { ...current, view: { ...view, escrow } },
    signer: 'buyer',
    step: {
      kind: 'fund',
      type: escrow.contractType,
      contractId: escrow.providerContractId ?? '',
      signer: escrow.buyer.address,
      amount,
    },
    terms: deployStep(view, parts.usdc),
    action: actionOf({ escrow, operation, call: { ...FUND, amount, ...(part === 1 ? {} : { part }) } }),
  });
  return sent.kind === 'yes' ? yes(sent.value.escrow) : sent;
};

type Paid = { readonly escrow: Escrow; readonly answer: Answer<null> };

/** Yes: the order's amount is in the contract. `escrow` is the row after the last call. */
const payIn = async (parts: EscrowParts, current: OperationContext): Promise<Paid> => {
  let { escrow } = current.view;
  // A contract that we did not deploy could keep the money, whatever terms it shows.
  if (deployedContract(escrow) !== escrow.providerContractId && escrow.transactionId === null) {
    return { escrow, answer: no('The contract of the escrow is not the one that was deployed for this order.') };
  }
  while (paidIn(escrow) < escrow.amount) {
    if (isReturning(escrow)) return { escrow, answer: no('The contract pays back what it has.') };
    if (fundingsOf(escrow).length >= PARTS_MAX) {
      const arrived = `${formatExact(paidIn(escrow))} of ${formatExact(escrow.amount)}`;
      return { escrow, answer: no(`Only ${arrived} arrived in the contract.`) };
    }
    const paid = await payPart(parts, { current, escrow });
    if (paid.kind !== 'yes') return { escrow, answer: paid };
    escrow = paid.value;
  }
  return { escrow, answer: yes(null) };
};

type Failure = { readonly current: OperationContext; readonly escrow: Escrow; readonly reason: string };

/** Undoes the funding. Money that is in the contract goes back first; until then the order keeps its state and its reservation. */
const undo = async (parts: EscrowParts, { current, escrow, reason }: Failure): Promise<OperationOutcome> => {
  const paid = paidIn(escrow);
  if (paid > ZERO) {
    const returned = await payBack(parts, { current: { ...current, view: { ...current.view, escrow } }, amount: paid });
    if (returned.kind === 'unknown') return waitingFor(returned);
    if (returned.kind === 'no') return waiting(`The contract does not pay back what it has: ${returned.reason}`);
  }
  const input = { orderId: current.view.order.id, operationId: current.operation.id, reason };
  try {
    await submitFor(current, { submit: parts.submit, command: failFunding, input });
  } catch (error) {
    if (error instanceof MoneyInContract) return waiting(error.message);
    throw error;
  }
  return { kind: 'failed', reason };
};

export const fundEscrow = async (parts: EscrowParts, current: OperationContext): Promise<OperationOutcome> => {
  const orderId = current.view.order.id;
  const { escrow, answer } = await payIn(parts, current);
  if (answer.kind === 'unknown') return waitingFor(answer);
  if (answer.kind === 'no') return undo(parts, { current, escrow, reason: answer.reason });
  await submitFor(current, { submit: parts.submit, command: confirmFundingCommand, input: { orderId } });
  return DONE;
};
