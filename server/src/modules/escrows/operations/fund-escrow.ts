// Pays the order's amount from the buyer's wallet into the contract. The treasury funds the wallet first.

import { type Answer, no, yes } from '../../../base/answer.ts';
import {
  DONE,
  type OperationContext,
  type OperationOutcome,
  submitFor,
  waitingFor,
} from '../../operations/operation-context.ts';
import { confirmFundingCommand, failFunding } from '../end-funding.ts';
import { deployedContract, isCalled } from '../escrow.ts';
import { fundSigner, sendCall } from './escrow-calls.ts';
import { actionOf, deployStep } from './escrow-steps.ts';
import type { EscrowParts } from './handlers.ts';

const FUND = { call: 'fund', milestone: null } as const;

/** Yes: the order's amount is in the contract. */
const payIn = async (parts: EscrowParts, current: OperationContext): Promise<Answer<unknown>> => {
  const { view, operation } = current;
  const { order, escrow } = view;
  if (isCalled(escrow, FUND)) return yes(null);
  // A contract that we did not deploy could keep the money, whatever terms it shows.
  if (deployedContract(escrow) !== escrow.providerContractId && escrow.transactionId === null) {
    return no('The contract of the escrow is not the one that was deployed for this order.');
  }
  // While a funding is in flight the money may have left the wallet already: the wallet must not be funded a second time.
  const isInFlight = escrow.transactionId !== null && operation.step === FUND.call;
  if (!isInFlight) {
    const funded = await fundSigner(parts, { current, signer: 'buyer', amount: order.amount });
    if (funded.kind !== 'yes') return funded;
  }
  return sendCall(parts, {
    current,
    signer: 'buyer',
    step: {
      kind: 'fund',
      type: escrow.contractType,
      contractId: escrow.providerContractId ?? '',
      signer: escrow.buyer.address,
      amount: escrow.amount,
    },
    terms: deployStep(view, parts.usdc),
    action: actionOf({ escrow, operation, call: FUND }),
  });
};

export const fundEscrow = async (parts: EscrowParts, current: OperationContext): Promise<OperationOutcome> => {
  const orderId = current.view.order.id;
  const paid = await payIn(parts, current);
  if (paid.kind === 'unknown') return waitingFor(paid);
  if (paid.kind === 'yes') {
    await submitFor(current, { submit: parts.submit, command: confirmFundingCommand, input: { orderId } });
    return DONE;
  }
  const { reason } = paid;
  const input = { orderId, operationId: current.operation.id, reason };
  await submitFor(current, { submit: parts.submit, command: failFunding, input });
  return { kind: 'failed', reason };
};
