// Compares the payment provider's balance with the books. A payment that is completed at the provider before its report arrives is
// not a difference. The provider is read for each open payment, instead of waiting for a moment without open payments: under steady
// traffic there is no such moment, and a real difference would stay hidden.

import { fewAtOnce } from '../../base/concurrency.ts';
import { type Amount, formatAmount, minus, negated, plus, sumOf, ZERO } from '../../books/money.ts';
import type { PaymentProvider } from '../../providers/ports.ts';
import { FLOAT_CURRENCY } from './float.ts';
import type { FloatPosition, FloatReads, OpenPayment } from './queries.ts';

export type FloatComparison = {
  /** What the books of each marketplace have at the provider. */
  readonly floats: FloatPosition['floats'];
  /** The differences that the open payments allow. Zero is among them when the books may be right. */
  readonly possible: readonly Amount[];
  /** The provider's balance, and what the books of all marketplaces have there. */
  readonly actual: Amount;
  readonly booked: Amount;
};

const sizeOf = (amount: Amount): Amount => (amount < ZERO ? negated(amount) : amount);

/** The smallest difference that both comparisons allow, zero first; null when they allow no common one. */
export const commonDifference = (before: FloatComparison, after: FloatComparison): Amount | null => {
  const common = after.possible.filter((one) => before.possible.includes(one));
  return common.find((one) => common.every((other) => sizeOf(one) <= sizeOf(other))) ?? null;
};

type Options = {
  readonly payment: Pick<
    PaymentProvider,
    'balance' | 'getPayin' | 'findPayinByCode' | 'getPayout' | 'findPayoutByCode'
  > | null;
  readonly reads: Pick<FloatReads, 'floatPosition'>;
  /** The own account of a marketplace that `payment` uses; without it the shared account. */
  readonly providerAccount?: string;
  /** The difference will be booked: every open payment is read, and books without any float count as zero. */
  readonly isForBooking?: boolean;
  /** Receives the reason why no comparison was possible: a missing comparison must not look like a good one. */
  onNotCompared?(reason: string): void;
};

/** Payments are read a few at a time, so that requests for payments have priority. The reads take a few minutes at most. */
const READ_MAX = 2_000;
const READS_AT_ONCE = 4;
/** Ten payments that complete during the comparison have a thousand possible sums. More payments could explain any difference. */
const UNCERTAIN_MAX = 10;
const TRIES = 20;

const sumsOf = (amounts: readonly Amount[]): Amount[] => {
  let sums = [ZERO];
  for (const one of amounts) sums = sums.concat(sums.map((sum) => plus(sum, one)));
  return sums;
};

/** A payment can be open twice: first the whole payment, then only its fee. */
const keyOf = ({ kind, id }: OpenPayment): string => `${kind} ${id}`;

type Payment = NonNullable<Options['payment']>;

/** Another amount than ours is believed only when two reads show the same: then it will be booked as it was paid. Null: unknown. */
const payoutChange = async (payment: Payment, { id, providerId, amount }: OpenPayment): Promise<Amount | null> => {
  const found = await payment.getPayout(providerId!);
  if (found.kind !== 'yes') return null;
  if (found.value?.state !== 'WITHDRAWAL_COMPLETED') return ZERO;
  if (found.value.amount === amount) return negated(amount);
  const again = await payment.findPayoutByCode(id);
  const isSame = again.kind === 'yes' && again.value?.amount === found.value.amount;
  return isSame ? negated(found.value.amount) : null;
};

/** The same for a top-up that had ended. Null: unknown. */
const lateChange = async (payment: Payment, { id, amount }: OpenPayment): Promise<Amount | null> => {
  const found = await payment.findPayinByCode(id);
  if (found.kind !== 'yes') return null;
  if (found.value?.state !== 'TOPUP_SUCCEEDED') return ZERO;
  const paid = minus(found.value.amount, found.value.fee ?? ZERO);
  if (found.value.amount === amount) return paid;
  const again = await payment.getPayin(found.value.id);
  return again.kind === 'yes' && again.value?.amount === found.value.amount ? paid : null;
};

/** The change of the provider's balance by a completed payment that is not in the books yet. Null: unknown. */
const changeOf = async (payment: Payment, one: OpenPayment): Promise<Amount | null> => {
  const { kind, id, providerId, amount } = one;
  if (kind === 'payout') return payoutChange(payment, one);
  if (kind === 'late') return lateChange(payment, one);
  const found = await (providerId === null ? payment.findPayinByCode(id) : payment.getPayin(providerId));
  if (found.kind !== 'yes') return null;
  // A top-up that is paid with another amount is not booked, so it changes nothing.
  if (found.value?.state !== 'TOPUP_SUCCEEDED' || found.value.amount !== amount) return ZERO;
  const fee = found.value.fee ?? ZERO;
  return kind === 'fee' ? negated(fee) : minus(amount, fee);
};

type Snapshot = { readonly books: FloatPosition; readonly actual: Amount };

const createReads = ({ payment, reads, providerAccount, isForBooking, onNotCompared = () => {} }: Options) => {
  const readBooks = () => reads.floatPosition(providerAccount ?? null);

  const readBalance = async (): Promise<Amount | null> => {
    const answer = await payment?.balance();
    return answer?.kind === 'yes' ? plus(answer.value.available, answer.value.pending) : null;
  };

  return {
    /** The changes of the completed payments, by payment; null when one is unknown. */
    async changesOf(payments: readonly OpenPayment[]): Promise<Map<string, Amount> | null> {
      const changes = new Map<string, Amount>();
      let unknown = 0;
      const readOne = async (one: OpenPayment): Promise<void> => {
        const change = unknown > 0 || payment === null ? null : await changeOf(payment, one);
        if (change === null) unknown++;
        else if (change !== ZERO) changes.set(keyOf(one), change);
      };
      await fewAtOnce(payments, { atOnce: READS_AT_ONCE, work: readOne });
      if (unknown > 0) onNotCompared('an open payment could not be read at the payment provider');
      return unknown > 0 ? null : changes;
    },

    /** The books and the provider's balance, at a moment at which nothing was booked. */
    async readSnapshot(): Promise<Snapshot | null> {
      for (let tries = 0; tries < TRIES; tries++) {
        const before = await readBooks();
        if (before.floats.length === 0 && !isForBooking) return null;
        const actual = await readBalance();
        if (actual === null) {
          onNotCompared('the balance of the payment provider could not be read');
          return null;
        }
        // A payment that began in between may be completed already, so the second read counts.
        const books = await readBooks();
        // Machines of a distributed database show their own moments: a transfer between two of them may be missing in one read.
        const isSame = books.postings === before.postings && bookedOf(books) === bookedOf(before);
        if (isSame) return { books, actual };
      }
      onNotCompared('payments were booked during every read of the payment provider');
      return null;
    },
  };
};

const bookedOf = ({ floats, inTransit }: FloatPosition): Amount =>
  plus(sumOf(floats.map(({ amount }) => amount)), inTransit);

const differenceOf = ({ books, actual }: Snapshot): Amount => minus(actual, bookedOf(books));

const comparisonOf = ({ books, actual }: Snapshot, possible: readonly Amount[]): FloatComparison => ({
  floats: books.floats,
  possible,
  actual,
  booked: bookedOf(books),
});

/** Returns null when no comparison is possible now. */
export const createFloatBalance = (options: Options) => {
  const { isForBooking, onNotCompared = () => {} } = options;
  const { changesOf, readSnapshot } = createReads(options);

  return async (): Promise<FloatComparison | null> => {
    const first = await readSnapshot();
    if (!first) return null;
    if (differenceOf(first) === ZERO) return comparisonOf(first, [ZERO]);

    // Reading so many payments would take until the next run. A real difference stays. A false one ends when the provider reports the
    // payment.
    if (first.books.open.length > READ_MAX) {
      if (!isForBooking) return comparisonOf(first, [differenceOf(first)]);
      onNotCompared(`${first.books.open.length} payments are open, too many to read`);
      return null;
    }

    // The payments are read before and after the balance. A payment that was completed before is in the balance. A payment that is not
    // completed afterwards is not. A payment that was completed in between may be.
    const early = await changesOf(first.books.open);
    const second = early && (await readSnapshot());
    if (!second) return null;
    const certain = sumOf(second.books.open.map((one) => early.get(keyOf(one)) ?? ZERO));
    const late = await changesOf(second.books.open.filter((one) => !early.has(keyOf(one))));
    if (!late) return null;
    if (late.size > UNCERTAIN_MAX) {
      onNotCompared(`${late.size} payments completed while the payment provider was read`);
      return null;
    }
    const rest = minus(differenceOf(second), certain);
    return comparisonOf(second, [...new Set(sumsOf([...late.values()]).map((sum) => minus(rest, sum)))]);
  };
};

/** The float of all marketplaces beside the provider's balance, at about the same moment. */
export type FloatTotal = {
  readonly held: Amount;
  readonly inTransit: Amount;
  /** Null when the provider did not answer. */
  readonly provider: Amount | null;
  readonly openPayments: number;
};

export const createFloatTotal =
  ({ payment, reads }: Pick<Options, 'payment' | 'reads'>) =>
  async (): Promise<FloatTotal> => {
    const answer = await payment?.balance();
    const { floats, inTransit, open } = await reads.floatPosition();
    return {
      held: sumOf(floats.map(({ amount }) => amount)),
      inTransit,
      provider: answer?.kind === 'yes' ? plus(answer.value.available, answer.value.pending) : null,
      openPayments: open.filter(({ kind }) => kind !== 'late').length,
    };
  };

export const presentFloatTotal = ({ held, inTransit, provider, openPayments }: FloatTotal) => ({
  currency: FLOAT_CURRENCY,
  held: formatAmount(held),
  inTransit: formatAmount(inTransit),
  provider: provider === null ? null : formatAmount(provider),
  difference: provider === null ? null : formatAmount(minus(provider, plus(held, inTransit))),
  openPayments,
});
