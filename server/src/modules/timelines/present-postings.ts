// Presents the postings of an order in sentences: whose money moved where.

import { type Amount, fromUnits, negated } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import { presentExact } from '../../http/checked-values.ts';
import type { OrderPosting } from './posting-queries.ts';
import type { TimelineEntry } from './present.ts';
import type { OrderHistory } from './queries.ts';

const TITLES: Readonly<Partial<Record<MoveName, string>>> = {
  reserve: "The buyer's money is set aside for the order",
  release: 'Money that was set aside is available to the buyer again',
  cancel_reservation: 'What was set aside is available to the buyer again',
  deduct_reserved: 'Money that was set aside is taken for good',
  fund_escrow: "The buyer's money is in the order's escrow",
  pay_seller: 'The seller is paid from the escrow',
  platform_fee: 'The platform keeps its fee',
  refund_buyer: 'The buyer is paid back from the escrow',
  contract_funding: 'A wallet pays into the contract',
  contract_payment: 'The contract pays a wallet',
  protocol_fee: "The contract pays the provider's protocol",
  contract_gain: 'The contract held more than we paid in',
};

const isHolding = (id: string): boolean => /^(wallet|contract|network|payment-float):/.test(id);

const userPart = (id: string, { order }: OrderHistory): string => {
  const [userId, part] = id.split(':');
  if (userId === order.buyerId) return `buyer, ${part}`;
  return userId === order.sellerId ? `seller, ${part}` : `another user, ${part}`;
};

const walletOf = (address: string, { escrows }: OrderHistory): string => {
  for (const { buyer, seller, platform } of escrows) {
    if (buyer.address === address) return "buyer's wallet";
    if (seller.address === address) return "seller's wallet";
    if (platform.address === address) return "platform's wallet";
  }
  return 'another wallet of ours';
};

const nameOf = (id: string, history: OrderHistory): string => {
  const [first = '', second = ''] = id.split(':');
  if (first.startsWith('usr_')) return userPart(id, history);
  if (first === 'wallet') return walletOf(second, history);
  if (first === 'contract') return 'escrow contract';
  if (first === 'network') return 'fees of the networks';
  if (first === 'platform') return 'platform fees';
  if (first === 'operator') return 'operator';
  return first.startsWith('payment-float') ? 'payment provider' : 'escrow of the order';
};

const positive = (amount: Amount): Amount => (amount < 0n ? negated(amount) : amount);

const presentPosting = (posting: OrderPosting, history: OrderHistory): TimelineEntry => {
  const { accountId, counterAccountId, amount, move, postedAt } = posting;
  const [from, to] = amount < 0n ? [accountId, counterAccountId] : [counterAccountId, accountId];
  // Holdings are negative in the books, so money between two holdings moves in the other direction.
  const [source, target] = isHolding(from) && isHolding(to) ? [to, from] : [from, to];
  return {
    at: postedAt,
    kind: 'posting',
    title: TITLES[move as MoveName] ?? move,
    reference: null,
    details: {
      move,
      from: nameOf(source, history),
      to: nameOf(target, history),
      amount: presentExact(positive(fromUnits(amount))),
      currency: accountId.slice(accountId.lastIndexOf(':') + 1),
    },
  };
};

export const presentPostings = (history: OrderHistory): TimelineEntry[] =>
  history.postings.map((posting) => presentPosting(posting, history));
