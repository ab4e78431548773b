// The newest ledger that an answer of the network has named. One address may stand for several nodes, and one of them may lag behind for
// minutes: an account that such a node shows is out of date. What it answers is compared with what was seen before.

export type NewestLedger = {
  see(ledger: number): void;
  /** Whether an answer that is consistent with this ledger is older than one that was seen before. */
  isPast(ledger: number): boolean;
};

/** A network that began again has lower numbers: a number that no answer has reached for this long no longer counts. */
const COUNTS_MS = 600_000;

export const followNewestLedger = (now: () => number = () => performance.now()): NewestLedger => {
  let newest = 0;
  let seenAt = 0;
  const counts = (): boolean => now() - seenAt < COUNTS_MS;
  return {
    see(ledger) {
      if (ledger < newest && counts()) return;
      newest = ledger;
      seenAt = now();
    },
    isPast: (ledger) => ledger < newest && counts(),
  };
};
