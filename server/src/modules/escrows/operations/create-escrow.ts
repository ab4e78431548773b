// Deploys the contract of an order's escrow, or finds the one that an earlier attempt has deployed. Signed by the buyer.

import { confirmEscrowCommand } from '../confirm-escrow.ts';
import { deployedContract } from '../escrow.ts';
import { failEscrow } from '../fail-escrow.ts';
import { actionOf, deployStep } from './escrow-steps.ts';
import { seeToFees } from './fund-fees.ts';
import { carryOn, DONE, type Errand, type ErrandParts, type Outcome, waiting } from './operation-context.ts';
import { sendCall } from './send-call.ts';

/** So often the provider is asked for a contract that the ledger has. */
const LOOKS_MAX = 8;

/** The order waits where it is, and whoever asked has the answer that the spec gives. */
const UNNAMED: Outcome = { kind: 'waiting', reason: 'The provider has not named the contract yet.', isAnswered: true };

/** What the provider shows of the contract that we deployed; null while it does not show it. */
const findContract = async (parts: ErrandParts, { view }: Errand, contractId: string | null) => {
  const { escrow, order } = view;
  const found = await parts.escrow?.findByEngagement({ signer: escrow.buyer.address, engagementId: order.id });
  if (found?.kind !== 'yes') return null;
  return found.value.find((record) => contractId === null || record.contractId === contractId)?.contractId ?? null;
};

const confirm = async (parts: ErrandParts, errand: Errand, contractId: string): Promise<Outcome> => {
  const input = { orderId: errand.view.order.id, contractId };
  await carryOn(parts, errand, { command: confirmEscrowCommand, input });
  return DONE;
};

/** The contract is on the ledger; the provider has to know it too before anything can be asked about it. */
const lookUp = async (parts: ErrandParts, errand: Errand): Promise<Outcome> => {
  const contractId = await findContract(parts, errand, deployedContract(errand.view.escrow));
  const { operation, view } = errand;
  // What the ledger has is there, whether the provider's index ever shows it or not.
  const certain = operation.attempts >= LOOKS_MAX ? deployedContract(view.escrow) : null;
  const known = contractId ?? certain;
  return known === null ? waiting('The provider does not show the contract yet.') : confirm(parts, errand, known);
};

export const createEscrow = async (parts: ErrandParts, errand: Errand): Promise<Outcome> => {
  const { view, operation } = errand;
  const { escrow } = view;
  const deployed = deployedContract(escrow);
  // Used again: it was confirmed by the first attempt.
  if (deployed !== null && escrow.providerContractId === deployed) return confirm(parts, errand, deployed);
  if (deployed !== null) return lookUp(parts, errand);
  const fail = async (reason: string): Promise<Outcome> => {
    const input = { orderId: view.order.id, operationId: operation.id, reason };
    await carryOn(parts, errand, { command: failEscrow, input });
    return { kind: 'failed', reason };
  };
  const short = await seeToFees(parts, errand, 'buyer');
  if (short) return short.kind === 'refused' ? fail(short.reason) : short;
  const sent = await sendCall(parts, errand, {
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
  if (sent.contractId === contractId) return confirm(parts, errand, contractId);
  return lookUp(parts, { ...errand, view: { ...view, escrow: sent.escrow } });
};
