// What we bid for the inclusion of a transaction: what the network reports, up to the operator's limit. The ledger charges only what it
// needs. When the price of the network is above the limit, transactions wait; they never fail for it.

import { type Answer, unknown, yes } from '../../base/answer.ts';
import { type Amount, formatExact, fromUnits } from '../../books/money.ts';
import type { LedgerNetwork } from '../../providers/ports.ts';

type Reported = {
  /** What half of the transactions pay at least. */
  readonly price: Amount;
  readonly bid: Amount;
  readonly urgentBid: Amount;
};

/** For health and metrics. */
export type FeeState = {
  /** Null: the fees of the network were not read yet. */
  readonly price: Amount | null;
  readonly limit: Amount;
  readonly isAboveLimit: boolean;
  /** How often a transaction had to wait, and how often one was bumped, since the start of the process. */
  readonly waits: number;
  readonly bumps: number;
};

export type FeeBids = {
  /** Highest fee per operation of a new transaction. Unknown: the price of the network is above the limit. */
  bid(): Promise<Answer<Amount>>;
  /** For a transaction that the network does not include: what is read now, and a higher bid. */
  urgent(): Promise<Answer<{ readonly price: Amount; readonly bid: Amount }>>;
  bumped(): void;
  state(): FeeState;
};

type FeeBidOptions = {
  readonly ledger: Pick<LedgerNetwork, 'feeStats'>;
  /** The highest fee per operation. */
  readonly feeMax?: Amount;
  /** How long reported fees are used. A ledger closes every five seconds, and the fees change with it. */
  readonly statsReadEveryMs?: number;
};

/** Bids at least this much, so that a small rise between the reading and the ledger does not stop a transaction. */
const LEAST = fromUnits(1_000n);
const USUAL_FEE_MAX: Amount = fromUnits(100_000n);
const LEDGER_MS = 5_000;

const highest = (...amounts: readonly Amount[]): Amount => amounts.reduce((top, one) => (one > top ? one : top));
const within = (amount: Amount, limit: Amount): Amount => (amount > limit ? limit : amount);

export const createFeeBids = (options: FeeBidOptions): FeeBids => {
  const { ledger, feeMax = USUAL_FEE_MAX, statsReadEveryMs = LEDGER_MS } = options;
  let reported: Reported | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let waits = 0;
  let bumps = 0;

  /** The fees of an unreadable network are those that were read last, or the usual ones. */
  const refresh = async (): Promise<Reported | null> => {
    const stats = await ledger.feeStats();
    readAtMs = performance.now();
    if (stats.kind !== 'yes') return reported;
    const { baseFee, usualFee, bidFee, urgentFee } = stats.value;
    const price = highest(fromUnits(baseFee), fromUnits(usualFee));
    const bid = highest(LEAST, price, fromUnits(bidFee));
    reported = { price, bid, urgentBid: highest(bid, fromUnits(urgentFee)) };
    return reported;
  };

  const aboveLimit = (price: Amount) => {
    waits++;
    return unknown(
      `The network asks ${formatExact(price)} XLM per operation, more than LEDGER_FEE_MAX allows. The transaction waits.`,
      { code: 'busy', untouched: true },
    );
  };

  return {
    async bid() {
      // While transactions wait, every attempt reads the fees again.
      const isCurrent =
        performance.now() - readAtMs < statsReadEveryMs && (reported === null || reported.price <= feeMax);
      const fees = isCurrent ? reported : await refresh();
      if (fees === null) return yes(within(LEAST, feeMax));
      return fees.price > feeMax ? aboveLimit(fees.price) : yes(within(fees.bid, feeMax));
    },
    async urgent() {
      const fees = await refresh();
      if (fees === null) return unknown('The fees of the network could not be read.', { code: 'lagging' });
      if (fees.price > feeMax) return aboveLimit(fees.price);
      return yes({ price: fees.price, bid: within(fees.urgentBid, feeMax) });
    },
    bumped() {
      bumps++;
    },
    state: () => {
      const price = reported?.price ?? null;
      return { price, limit: feeMax, isAboveLimit: price !== null && price > feeMax, waits, bumps };
    },
  };
};
