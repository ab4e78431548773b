// Pays a contract out, call by call: to the seller, to the buyer, or to both. Calls that are on the ledger are not repeated, so a
// new attempt continues where the last one stopped.

import { type Answer, no, unknown, yes } from '../../../base/answer.ts';
import { type Amount, fromUnits, least, minus, sumOf, ZERO } from '../../../books/money.ts';
import type { EscrowFlags, EscrowRecord } from '../../../providers/ports.ts';
import { type OperationContext, submitFor } from '../../operations/operation-context.ts';
import type { OrderView } from '../../orders/order.ts';
import { isPaid, leftOf, milestoneOf } from '../../orders/paid-milestones.ts';
import { recordCalls } from '../call-rows.ts';
import { callKey, type DoneCall, type Escrow, isCalled } from '../escrow.ts';
import { fundSigner, sendCall } from './escrow-calls.ts';
import { actionOf, stepOf } from './escrow-steps.ts';
import type { EscrowParts } from './handlers.ts';
import { type Call, type Goal, isPaidOut, nextCall, withdrawal } from './next-call.ts';

/** Ten milestones of three calls each, and as many again to record calls that were made without us. */
const ROUNDS_MAX = 64;

/** Refusals that say that the contract is in another state than our rows. */
const OUT_OF_DATE = /^(ALREADY_|IN_DISPUTE$|NOT_DISPUTED$|TOTAL_NOT_BALANCE$)/;

type Paying = Pick<OperationContext, 'operation'> & Pick<OrderView, 'order' | 'milestones'>;

/** The milestones that the operation pays: the one that it names, or those that were not paid on their own. */
const placesOf = ({ operation, milestones }: Paying): readonly number[] => {
  const { milestoneRef } = operation.ask;
  const concerned =
    milestoneRef === undefined
      ? milestones.filter((each) => !isPaid(each))
      : [milestoneOf({ milestones }, milestoneRef)];
  return concerned.map(({ place }) => place);
};

/** Who is paid by an operation, and from which milestones. */
export const goalOf = (view: Paying): Goal => {
  const { kind, ask } = view.operation;
  const places = view.milestones.length > 0 ? { places: placesOf(view) } : {};
  const amount = ask.milestoneRef === undefined ? leftOf(view) : milestoneOf(view, ask.milestoneRef).amount;
  if (kind === 'release' || kind === 'release-milestone') {
    return { seller: amount, buyer: ZERO, by: 'release', ...places };
  }
  if (kind === 'refund' || kind === 'refund-milestone') {
    return { seller: ZERO, buyer: amount, by: 'dispute', ...places };
  }
  const { sellerUnits = '0', buyerUnits = '0' } = ask;
  return { seller: fromUnits(BigInt(sellerUnits)), buyer: fromUnits(BigInt(buyerUnits)), by: 'dispute', ...places };
};

/** Who is to be paid, and the milestones from whose amounts. The amounts sum to the payment. */
type Payout = { readonly goal: Goal; readonly amounts: readonly Amount[] };

/** The current state of the contract: its row, and the money in it beyond the payout. */
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
  { current, contract, expected }: { current: OperationContext; contract: Contract; expected: Amount },
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
  const surplus = record.balance > expected ? minus(record.balance, expected) : ZERO;
  if (calls.length === 0 && surplus === known) return no('The provider shows nothing new.');
  if (calls.length > 0) {
    await submitFor(current, { submit: parts.submit, command: recordCalls, input: { escrowId: escrow.id, calls } });
  }
  const reread = (await parts.findOrder(current.marketplaceId, escrow.orderId))?.escrow;
  if (reread?.id !== escrow.id) return unknown('Another worker holds the operation.', { code: 'in-progress' });
  return yes({ escrow: reread, surplus });
};

type Settled = { readonly current: OperationContext; readonly escrow: Escrow };

/**
 * Takes out what others paid into the contract. The parties are paid, so neither a silent provider nor a refusal holds the settlement
 * up: the money stays in the list of surpluses then. A single-release contract pays its surplus out with a resolution or not at all.
 */
const adoptSurplus = async (parts: EscrowParts, { current, escrow }: Settled): Promise<Answer<null>> => {
  const { providerContractId: contractId } = escrow;
  const next = withdrawal(ZERO);
  if (escrow.contractType === 'single-release' || contractId === null || isCalled(escrow, next)) return yes(null);
  const found = await parts.escrow?.forMarketplace(current.marketplaceId).balances([contractId]);
  const surplus = found?.kind === 'yes' ? (found.value[0]?.balance ?? ZERO) : ZERO;
  if (surplus === ZERO) return yes(null);
  const funded = await fundSigner(parts, { current, signer: 'platform', amount: ZERO });
  if (funded.kind !== 'yes') return yes(null);
  const call = withdrawal(surplus);
  const sent = await sendCall(parts, {
    current: { ...current, view: { ...current.view, escrow } },
    signer: 'platform',
    step: stepOf(escrow, call),
    action: actionOf({ escrow, operation: current.operation, call }),
  });
  return sent.kind === 'unknown' ? sent : yes(null);
};

export const amountsOf = ({ milestones, order }: Pick<OrderView, 'milestones' | 'order'>): readonly Amount[] =>
  milestones.length > 0 ? milestones.map(({ amount }) => amount) : [order.amount];

/** No person has asked for this release, so it must not decide a dispute that the contract shows. */
const decidesDispute = ({ operation }: OperationContext, { goal, next }: { goal: Goal; next: Call }): boolean =>
  goal.by === 'release' && next.call === 'resolve' && operation.ask.actor.type === 'system';

type PayoutRequest = { readonly current: OperationContext; readonly payout: Payout };

/** Yes: the contract has paid both sides their shares. */
const payOut = async (parts: EscrowParts, { current, payout }: PayoutRequest): Promise<Answer<null>> => {
  const { view, operation } = current;
  const { goal, amounts } = payout;
  const expected = sumOf(amounts);
  const fundedSigners = new Set<string>();
  let contract: Contract = { escrow: view.escrow, surplus: ZERO };

  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { escrow, surplus } = contract;
    const next = nextCall({ contractType: escrow.contractType, calls: escrow.calls, amounts, surplus }, goal);
    if (next === null) {
      // The money of the other milestones is no surplus.
      const isWhole = escrow.contractType === 'single-release' || isPaidOut({ calls: escrow.calls, amounts });
      return isWhole ? adoptSurplus(parts, { current, escrow }) : yes(null);
    }
    if (decidesDispute(current, { goal, next })) {
      return no(
        'The contract is disputed, and an automatic release decides no dispute. Decide the dispute, or release.',
      );
    }
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
    const refreshed = await refresh(parts, { current, contract, expected });
    if (refreshed.kind === 'unknown') return refreshed;
    if (refreshed.kind === 'no') return sent;
    contract = refreshed.value;
  }
  return unknown('The contract needed more calls than it can have.', { code: 'unclear' });
};

/** Pays what is left of the order, or one of its milestones, as the operation requests. */
export const settleEscrow = async (parts: EscrowParts, current: OperationContext): Promise<Answer<null>> => {
  const amounts = amountsOf(current.view);
  if (sumOf(amounts) !== current.view.order.amount) return no('The milestones do not sum to the order.');
  return payOut(parts, {
    current,
    payout: { goal: goalOf({ ...current.view, operation: current.operation }), amounts },
  });
};

/** The parts of the first milestones that an incomplete funding covers. */
const coveredBy = (amount: Amount, amounts: readonly Amount[]): Amount[] => {
  let left = amount;
  const covered = amounts.map((one) => {
    const part = least(one, left);
    left = minus(left, part);
    return part;
  });
  return covered.filter((part) => part > ZERO);
};

/** Pays an incomplete funding back to the buyer, by a dispute that the platform resolves: the contract has no other way. */
export const payBack = (
  parts: EscrowParts,
  { current, amount }: { readonly current: OperationContext; readonly amount: Amount },
): Promise<Answer<null>> => {
  const goal: Goal = { seller: ZERO, buyer: amount, by: 'dispute' };
  const { escrow } = current.view;
  const amounts = escrow.contractType === 'single-release' ? [amount] : coveredBy(amount, amountsOf(current.view));
  return payOut(parts, { current, payout: { goal, amounts } });
};
