// What the contract of an order has done, as the provider and the ledger show it together, and which step brings the order there. A step is
// certain or there is none. It decides nothing about money.

import { type Amount, fromUnits, plus, sumOf, ZERO } from '../../books/money.ts';
import type { EscrowFlags, EscrowRecord } from '../../providers/ports.ts';
import { type DoneCall, type Escrow, fundingsOf, isCalled } from '../escrows/escrow.ts';
import type { Milestone, OrderView } from '../orders/order.ts';
import { isPaid, leftOf } from '../orders/paid-milestones.ts';

export type ContractState = {
  readonly contractId: string;
  readonly held: Amount;
  /** The calls of the contract on the ledger. */
  readonly calls: readonly DoneCall[];
  /** The milestones with an open dispute, by place. */
  readonly disputed: readonly number[];
  /** The contract as a whole has an open dispute. */
  readonly isDisputed: boolean;
};

const isOpen = (flags: EscrowFlags | null): boolean => flags?.disputed === true && !flags.resolved && !flags.released;

const has = (calls: readonly DoneCall[], one: Pick<DoneCall, 'call' | 'milestone'>): boolean =>
  calls.some(({ call, milestone }) => call === one.call && milestone === one.milestone);

const partsOf = ({ type, flags, milestones }: EscrowRecord) =>
  type === 'single-release'
    ? [{ flags, milestone: null }]
    : milestones.map((each, place) => ({ flags: each.flags, milestone: place }));

/** Null: the provider and the ledger show different payouts or disputes, so one of them is late. */
export const contractStateOf = (
  record: EscrowRecord,
  { calls, held }: { readonly calls: readonly DoneCall[]; readonly held: Amount },
): ContractState | null => {
  const parts = partsOf(record);
  const isSame = parts.every(
    ({ flags, milestone }) =>
      has(calls, { call: 'release', milestone }) === (flags?.released === true) &&
      has(calls, { call: 'resolve', milestone }) === (flags?.resolved === true) &&
      (!isOpen(flags) || has(calls, { call: 'dispute', milestone })),
  );
  if (!isSame || record.balance !== held) return null;
  return {
    contractId: record.contractId,
    held,
    calls,
    disputed: parts.flatMap(({ flags, milestone }) => (isOpen(flags) && milestone !== null ? [milestone] : [])),
    isDisputed: isOpen(record.flags),
  };
};

/** Before any fee. */
export type Shares = { readonly seller: Amount; readonly buyer: Amount };

/** What the contract has paid of one part; null when it has not paid it. */
const paidOf = (
  { calls }: ContractState,
  { milestone, amount }: { milestone: number | null; amount: Amount },
): Shares | null => {
  if (has(calls, { call: 'release', milestone })) return { seller: amount, buyer: ZERO };
  const resolved = calls.find((one) => one.call === 'resolve' && one.milestone === milestone);
  if (!resolved) return null;
  const { sellerUnits = '0', buyerUnits = '0' } = resolved;
  return { seller: fromUnits(BigInt(sellerUnits)), buyer: fromUnits(BigInt(buyerUnits)) };
};

/** What the contract has paid of all that is left of the order; null while it has not paid everything. */
const paidWhole = (view: OrderView, { state, escrow }: At): Shares | null => {
  if (escrow.contractType === 'single-release') return paidOf(state, { milestone: null, amount: leftOf(view) });
  const paid = view.milestones
    .filter((each) => !isPaid(each))
    .map(({ place, amount }) => paidOf(state, { milestone: place, amount }));
  if (paid.length === 0 || paid.some((one) => one === null)) return null;
  const all = paid.flatMap((one) => one ?? []);
  return { seller: sumOf(all.map(({ seller }) => seller)), buyer: sumOf(all.map(({ buyer }) => buyer)) };
};

type At = { readonly state: ContractState; readonly escrow: Escrow };

export type Step =
  | { readonly kind: 'confirm-funding' | 'undo-funding' | 'reopen' | 'open-dispute' }
  | ({ readonly kind: 'release' | 'resolve' } & Shares)
  | { readonly kind: 'undo-milestones'; readonly places: readonly number[] }
  | { readonly kind: 'pay-milestones'; readonly paid: readonly (Shares & { readonly milestone: Milestone })[] };

/** Why there is no step, with what the caller can do now. */
type Nothing = { readonly kind: 'nothing'; readonly next: string };

const nothing = (next: string): Nothing => ({ kind: 'nothing', next });

const SAME = 'The order shows what its contract shows. Nothing is left to correct.';
const SHARES =
  'The shares that the contract paid are not the amount of the order. Compare the call on the ledger with the parties.';

const isWhole = ({ seller, buyer }: Shares, amount: Amount): boolean => plus(seller, buyer) === amount;

const hasFunding = ({ state, escrow }: At): boolean =>
  fundingsOf(escrow).length > 0 || state.calls.some(({ call }) => call === 'fund');

const hasPaid = ({ calls }: ContractState): boolean =>
  calls.some(({ call }) => call === 'release' || call === 'resolve');

const ofUnfunded = ({ order }: OrderView, { state, escrow }: At): Step | Nothing => {
  if (state.held >= escrow.amount && !hasPaid(state)) return { kind: 'confirm-funding' };
  const cancel = 'cancel the order with the correction cancel-unfunded-order';
  return nothing(`The contract is not funded. Fund it with POST /orders/${order.id}/escrow/fund, or ${cancel}.`);
};

/** Milestones that the books paid and the contract did not, or with other shares; null when there is none. */
const ofPaidMilestones = (view: OrderView, { state, escrow }: At): Step | Nothing | null => {
  if (escrow.contractType === 'single-release') return null;
  const wrong = view.milestones.filter(isPaid).flatMap((milestone) => {
    const { place, amount, releasedAmount, refundedAmount } = milestone;
    const shares = paidOf(state, { milestone: place, amount });
    const isBooked = shares !== null && shares.seller === releasedAmount && shares.buyer === refundedAmount;
    return isBooked ? [] : [{ place, isCertain: shares === null || isWhole(shares, amount) }];
  });
  if (wrong.length === 0) return null;
  if (wrong.some(({ isCertain }) => !isCertain)) return nothing(SHARES);
  return { kind: 'undo-milestones', places: wrong.map(({ place }) => place) };
};

const ofMilestones = (view: OrderView, { state }: At): Step | Nothing | null => {
  const paid = view.milestones
    .filter((each) => !isPaid(each))
    .flatMap((milestone) => {
      const shares = paidOf(state, { milestone: milestone.place, amount: milestone.amount });
      return shares ? [{ milestone, ...shares }] : [];
    });
  if (paid.length === 0) return null;
  return paid.every((one) => isWhole(one, one.milestone.amount)) ? { kind: 'pay-milestones', paid } : nothing(SHARES);
};

const ofSingle = (view: OrderView, at: At): Step | Nothing | null => {
  const shares = paidWhole(view, at);
  if (shares === null) return null;
  if (!isWhole(shares, leftOf(view))) return nothing(SHARES);
  return { kind: has(at.state.calls, { call: 'release', milestone: null }) ? 'release' : 'resolve', ...shares };
};

const ofRunning = (view: OrderView, at: At): Step | Nothing => {
  const { state, escrow } = at;
  const paid = escrow.contractType === 'single-release' ? ofSingle(view, at) : ofMilestones(view, at);
  if (paid !== null) return paid;
  // A refund or a resolution of ours disputes the contract first.
  const isOwn = (milestone: number | null): boolean => isCalled(escrow, { call: 'dispute', milestone });
  const isNew = ({ place, status }: Milestone): boolean =>
    state.disputed.includes(place) && status !== 'DISPUTED' && !isOwn(place);
  if ((state.isDisputed && !isOwn(null)) || view.milestones.some(isNew)) return { kind: 'open-dispute' };
  if (state.held >= leftOf(view)) return nothing(SAME);
  if (!hasFunding(at) && !hasPaid(state)) return { kind: 'undo-funding' };
  return nothing(
    'The contract holds less than the order, and no call of it explains that. Ask the escrow provider and the issuer of the asset first.',
  );
};

const ofDisputed = (view: OrderView, at: At): Step | Nothing => {
  const shares = paidWhole(view, at);
  if (shares !== null) return isWhole(shares, leftOf(view)) ? { kind: 'resolve', ...shares } : nothing(SHARES);
  const { dispute } = view;
  return nothing(
    `The contract has not paid everything. Decide the dispute with POST /disputes/${dispute?.id}/resolve.`,
  );
};

/** A closed order whose contract has paid nothing, or the other side. Without paid milestones, both sides are paid only by our own calls. */
const ofClosed = (view: OrderView, at: At): Step | Nothing => {
  const { finalStatus, amount } = view.order;
  const wrong = ofPaidMilestones(view, at);
  if (wrong !== null) return wrong;
  if (finalStatus === 'SPLIT' || view.milestones.some(isPaid)) return nothing(SAME);
  const shares = paidWhole(view, at);
  if (shares === null) return { kind: 'reopen' };
  if (!isWhole(shares, amount)) return nothing(SHARES);
  const isBooked = finalStatus === 'RELEASED' ? shares.buyer === ZERO : shares.seller === ZERO;
  return isBooked ? nothing(SAME) : { kind: 'reopen' };
};

/** The next step that brings the order to the state of its contract. */
export const nextStep = (view: OrderView, at: At): Step | Nothing => {
  const { status } = view.order;
  if (status === 'ESCROW_FUNDING') return ofUnfunded(view, at);
  if (status === 'IN_PROGRESS') return ofRunning(view, at);
  if (status === 'DISPUTED') return ofDisputed(view, at);
  return status === 'CLOSED' ? ofClosed(view, at) : nothing(`The order is ${status}. Check it again in a few seconds.`);
};
