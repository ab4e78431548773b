// A receipt as a document for people. It shows the fields of the JSON answer and nothing else.

import type { Document, Fact, Part } from '../../documents/document.ts';
import { meaningOf, shownTime } from '../statements/document.ts';
import type { Receipt } from './present.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  pay_seller: 'Paid to the seller',
  refund_buyer: 'Paid back to the buyer',
  platform_fee: 'Platform fee',
  platform_fee_reversal: 'Platform fee taken back',
};

const CALLS: Readonly<Record<string, string>> = {
  deploy: 'Contract created',
  fund: 'Paid into the contract',
  'change-status': 'Milestone marked as done',
  approve: 'Milestone approved',
  release: 'Released to the seller',
  dispute: 'Dispute opened',
  resolve: 'Paid as decided',
  'withdraw-remaining': 'Remainder withdrawn',
};

const partyFacts = (side: string, { id, name }: Receipt['buyer']): Fact[] =>
  name === id
    ? [{ label: side, value: id }]
    : [
        { label: side, value: name },
        { label: `${side} id`, value: id },
      ];

const orderFacts = (receipt: Receipt): Fact[] => [
  ...(receipt.title === '' ? [] : [{ label: 'Order', value: receipt.title }]),
  { label: 'Order id', value: receipt.orderId },
  ...(receipt.clientOrderRef === null ? [] : [{ label: 'Reference', value: receipt.clientOrderRef }]),
  { label: 'Status', value: receipt.finalStatus ?? receipt.status },
  { label: 'Created', value: shownTime(receipt.createdAt) },
  { label: 'Last change', value: shownTime(receipt.asOf) },
  ...partyFacts('Buyer', receipt.buyer),
  ...partyFacts('Seller', receipt.seller),
];

const moneyFacts = (receipt: Receipt): Fact[] => {
  const { currency } = receipt;
  const money = (label: string, amount: string): Fact => ({ label, value: `${amount} ${currency}` });
  return [
    money('Amount of the order', receipt.amount),
    money('Paid into escrow', receipt.funded),
    money('Released', receipt.released),
    money('Platform fee', receipt.platformFee),
    money('Seller received', receipt.sellerNet),
    money('Buyer got back', receipt.refunded),
    money('Still in escrow', receipt.inEscrow),
  ];
};

/** They are no part of the money of the two sides. */
const costFacts = ({ protocolFee, currency, networkFee }: Receipt): Fact[] => [
  { label: 'Protocol fee', value: `${protocolFee} ${currency}` },
  { label: 'Network fee', value: `${networkFee} XLM` },
];

const MILESTONE_COLUMNS = [
  { title: 'Milestone', width: 26 },
  { title: 'Status', width: 14 },
  { title: 'Amount', width: 15, isNumber: true },
  { title: 'Released', width: 15, isNumber: true },
  { title: 'Refunded', width: 15, isNumber: true },
  { title: 'Fee', width: 15, isNumber: true },
];

function* milestonesOf({ milestones }: Receipt): Generator<Part> {
  if (milestones.length === 0) return;
  yield { kind: 'section', title: 'Milestones' };
  yield { kind: 'table', label: 'Milestones', columns: MILESTONE_COLUMNS };
  yield {
    kind: 'rows',
    rows: milestones.map(({ ref, title, status, amount, released, refunded, fee }) => [
      `${title} (${ref})`,
      status,
      amount,
      released ?? '',
      refunded ?? '',
      fee ?? '',
    ]),
  };
  yield { kind: 'end' };
}

const CHECK =
  'To check a transaction, look its hash up in any explorer of the ledger network. It names the contract above, the amount and the time. ' +
  'The sums above are the sums of these payments.';

function* ledgerOf({ contractId, transactions }: Receipt): Generator<Part> {
  if (contractId === null && transactions.length === 0) return;
  yield { kind: 'section', title: 'On the ledger' };
  if (contractId !== null) yield { kind: 'facts', facts: [{ label: 'Escrow contract', value: contractId }] };
  if (transactions.length === 0) return;
  yield {
    kind: 'table',
    label: 'Transactions on the ledger',
    columns: [
      { title: 'Date', width: 20 },
      { title: 'Action', width: 26 },
      { title: 'Transaction hash', width: 54 },
    ],
  };
  yield {
    kind: 'rows',
    rows: transactions.map(({ at, call, milestoneRef, hash, url }) => [
      shownTime(at),
      milestoneRef === null ? (CALLS[call] ?? call) : `${CALLS[call] ?? call} (${milestoneRef})`,
      { text: hash, href: url },
    ]),
  };
  yield { kind: 'end' };
  yield { kind: 'text', text: CHECK };
}

type Shown = {
  /** What the order cost the marketplace. A public receipt leaves it out. */
  readonly withCosts: boolean;
};

function* partsOf(receipt: Receipt, { withCosts }: Shown): Generator<Part> {
  yield { kind: 'facts', facts: orderFacts(receipt) };
  yield { kind: 'section', title: 'Money' };
  yield { kind: 'facts', facts: moneyFacts(receipt) };
  yield* milestonesOf(receipt);
  yield { kind: 'section', title: 'Payments into and out of escrow' };
  yield {
    kind: 'table',
    label: 'Payments into and out of escrow',
    columns: [
      { title: 'Date', width: 30 },
      { title: 'Payment', width: 45 },
      { title: `Amount in ${receipt.currency}`, width: 25, isNumber: true },
    ],
  };
  const rows = receipt.payments.map(({ at, move, amount }) => [
    shownTime(at),
    MEANINGS[move] ?? meaningOf(move),
    amount,
  ]);
  yield { kind: 'rows', rows };
  yield { kind: 'end' };
  if (withCosts) {
    yield { kind: 'section', title: 'Costs of the marketplace' };
    yield { kind: 'facts', facts: costFacts(receipt) };
  }
  yield* ledgerOf(receipt);
}

export const receiptDocument = (receipt: Receipt, shown: Shown): Document => ({
  head: { title: 'Receipt', subtitle: `Order ${receipt.orderId}, ${receipt.marketplaceId}`, at: receipt.asOf },
  parts: partsOf(receipt, shown),
});
