// A receipt as JSON fields. Every amount of money that moved comes from the postings on the order's escrow, so it equals the books.

import { DomainError } from '../../base/domain-error.ts';
import { orderEscrow } from '../../books/accounts.ts';
import { type Amount, fromUnits, minus, negated, plus, sumOf, ZERO } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import { presentExact } from '../../http/checked-values.ts';
import { type EscrowAction, escrowActionIn } from '../../ledger/transactions/contract-moves.ts';
import type { Milestone } from '../orders/order.ts';
import { isPaid, type Paid, sharesOfRest } from '../orders/paid-milestones.ts';
import type { OrderPosting } from '../timelines/queries.ts';
import type { PartyName, ReceiptFacts } from './queries.ts';
import { isActive } from './receipt-link.ts';

const exactOrNull = (amount: Amount | null): string | null => (amount === null ? null : presentExact(amount));

const totalOf = (postings: readonly OrderPosting[], ...moves: MoveName[]): Amount =>
  sumOf(postings.filter(({ move }) => moves.includes(move as MoveName)).map(({ amount }) => amount));

const receiptNotAvailable = ({ view: { order } }: ReceiptFacts): DomainError =>
  new DomainError('RECEIPT_NOT_AVAILABLE', { details: { orderId: order.id, status: order.status } });

const presentParty = ({ id, externalUserId, displayName }: PartyName) => ({ id, name: displayName ?? externalUserId });

/** The postings of the escrow, or a refusal when no money has ever been in it. */
const escrowPostings = (facts: ReceiptFacts): OrderPosting[] => {
  const { id, currency } = facts.view.order;
  const account = orderEscrow(id, currency).id;
  const postings = facts.history.postings.filter(({ accountId }) => accountId === account);
  if (postings.length === 0) throw receiptNotAvailable(facts);
  return postings;
};

const SEVEN_PLACES = /^(\d+)\.(\d{7})$/;

/** The fee that the audit trail has of a settled transaction. */
const feeIn = (payload: string | null): Amount => {
  const { fee = '' } = JSON.parse(payload ?? '{}') as { fee?: string };
  const [, whole, places] = SEVEN_PLACES.exec(fee) ?? [];
  return whole === undefined ? ZERO : fromUnits(BigInt(`${whole}${places}`));
};

const transactionsOf = ({ history, view }: ReceiptFacts, explorerUrl: string | null) => {
  const refOf = ({ milestone }: EscrowAction): string | null =>
    milestone === null ? null : (view.milestones.find(({ place }) => place === milestone)?.ref ?? null);
  return history.transactions.flatMap(({ id: hash, state, actions, updatedAt: at }) => {
    const action = escrowActionIn(actions);
    if (action === null || state !== 'SUCCEEDED') return [];
    const url = explorerUrl?.replace('{hash}', encodeURIComponent(hash)) ?? null;
    return [{ hash, call: action.call, milestoneRef: refOf(action), at, url }];
  });
};

const networkFeeOf = ({ history }: ReceiptFacts, hashes: ReadonlySet<string>): Amount =>
  sumOf(
    history.audits
      .filter(({ action, resourceId }) => action === 'LEDGER_TRANSACTION_SETTLED' && hashes.has(resourceId))
      .map(({ payloadAfter }) => feeIn(payloadAfter)),
  );

const protocolFeeOf = ({ history, view: { order } }: ReceiptFacts): Amount => {
  const total = totalOf(
    history.postings.filter(({ accountId }) => accountId.endsWith(`:${order.currency}`)),
    'protocol_fee',
  );
  return total < ZERO ? negated(total) : total;
};

/** What the postings have paid; the seller's part is before the fee. */
const paidBy = (postings: readonly OrderPosting[]): Paid => {
  const fee = negated(totalOf(postings, 'platform_fee', 'platform_fee_reversal'));
  return {
    seller: plus(negated(totalOf(postings, 'pay_seller', 'release_reversal')), fee),
    buyer: negated(totalOf(postings, 'refund_buyer', 'refund_reversal')),
    fee,
  };
};

const moneyOf = (postings: readonly OrderPosting[]) => {
  const { seller, buyer, fee } = paidBy(postings);
  return {
    funded: presentExact(totalOf(postings, 'fund_escrow', 'funding_reversal')),
    released: presentExact(seller),
    platformFee: presentExact(fee),
    platformFeeAmount: presentExact(fee),
    sellerNet: presentExact(minus(seller, fee)),
    refunded: presentExact(buyer),
    inEscrow: presentExact(sumOf(postings.map(({ amount }) => amount))),
  };
};

/** What each milestone was paid, by its ref. Empty for payments that do not sum to the order, such as those of a short funding. */
const sharesPaidTogether = ({ view }: ReceiptFacts, postings: readonly OrderPosting[]): ReadonlyMap<string, Paid> => {
  const { seller, buyer, fee } = paidBy(postings);
  const shares = sharesOfRest(view, seller);
  const isWhole = plus(seller, buyer) === view.order.amount && sumOf(shares.map(({ paid }) => paid.fee)) === fee;
  if (view.milestones.some(isPaid) || !isWhole) return new Map();
  return new Map(shares.map(({ milestone, paid }) => [milestone.ref, paid]));
};

const presentMilestone = ({ ref, title, amount, status, ...own }: Milestone, together: Paid | undefined) => ({
  ref,
  title,
  amount: presentExact(amount),
  status,
  released: exactOrNull(together?.seller ?? own.releasedAmount),
  refunded: exactOrNull(together?.buyer ?? own.refundedAmount),
  fee: exactOrNull(together?.fee ?? own.fee),
});

type Shown = { readonly explorerUrl: string | null; readonly now: string };

export const presentReceipt = (facts: ReceiptFacts, { explorerUrl, now }: Shown) => {
  const { marketplaceId, view, link } = facts;
  const { order, milestones, escrow } = view;
  const postings = escrowPostings(facts);
  const transactions = transactionsOf(facts, explorerUrl);
  const together = sharesPaidTogether(facts, postings);
  return {
    orderId: order.id,
    marketplaceId,
    title: order.title,
    clientOrderRef: order.clientOrderRef,
    status: order.status,
    finalStatus: order.finalStatus,
    asOf: order.updatedAt,
    createdAt: order.createdAt,
    currency: order.currency,
    buyer: presentParty(facts.buyer),
    seller: presentParty(facts.seller),
    amount: presentExact(order.amount),
    ...moneyOf(postings),
    protocolFee: presentExact(protocolFeeOf(facts)),
    networkFee: presentExact(networkFeeOf(facts, new Set(transactions.map(({ hash }) => hash)))),
    milestones: milestones.map((each) => presentMilestone(each, together.get(each.ref))),
    payments: postings.map(({ postedAt: at, move, amount }) => ({ at, move, amount: presentExact(amount) })),
    contractId: escrow?.providerContractId ?? null,
    transactions,
    publicLink: link && isActive(link, now) ? { createdAt: link.createdAt, expiresAt: link.expiresAt } : null,
  };
};

export type Receipt = ReturnType<typeof presentReceipt>;

const EMAIL = /[^\s@<>()"',;:]+@[^\s@<>()"',;:]+/g;

const withoutEmails = (text: string): string => text.replace(EMAIL, '(e-mail address)');

/** The receipt as anyone may see it: no e-mail address in any text of a caller, and no id that the marketplace uses inside. */
export const publicReceipt = (
  receipt: Receipt,
  { buyer, seller }: Pick<ReceiptFacts, 'buyer' | 'seller'>,
): Receipt => ({
  ...receipt,
  title: withoutEmails(receipt.title),
  clientOrderRef: null,
  buyer: { id: buyer.id, name: withoutEmails(buyer.displayName ?? buyer.id) },
  seller: { id: seller.id, name: withoutEmails(seller.displayName ?? seller.id) },
  milestones: receipt.milestones.map((each) => ({
    ...each,
    ref: withoutEmails(each.ref),
    title: withoutEmails(each.title),
  })),
  transactions: receipt.transactions.map((each) => ({
    ...each,
    milestoneRef: each.milestoneRef === null ? null : withoutEmails(each.milestoneRef),
  })),
  publicLink: null,
});
