// The kinds of corrections: their names, what each does, and which of them are offered for an order, a payment or an operation. The
// server decides on the facts; here a kind is left out only where it can never fit.

import {
  type Break,
  CORRECTION_KINDS,
  type CreateCorrectionInput,
  type OperationRecord,
  type Order,
  type TopUp,
  type Withdrawal,
} from '@holdfast/sdk';

type Kind = CreateCorrectionInput['kind'];

/** A correction that is offered, and the record that it corrects. */
export type Offer = { readonly kind: Kind; readonly resourceId: string };

type Words = {
  readonly name: string;
  readonly does: string;
  /** What the field for the amount means; absent where a kind takes no amount. */
  readonly amount?: string;
};

const ASKED = 'Only if the server asks for it.';

const WORDS: Readonly<Record<string, Words>> = {
  'cancel-unfunded-order': {
    name: 'Cancel unfunded order',
    does: 'Cancels an order whose escrow was never funded. The contract must be empty, with nothing on its way. The reserved money becomes available to the buyer again.',
    amount: ASKED,
  },
  'adopt-contract-state': {
    name: 'Adopt state of the contract',
    does: 'Brings the order to the state that its contract has at the escrow provider and on the ledger, with the postings that belong to it.',
    amount: ASKED,
  },
  'settle-short-funding': {
    name: 'Settle incomplete funding',
    does: 'Ends a funding that brought less into the contract than the amount of the order, or more.',
    amount: ASKED,
  },
  'settle-payout': {
    name: 'Settle payout',
    does: 'Books a payout as the record of the payment provider proves it.',
    amount: ASKED,
  },
  'credit-late-topup': {
    name: 'Credit late top-up',
    does: 'Credits a top-up that was paid after it had ended. The record of the payment provider proves the amount.',
    amount: 'Only if another amount was paid: what was paid.',
  },
  'close-break': {
    name: 'Close break',
    does: 'Closes a break that is explained, and books the difference where it concerns the books.',
  },
  'retry-operation': {
    name: 'Retry operation',
    does: 'Tries the operation again now, without waiting for its next attempt.',
  },
  'abandon-operation': {
    name: 'Abandon operation',
    does: 'Gives the operation up. The facts must prove that nothing has happened and nothing can happen any more.',
  },
};

export const wordsOf = (kind: string): Words => WORDS[kind] ?? { name: kind.replaceAll('-', ' '), does: '' };

const KNOWN: readonly string[] = CORRECTION_KINDS;

const offers = (kinds: readonly string[], resourceId: string): readonly Offer[] =>
  kinds.filter((kind) => KNOWN.includes(kind)).map((kind) => ({ kind: kind as Kind, resourceId }));

/** Only a running operation can be retried or abandoned: one that has ended is over. */
export const offersForOperation = ({ id, state }: Pick<OperationRecord, 'id' | 'state'>): readonly Offer[] =>
  offers(state === 'RUNNING' ? ['retry-operation', 'abandon-operation'] : [], id);

const UNFUNDED: readonly Order['status'][] = ['FUNDS_RESERVED', 'ESCROW_CREATING', 'ESCROW_FUNDING'];

export const offersForOrder = ({ id, status, escrow, operation }: Order): readonly Offer[] => [
  ...(operation ? offersForOperation(operation) : []),
  ...offers(UNFUNDED.includes(status) ? ['cancel-unfunded-order'] : [], id),
  ...offers(status === 'ESCROW_FUNDING' ? ['settle-short-funding'] : [], id),
  ...offers(escrow ? ['adopt-contract-state'] : [], id),
];

export const offersForTopup = ({ id, status }: Pick<TopUp, 'id' | 'status'>): readonly Offer[] =>
  offers(status === 'TOPUP_FAILED' || status === 'TOPUP_CANCELED' ? ['credit-late-topup'] : [], id);

const NOT_SENT: readonly Withdrawal['status'][] = ['WITHDRAWAL_CREATED', 'WITHDRAWAL_CANCELED'];

export const offersForWithdrawal = ({ id, status }: Pick<Withdrawal, 'id' | 'status'>): readonly Offer[] =>
  offers(NOT_SENT.includes(status) ? [] : ['settle-payout'], id);

/** The corrections of a break that concern its subject. */
const OF_SUBJECT: Readonly<Partial<Record<Break['kind'], string>>> = {
  'late-topup': 'credit-late-topup',
  'payout-amount': 'settle-payout',
  'short-funding': 'settle-short-funding',
};

export const offersForBreak = (one: Break): readonly Offer[] => {
  if (!one.isOpen) return [];
  const ofSubject = OF_SUBJECT[one.kind];
  return [
    ...(ofSubject ? offers([ofSubject], one.subject) : []),
    ...(one.orderId && one.kind !== 'short-funding' ? offers(['adopt-contract-state'], one.orderId) : []),
    ...offers(['close-break'], one.id),
  ];
};
