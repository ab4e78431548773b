// Books money that the operator added at the payment provider, or took out there, as the operator's own. The provider's balance was
// compared with all books before; a booking in between makes that comparison worthless, so bookings are numbered.

import { DomainError } from '../../base/domain-error.ts';
import { type Amount, formatAmount, minus, negated, ZERO } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { accountsOf } from '../../commit/money.ts';
import { changeAllotted, coverFloat, FLOAT_CURRENCY, FLOAT_NEEDS, floatOf, floatTooLow } from './float.ts';
import { FLOAT_OPENING } from './open-float.ts';
import { auditTransfer, type FloatTransfer, findRepeated, type RequestKey, requestNeeds } from './transfer-float.ts';

/** What the payment provider has, beside the books of all marketplaces. */
export type ProviderFigures = {
  readonly balance: Amount;
  readonly booked: Amount;
  /** What no payment explains, not even one that is still open. Below zero when money is missing. */
  readonly difference: Amount;
};

type BookInput = {
  /** Below zero: the operator took money out. */
  readonly amount: Amount;
  readonly provider: ProviderFigures;
  /** The number of this booking: one more than those that the comparison saw. */
  readonly number: number;
  readonly requestKey: RequestKey | null;
};

const currency = FLOAT_CURRENCY;

const idOf = (number: number): string => `${FLOAT_OPENING.id}:${number}`;

const notShown = ({ amount, provider }: BookInput): DomainError => {
  const { balance, booked, difference } = provider;
  const isTakenOut = amount < ZERO;
  const shown = isTakenOut ? negated(difference) : difference;
  return new DomainError('INSUFFICIENT_FUNDS', {
    message:
      `The payment provider does not show that this money was ${isTakenOut ? 'taken out' : 'added'}. First move it at the provider, ` +
      'then book at most the difference that GET /reconciliation/float shows. Nothing has changed.',
    details: {
      requested: formatAmount(isTakenOut ? negated(amount) : amount),
      available: formatAmount(shown < ZERO ? ZERO : shown),
      currency,
      provider: {
        balance: formatAmount(balance),
        booked: formatAmount(booked),
        openPayments: formatAmount(minus(minus(balance, booked), difference)),
        difference: formatAmount(difference),
      },
    },
  });
};

/** Null: another booking came first, so the provider must be compared again. */
export const bookOwnMoney = command<BookInput, FloatTransfer | null>({
  name: 'book-own-money',
  needs: ({ number, requestKey }) => ({
    rows: [...FLOAT_NEEDS.rows, { table: 'floatOpenings', id: idOf(number) }, ...requestNeeds(requestKey)],
    accounts: [
      ...FLOAT_NEEDS.accounts,
      ...accountsOf('float_given', { currency }),
      ...accountsOf('float_received', { currency }),
    ],
  }),
  decide(input, work) {
    const { provider, number, requestKey } = input;
    const isTakenOut = input.amount < ZERO;
    const amount = isTakenOut ? negated(input.amount) : input.amount;
    const direction = isTakenOut ? 'given' : 'received';
    const counterpart = FLOAT_OPENING.id;
    const known = findRepeated(work, { direction, counterpart, amount, requestKey });
    if (known) return known;
    if (work.find('floatOpenings', idOf(number))) return null;
    if (amount > (isTakenOut ? negated(provider.difference) : provider.difference)) throw notShown(input);
    const figures = floatOf(work);
    if (isTakenOut && amount > figures.held) {
      throw floatTooLow(figures, { requested: amount, what: 'this: the rest belongs to other marketplaces' });
    }
    const { now } = work;
    const id = work.newId('floatTransfer');
    const transfer: FloatTransfer = {
      id,
      direction,
      counterpart,
      amount,
      requestKey: requestKey?.hash ?? null,
      arrivedAt: now,
      createdAt: now,
      updatedAt: now,
    };
    if (isTakenOut) coverFloat(work, { currency, amount, reference: id, providerAccount: null });
    work.move(isTakenOut ? 'float_given' : 'float_received', { currency, amount, reference: id });
    work.put('floatOpenings', { id: idOf(number), amount, createdAt: now });
    work.put('floatTransfers', transfer);
    changeAllotted(work, input.amount);
    auditTransfer(work, { action: isTakenOut ? 'FLOAT_GIVEN' : 'FLOAT_RECEIVED', transfer });
    return transfer;
  },
});
