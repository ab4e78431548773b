// Compares what the payment provider holds with what the books have there. A payment that is done there while its word is
// still on its way is no difference: the provider is asked about each one that is open, instead of waiting for a moment at
// which none is, because under steady traffic there is no such moment and a real difference would hide behind it for ever.

import { fewAtOnce } from '../../base/few-at-once.ts';
import { type Amount, minus, negated, plus, ZERO } from '../../books/money.ts';
import { sumOf } from '../../books/sums.ts';
import type { PaymentProvider } from '../../providers/ports.ts';
import type { BreakReads, FloatPosition, OpenPayment } from '../reconciliation/queries.ts';

export type FloatLook = {
  /** Those that have something there. */
  readonly marketplaces: readonly string[];
  readonly actual: Amount;
  /** Which differences can be there, with all that may be on its way; among them zero when nothing has to be wrong. */
  readonly possible: readonly Amount[];
};

type Options = {
  readonly payment: Pick<PaymentProvider, 'balance' | 'getPayin' | 'findPayinByCode' | 'getPayout'> | null;
  readonly reads: Pick<BreakReads, 'floatPosition'>;
  /** Told why nothing can be said: whoever hears nothing must not take it for a yes. */
  onSilence?(reason: string): void;
};

/** A few at a time, so that payers and their payments come first: some minutes at the most. */
const ASKED_MAX = 2_000;
const ASKED_AT_ONCE = 4;
/** So many payments that were just being made leave a thousand possible sums; with more, anything could be explained. */
const DOUBTFUL_MAX = 10;
const TRIES = 20;

/** What a payment that is done there changes, beyond what the books have of it. */
type Done = Amount;

const sumsOf = (amounts: readonly Amount[]): Amount[] => {
  let sums = [ZERO];
  for (const one of amounts) sums = sums.concat(sums.map((sum) => plus(sum, one)));
  return sums;
};

/** One that is booked meanwhile, but not yet what the provider kept of it, is open in another way. */
const keyOf = ({ kind, id }: OpenPayment): string => `${kind} ${id}`;

export const createFloatBalance = ({ payment, reads, onSilence = () => {} }: Options) => {
  const held = async (): Promise<Amount | null> => {
    const answer = await payment?.balance();
    return answer?.kind === 'yes' ? plus(answer.value.available, answer.value.pending) : null;
  };

  /** Null while it cannot be known. One that is done over another amount is not on its way: nobody will book it. */
  const doneOf = async (open: OpenPayment): Promise<Done | null> => {
    if (payment === null) return null;
    const { id, providerId, amount } = open;
    if (open.kind === 'payout') {
      const found = await payment.getPayout(providerId!);
      if (found.kind !== 'yes') return null;
      const isPaid = found.value?.state === 'WITHDRAWAL_COMPLETED' && found.value.amount === amount;
      return isPaid ? negated(amount) : ZERO;
    }
    const found = await (providerId === null ? payment.findPayinByCode(id) : payment.getPayin(providerId));
    if (found.kind !== 'yes') return null;
    if (found.value?.state !== 'TOPUP_SUCCEEDED' || found.value.amount !== amount) return ZERO;
    const fee = found.value.fee ?? ZERO;
    return open.kind === 'fee' ? negated(fee) : minus(amount, fee);
  };

  /** By payment, those that are done; null when one of them cannot be known. */
  const askAll = async (payments: readonly OpenPayment[]): Promise<Map<string, Done> | null> => {
    const done = new Map<string, Done>();
    let unknown = 0;
    const ask = async (one: OpenPayment): Promise<void> => {
      const changes = unknown > 0 ? null : await doneOf(one);
      if (changes === null) unknown++;
      else if (changes !== ZERO) done.set(keyOf(one), changes);
    };
    await fewAtOnce(payments, { atOnce: ASKED_AT_ONCE, work: ask });
    if (unknown > 0) onSilence('the payment provider could not be asked about a payment that is open');
    return unknown > 0 ? null : done;
  };

  /** Both sides, at a moment at which nothing was booked there. */
  const readBoth = async (): Promise<{ books: FloatPosition; actual: Amount } | null> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await reads.floatPosition();
      if (before.floats.length === 0) return null;
      const actual = await held();
      if (actual === null) {
        onSilence('the payment provider does not say what it holds');
        return null;
      }
      // What began in between may be paid already, so what is open is taken from the second time.
      const books = await reads.floatPosition();
      if (books.postings === before.postings) return { books, actual };
    }
    onSilence('payments were booked whenever the payment provider was asked what it holds');
    return null;
  };

  const differenceOf = ({ books, actual }: { books: FloatPosition; actual: Amount }): Amount =>
    minus(actual, sumOf(books.floats.map(({ amount }) => amount)));

  /** Null: nothing can be said now. */
  return async (): Promise<FloatLook | null> => {
    const glance = await readBoth();
    if (!glance) return null;
    const lookOf = ({ books, actual }: typeof glance, possible: readonly Amount[]): FloatLook => {
      return { marketplaces: books.floats.map(({ marketplaceId }) => marketplaceId), actual, possible };
    };
    if (differenceOf(glance) === ZERO) return lookOf(glance, [ZERO]);

    // So many that asking would take until the next round: a difference that stays is shown, a false one passes with its word.
    if (glance.books.open.length > ASKED_MAX) return lookOf(glance, [differenceOf(glance)]);

    // Asked before and after the balance is read: done before is in it, not done after is not, and in between it may be.
    const early = await askAll(glance.books.open);
    const both = early && (await readBoth());
    if (!both) return null;
    const certain = sumOf(both.books.open.map((one) => early.get(keyOf(one)) ?? ZERO));
    const late = await askAll(both.books.open.filter((one) => !early.has(keyOf(one))));
    if (!late) return null;
    if (late.size > DOUBTFUL_MAX) {
      onSilence(`${late.size} payments were made while the payment provider was asked about them`);
      return null;
    }
    const rest = minus(differenceOf(both), certain);
    return lookOf(both, [...new Set(sumsOf([...late.values()]).map((sum) => minus(rest, sum)))]);
  };
};
