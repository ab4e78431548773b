// The requests that wait for their start: by priority, and within a priority the parties take turns, so that one marketplace with many
// requests does not make the others wait for all of them.

/**
 * First operations, which a caller waits for and which may move money; then checks of signed webhooks; then everything that can wait or
 * be dropped: hints, polls and probes.
 */
export type Priority = 'operation' | 'check' | 'background';

/**
 * A request as the line sees it. A party is a marketplace, or the service's own requests that can wait. Null: an operation of the
 * service itself, which no share limits.
 */
type Request = { readonly priority: Priority; readonly party: string | null };

const PRIORITIES: readonly Priority[] = ['operation', 'check', 'background'];

type Waiting = {
  readonly party: string | null;
  readonly rank: number;
  /** The n-th request of a party has the n-th turn. */
  readonly turn: number;
  readonly timer: NodeJS.Timeout;
  admit(leave: (() => void) | null): void;
};

type NewEntry = Request & Pick<Waiting, 'admit'> & { readonly patienceMs: number };

export const createWaitingLine = () => {
  const entries: Waiting[] = [];
  // By rank: the turn that was served last. A party that comes later joins at this turn, not before it.
  const served = PRIORITIES.map(() => 0);

  const turnOf = (party: string | null, rank: number): number => {
    const last = entries.findLast((other) => other.party === party && other.rank === rank);
    return last ? last.turn + 1 : served[rank]!;
  };

  const placeOf = ({ rank, turn }: Pick<Waiting, 'rank' | 'turn'>): number =>
    entries.findLastIndex((other) => other.rank < rank || (other.rank === rank && other.turn <= turn)) + 1;

  const remove = (entry: Waiting): void => {
    clearTimeout(entry.timer);
    entries.splice(entries.indexOf(entry), 1);
  };

  const drop = (entry: Waiting): void => {
    remove(entry);
    entry.admit(null);
  };

  const countOf = (wanted: string | null): number => entries.filter(({ party }) => party === wanted).length;

  return {
    get size() {
      return entries.length;
    },
    countOf,
    /** How many requests would start before a new one, and how many of them are of the same party. */
    aheadOf({ priority, party }: Request): { all: number; own: number } {
      const rank = PRIORITIES.indexOf(priority);
      const ahead = entries.slice(0, placeOf({ rank, turn: turnOf(party, rank) }));
      return { all: ahead.length, own: ahead.filter((other) => other.party === party).length };
    },
    /** Drops the last request of all, or of this party, when its priority is lower. False: there is none to drop. */
    makeRoom({ priority, party }: Request, { ofParty }: { ofParty: boolean }): boolean {
      const last = ofParty ? entries.findLast((other) => other.party === party) : entries.at(-1);
      if (last === undefined || last.rank <= PRIORITIES.indexOf(priority)) return false;
      drop(last);
      return true;
    },
    add({ priority, party, admit, patienceMs }: NewEntry): void {
      const rank = PRIORITIES.indexOf(priority);
      const turn = turnOf(party, rank);
      const entry: Waiting = { party, rank, turn, admit, timer: setTimeout(() => drop(entry), patienceMs) };
      entries.splice(placeOf(entry), 0, entry);
    },
    /** The next request whose party may start one now; null when there is none. */
    take(mayStart: (party: string | null) => boolean): Waiting | null {
      const refused = new Set<string | null>();
      const next = entries.find(({ party }) => {
        if (refused.has(party)) return false;
        const isNext = mayStart(party);
        if (!isNext) refused.add(party);
        return isNext;
      });
      if (!next) return null;
      remove(next);
      served[next.rank] = Math.max(served[next.rank]!, next.turn);
      return next;
    },
  };
};
