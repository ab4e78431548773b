// A receipt as JSON fields. Every amount of money that moved comes from the postings on the order's escrow, so it equals the books.

import { DomainError } from '../../base/domain-error.ts';
import { orderEscrow } from '../../books/accounts.ts';
import { type Amount, fromUnits, negated, plus, sumOf, ZERO } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import { presentExact } from '../../http/checked-values.ts';
import { type EscrowAction, escrowActionIn } from '../../ledger/transactions/contract-moves.ts';
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

const moneyOf = (postings: readonly OrderPosting[]) => {
  const sellerNet = negated(totalOf(postings, 'pay_seller', 'release_reversal'));
  const fee = negated(totalOf(postings, 'platform_fee', 'platform_fee_reversal'));
  return {
    funded: presentExact(totalOf(postings, 'fund_escrow', 'funding_reversal')),
    released: presentExact(plus(sellerNet, fee)),
    platformFee: presentExact(fee),
    platformFeeAmount: presentExact(fee),
    sellerNet: presentExact(sellerNet),
    refunded: presentExact(negated(totalOf(postings, 'refund_buyer', 'refund_reversal'))),
    inEscrow: presentExact(sumOf(postings.map(({ amount }) => amount))),
  };
};

type Shown = { readonly explorerUrl: string | null; readonly now: string };

export const presentReceipt = (facts: ReceiptFacts, { explorerUrl, now }: Shown) => {
  const { marketplaceId, view, link } = facts;
  const { order, milestones, escrow } = view;
  const postings = escrowPostings(facts);
  const transactions = transactionsOf(facts, explorerUrl);
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
    milestones: milestones.map(({ ref, title, amount, status, releasedAmount, refundedAmount, fee }) => ({
      ref,
      title,
      amount: presentExact(amount),
      status,
      released: exactOrNull(releasedAmount),
      refunded: exactOrNull(refundedAmount),
      fee: exactOrNull(fee),
    })),
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
