// Pays a contract out, call by call: to the seller, to the buyer, or to both. Calls that are on the ledger are not repeated, so a
// new attempt continues where the last one stopped.

import { type Answer, no, unknown, yes } from '../../../base/answer.ts';
import { type Amount, fromUnits, minus, sumOf, ZERO } from '../../../books/money.ts';
import type { EscrowFlags, EscrowRecord } from '../../../providers/ports.ts';
import { type OperationContext, submitFor } from '../../operations/operation-context.ts';
import { recordCalls } from '../call-rows.ts';
import { callKey, type DoneCall, type Escrow, isCalled } from '../escrow.ts';
import { fundSigner, sendCall } from './escrow-calls.ts';
import { actionOf, stepOf } from './escrow-steps.ts';
import type { EscrowParts } from './handlers.ts';
import { type Goal, nextCall } from './next-call.ts';

/** Ten milestones of three calls each, and as many again to record calls that were made without us. */
const ROUNDS_MAX = 64;

/** Refusals that say that the contract is in another state than our rows. */
const OUT_OF_DATE = /^(ALREADY_|IN_DISPUTE$|NOT_DISPUTED$|TOTAL_NOT_BALANCE$)/;

const goalOf = ({ operation, view }: OperationContext): Goal => {
  const { amount } = view.order;
  if (operation.kind === 'release') return { seller: amount, buyer: ZERO, by: 'release' };
  if (operation.kind === 'refund') return { seller: ZERO, buyer: amount, by: 'dispute' };
  const { sellerUnits = '0', buyerUnits = '0' } = operation.ask;
  return { seller: fromUnits(BigInt(sellerUnits)), buyer: fromUnits(BigInt(buyerUnits)), by: 'dispute' };
};

/** The current state of the contract: its row, and the money in it beyond the order's amount. */
type Contract = { readonly escrow: Escrow; readonly surplus: Amount };

/** The record does not show the shares of a resolution, so an unknown resolution counts for neither side. */
const fromFlags = (flags: EscrowFlags | null, milestone: number | null): DoneCall[] => {
  if (!flags) return [];
  return [
    ...(flags.disputed || flags.resolved ? [{ call: 'dispute', milestone } as const] : []),
    ...(flags.released ? [{ call: 'release', milestone } as const] : []),
    ...(flags.resolved ? [{ call: 'resolve', milestone } as const] : []),
  ];
};

/** The calls of the record that the escrow's row does not have yet. */
const callsSeen = (record: EscrowRecord, escrow: Escrow): DoneCall[] => {
  const seen = [
    ...fromFlags(record.flags, null),
    ...record.milestones.flatMap((milestone, place): DoneCall[] => [
      ...(milestone.approved
        ? [{ call: 'change-status', milestone: place } as const, { call: 'approve', milestone: place } as const]
        : []),
      ...fromFlags(milestone.flags, place),
    ]),
  ];
  const fresh = seen.filter((call) => !isCalled(escrow, call));
  return [...new Map(fresh.map((call) => [callKey(call), call])).values()];
};

/** Reads the contract at the provider and records the calls that our rows did not have. No: nothing was new. */
const refresh = async (
  parts: EscrowParts,
  { current, contract }: { current: OperationContext; contract: Contract },
): Promise<Answer<Contract>> => {
  const { escrow, surplus: known } = contract;
  const found = await parts.escrow
    ?.forMarketplace(current.marketplaceId)
    .findByContract([escrow.providerContractId ?? '']);
  const isOurs = (record: EscrowRecord): boolean =>
    record.contractId === escrow.providerContractId && record.engagementId === escrow.orderId;
  const record = found?.kind === 'yes' ? found.value.find(isOurs) : undefined;
  if (!record) return unknown('The state of the contract could not be read from the provider.', { code: 'unclear' });
  const calls = callsSeen(record, escrow);
  const surplus = record.balance > escrow.amount ? minus(record.balance, escrow.amount) : ZERO;
  if (calls.length === 0 && surplus === known) return no('The provider shows nothing new.');
  if (calls.length > 0) {
    await submitFor(current, { submit: parts.submit, command: recordCalls, input: { escrowId: escrow.id, calls } });
  }
  const reread = (await parts.findOrder(current.marketplaceId, escrow.orderId))?.escrow;
  if (reread?.id !== escrow.id) return unknown('Another worker holds the operation.', { code: 'in-progress' });
  return yes({ escrow: reread, surplus });
};

/** Yes: the contract has paid both sides their shares. */
export const settleEscrow = async (parts: EscrowParts, current: OperationContext): Promise<Answer<null>> => {
  const { view, operation } = current;
  const goal = goalOf(current);
  const amounts = view.milestones.length > 0 ? view.milestones.map(({ amount }) => amount) : [view.order.amount];
  if (sumOf(amounts) !== view.order.amount) return no('The milestones do not sum to the order.');
  const fundedSigners = new Set<string>();
  let contract: Contract = { escrow: view.escrow, surplus: ZERO };

  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { escrow, surplus } = contract;
    const next = nextCall({ contractType: escrow.contractType, calls: escrow.calls, amounts, surplus }, goal);
    if (next === null) return yes(null);
    const { signer } = next;
    if (!fundedSigners.has(signer)) {
      const funded = await fundSigner(parts, { current, signer, amount: ZERO });
      if (funded.kind !== 'yes') return funded;
      fundedSigners.add(signer);
    }
    const sent = await sendCall(parts, {
      current: { ...current, view: { ...view, escrow } },
      signer,
      step: stepOf(escrow, next),
      action: actionOf({ escrow, operation, call: next }),
    });
    if (sent.kind === 'unknown') return sent;
    if (sent.kind === 'yes') {
      contract = { escrow: sent.value.escrow, surplus };
      continue;
    }
    if (!OUT_OF_DATE.test(sent.code ?? '')) return sent;
    const refreshed = await refresh(parts, { current, contract });
    if (refreshed.kind === 'unknown') return refreshed;
    if (refreshed.kind === 'no') return sent;
    contract = refreshed.value;
  }
  return unknown('The contract needed more calls than it can have.', { code: 'unclear' });
};
