// Deploys the contract of an order's escrow, or finds the one that an earlier attempt has deployed. Signed by the buyer.

import {
  DONE,
  type EscrowParts,
  type OperationContext,
  type OperationOutcome,
  submitFor,
  waiting,
} from '../../operations/operation-context.ts';
import { confirmEscrowCommand } from '../confirm-escrow.ts';
import { deployedContract } from '../escrow.ts';
import { failEscrow } from '../fail-escrow.ts';
import { actionOf, deployStep } from './escrow-steps.ts';
import { seeToFees } from './fund-fees.ts';
import { sendCall } from './send-call.ts';

/** So often the provider is asked for a contract that the ledger has. */
const LOOKS_MAX = 8;

/** The order waits where it is, and whoever asked has the answer that the spec gives. */
const UNNAMED: OperationOutcome = {
  kind: 'waiting',
  reason: 'The provider has not named the contract yet.',
  isAnswered: true,
};

/** What the provider shows of the contract that we deployed; null while it does not show it. */
const findContract = async (parts: EscrowParts, { view }: OperationContext, contractId: string | null) => {
  const { escrow, order } = view;
  const found = await parts.escrow?.findByEngagement({ signer: escrow.buyer.address, engagementId: order.id });
  if (found?.kind !== 'yes') return null;
  return found.value.find((record) => contractId === null || record.contractId === contractId)?.contractId ?? null;
};

const confirm = async (
  parts: EscrowParts,
  current: OperationContext,
  contractId: string,
): Promise<OperationOutcome> => {
  const input = { orderId: current.view.order.id, contractId };
  await submitFor(parts, current, { command: confirmEscrowCommand, input });
  return DONE;
};

/** The contract is on the ledger; the provider has to know it too before anything can be asked about it. */
const lookUp = async (parts: EscrowParts, current: OperationContext): Promise<OperationOutcome> => {
  const contractId = await findContract(parts, current, deployedContract(current.view.escrow));
  const { operation, view } = current;
  // What the ledger has is there, whether the provider's index ever shows it or not.
  const certain = operation.attempts >= LOOKS_MAX ? deployedContract(view.escrow) : null;
  const known = contractId ?? certain;
  return known === null ? waiting('The provider does not show the contract yet.') : confirm(parts, current, known);
};

export const createEscrow = async (parts: EscrowParts, current: OperationContext): Promise<OperationOutcome> => {
  const { view, operation } = current;
  const { escrow } = view;
  const deployed = deployedContract(escrow);
  // Used again: it was confirmed by the first attempt.
  if (deployed !== null && escrow.providerContractId === deployed) return confirm(parts, current, deployed);
  if (deployed !== null) return lookUp(parts, current);
  const fail = async (reason: string): Promise<OperationOutcome> => {
    const input = { orderId: view.order.id, operationId: operation.id, reason };
    await submitFor(parts, current, { command: failEscrow, input });
    return { kind: 'failed', reason };
  };
  const short = await seeToFees(parts, current, 'buyer');
  if (short) return short.kind === 'refused' ? fail(short.reason) : short;
  const sent = await sendCall(parts, current, {
    signer: 'buyer',
    step: deployStep(view, parts.usdc),
    action: actionOf(escrow, operation, { call: 'deploy', milestone: null }),
  });
  if (sent.kind === 'waiting') return sent;
  if (sent.kind === 'refused') return fail(sent.reason);
  const contractId = deployedContract(sent.escrow);
  if (contractId === null) return waiting('Where the contract was deployed is not known yet.');
  // A success without the contract's id: the spec leaves the order where it is, and it is finished behind the answer.
  if (sent.contractId === null) return UNNAMED;
  if (sent.contractId === contractId) return confirm(parts, current, contractId);
  return lookUp(parts, { ...current, view: { ...view, escrow: sent.escrow } });
};
