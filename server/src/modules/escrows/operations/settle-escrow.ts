// Pays a contract out, call by call: to the seller, back to the buyer, or both. What is on the ledger already is not called
// again, so whatever an earlier attempt left half done is finished here.

import { type Amount, fromUnits, minus, ZERO } from '../../../books/money.ts';
import { sumOf } from '../../../books/sums.ts';
import type { EscrowRecord } from '../../../providers/ports.ts';
import {
  busy,
  type EscrowParts,
  type OperationContext,
  type OperationOutcome,
  submitFor,
  waiting,
} from '../../operations/operation-context.ts';
import type { Escrow } from '../escrow.ts';
import { noteCalls } from '../record-calls.ts';
import { type Goal, nextCall } from '../settlement.ts';
import { actionOf, stepOf } from './escrow-steps.ts';
import { seeToFees } from './fund-fees.ts';
import { callsSeen } from './refresh-calls.ts';
import { sendCall } from './send-call.ts';

/** Ten milestones of three calls each, and as many again to learn what was done without us. */
const ROUNDS_MAX = 64;

const LEARN_FROM = /^(ALREADY_|IN_DISPUTE$|NOT_DISPUTED$|TOTAL_NOT_BALANCE$)/;

const goalOf = ({ operation, view }: OperationContext): Goal => {
  const { amount } = view.order;
  if (operation.kind === 'release') return { seller: amount, buyer: ZERO, by: 'release' };
  if (operation.kind === 'refund') return { seller: ZERO, buyer: amount, by: 'dispute' };
  const { sellerUnits = '0', buyerUnits = '0' } = operation.ask;
  return { seller: fromUnits(BigInt(sellerUnits)), buyer: fromUnits(BigInt(buyerUnits)), by: 'dispute' };
};

type Learned = { readonly isNew: boolean; readonly surplus: Amount };

/** Asks the provider what is on the ledger, and keeps what our rows did not know. Null when it cannot say. */
const learn = async (parts: EscrowParts, current: OperationContext, escrow: Escrow): Promise<Learned | null> => {
  const found = await parts.escrow?.findByContract([escrow.providerContractId ?? '']);
  const isOurs = (record: EscrowRecord): boolean =>
    record.contractId === escrow.providerContractId && record.engagementId === escrow.orderId;
  const record = found?.kind === 'yes' ? found.value.find(isOurs) : undefined;
  if (!record) return null;
  const calls = callsSeen(record, escrow);
  if (calls.length > 0) await submitFor(parts, current, { command: noteCalls, input: { escrowId: escrow.id, calls } });
  const isMore = record.balance > escrow.amount;
  return { isNew: calls.length > 0, surplus: isMore ? minus(record.balance, escrow.amount) : ZERO };
};

type Ended = { readonly kind: 'paid' } | { readonly kind: 'refused'; readonly reason: string } | OperationOutcome;

export const settleEscrow = async (parts: EscrowParts, current: OperationContext): Promise<Ended> => {
  const { view, operation } = current;
  const goal = goalOf(current);
  const amounts = view.milestones.length > 0 ? view.milestones.map(({ amount }) => amount) : [view.order.amount];
  if (sumOf(amounts) !== view.order.amount)
    return { kind: 'refused', reason: 'The milestones do not sum to the order.' };
  const feesSeen = new Set<string>();
  let { escrow } = view;
  let surplus = ZERO;

  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { contractType, calls } = escrow;
    const next = nextCall({ contractType, calls, amounts, surplus }, goal);
    if (next === null) return { kind: 'paid' };
    const short = feesSeen.has(next.signer) ? null : await seeToFees(parts, current, next.signer);
    if (short) return short;
    feesSeen.add(next.signer);
    const sent = await sendCall(
      parts,
      { ...current, view: { ...view, escrow } },
      {
        signer: next.signer,
        step: stepOf(escrow, next),
        action: actionOf(escrow, operation, next),
      },
    );
    if (sent.kind === 'waiting') return sent;
    if (sent.kind === 'done') {
      escrow = sent.escrow;
      continue;
    }
    if (!LEARN_FROM.test(sent.code ?? '')) return { kind: 'refused', reason: sent.reason };
    const learned = await learn(parts, current, escrow);
    if (learned === null) return waiting('What the contract has done already could not be read.');
    if (!learned.isNew && learned.surplus === surplus) return { kind: 'refused', reason: sent.reason };
    surplus = learned.surplus;
    const reread = await parts.findOrder(current.marketplaceId, view.order.id);
    if (reread?.escrow?.id !== escrow.id) return busy();
    escrow = reread.escrow;
  }
  return waiting('The contract needed more calls than it can have.');
};
