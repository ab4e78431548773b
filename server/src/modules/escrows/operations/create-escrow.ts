// Deploys the contract of an order's escrow, or finds the contract that an earlier attempt deployed. The buyer's wallet signs.

import { ZERO } from '../../../books/money.ts';
import {
  DONE,
  type OperationContext,
  type OperationOutcome,
  submitFor,
  waiting,
  waitingFor,
} from '../../operations/operation-context.ts';
import { confirmEscrowCommand, failEscrow } from '../end-escrow-creation.ts';
import { deployedContract } from '../escrow.ts';
import { fundSigner, sendCall } from './escrow-calls.ts';
import { actionOf, deployStep } from './escrow-steps.ts';
import type { EscrowParts } from './handlers.ts';

/** How many attempts search the provider's index for a contract that is on the ledger. */
const LOOKUPS_MAX = 8;

/** The order stays in its state, and the request gets the answer that the spec prescribes. */
const UNNAMED: OperationOutcome = {
  kind: 'waiting',
  reason: 'The provider has not named the contract yet.',
  isAnswered: true,
};

/** The contract in the provider's index; null while the index does not have it. */
const findContract = async (parts: EscrowParts, { marketplaceId, view }: OperationContext) => {
  const { escrow, order } = view;
  const contractId = deployedContract(escrow);
  const found = await parts.escrow
    ?.forMarketplace(marketplaceId)
    .findByEngagement({ signer: escrow.buyer.address, engagementId: order.id });
  if (found?.kind !== 'yes') return null;
  return found.value.find((record) => contractId === null || record.contractId === contractId)?.contractId ?? null;
};

type Confirmation = { readonly current: OperationContext; readonly contractId: string };

const confirm = async (parts: EscrowParts, { current, contractId }: Confirmation): Promise<OperationOutcome> => {
  const input = { orderId: current.view.order.id, contractId };
  await submitFor(current, { submit: parts.submit, command: confirmEscrowCommand, input });
  return DONE;
};

type Failure = { readonly current: OperationContext; readonly reason: string };

const fail = async (parts: EscrowParts, { current, reason }: Failure): Promise<OperationOutcome> => {
  const input = { orderId: current.view.order.id, operationId: current.operation.id, reason };
  await submitFor(current, { submit: parts.submit, command: failEscrow, input });
  return { kind: 'failed', reason };
};

/** The contract is on the ledger. The provider has to know it too before it can be called. */
const lookUp = async (parts: EscrowParts, current: OperationContext): Promise<OperationOutcome> => {
  const deployed = deployedContract(current.view.escrow);
  const indexed = await findContract(parts, current);
  // A contract on the ledger exists, even if the provider's index never shows it.
  const certain = current.operation.attempts >= LOOKUPS_MAX ? deployed : null;
  const contractId = indexed ?? certain;
  if (contractId === null) return waiting('The provider does not show the contract yet.');
  return confirm(parts, { current, contractId });
};

export const createEscrow = async (parts: EscrowParts, current: OperationContext): Promise<OperationOutcome> => {
  const { view, operation } = current;
  const { escrow } = view;
  const deployed = deployedContract(escrow);
  // A contract that is used again was confirmed by the first attempt.
  if (deployed !== null && escrow.providerContractId === deployed)
    return confirm(parts, { current, contractId: deployed });
  if (deployed !== null) return lookUp(parts, current);
  const funded = await fundSigner(parts, { current, signer: 'buyer', amount: ZERO });
  if (funded.kind === 'no') return fail(parts, { current, reason: funded.reason });
  if (funded.kind === 'unknown') return waitingFor(funded);
  const sent = await sendCall(parts, {
    current,
    signer: 'buyer',
    step: deployStep(view, parts.usdc),
    action: actionOf({ escrow, operation, call: { call: 'deploy', milestone: null } }),
  });
  if (sent.kind === 'unknown') return waitingFor(sent);
  if (sent.kind === 'no') return fail(parts, { current, reason: sent.reason });
  const contractId = deployedContract(sent.value.escrow);
  if (contractId === null) return waiting('The address of the deployed contract is not known yet.');
  // The provider reported a success without the contract's id. The spec leaves the order in its state; a later attempt finishes it.
  if (sent.value.contractId === null) return UNNAMED;
  if (sent.value.contractId === contractId) return confirm(parts, { current, contractId });
  return lookUp(parts, { ...current, view: { ...view, escrow: sent.value.escrow } });
};
