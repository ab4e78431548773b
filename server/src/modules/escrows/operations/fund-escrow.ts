// Pays the order's amount from the buyer's wallet into its contract. What the wallet lacks comes from the treasury first.

import {
  DONE,
  type EscrowParts,
  type OperationContext,
  type OperationOutcome,
  submitFor,
  waiting,
} from '../../operations/operation-context.ts';
import { confirmFundingCommand } from '../confirm-funding.ts';
import { isCalled } from '../escrow.ts';
import { failFunding } from '../fail-funding.ts';
import { actionOf, deployStep } from './escrow-steps.ts';
import { sendCall } from './send-call.ts';

const FUND = { call: 'fund', milestone: null } as const;

export const fundEscrow = async (parts: EscrowParts, current: OperationContext): Promise<OperationOutcome> => {
  const { view, operation, marketplaceId } = current;
  const { order, escrow } = view;

  const fail = async (reason: string): Promise<OperationOutcome> => {
    await submitFor(parts, current, {
      command: failFunding,
      input: { orderId: order.id, operationId: operation.id, reason },
    });
    return { kind: 'failed', reason };
  };
  const confirm = async (): Promise<OperationOutcome> => {
    await submitFor(parts, current, { command: confirmFundingCommand, input: { orderId: order.id } });
    return DONE;
  };

  if (isCalled(escrow, FUND)) return confirm();
  // While a funding is on its way the money may be gone from the wallet already: it must not be covered a second time.
  const isOnItsWay = escrow.transactionId !== null && operation.step === FUND.call;
  if (!isOnItsWay) {
    const { currency, amount } = order;
    const { walletId } = escrow.buyer;
    const covered = await parts.fundWallet({ marketplaceId, walletId, currency, amount, reference: operation.id });
    if (covered.kind === 'no') return fail(covered.reason);
    if (covered.kind === 'unknown') return waiting(covered.reason);
  }
  const sent = await sendCall(parts, current, {
    signer: 'buyer',
    step: {
      ...{ kind: 'fund', type: escrow.contractType, contractId: escrow.providerContractId ?? '' },
      ...{ signer: escrow.buyer.address, amount: escrow.amount },
    },
    terms: deployStep(view, parts.usdc),
    action: actionOf(escrow, operation, FUND),
  });
  if (sent.kind === 'waiting') return sent;
  return sent.kind === 'refused' ? fail(sent.reason) : confirm();
};
