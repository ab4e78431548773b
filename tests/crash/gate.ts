// Counts the steps of one order at a time and stops it at a chosen one. A step is a call or a commit that may change
// something. Whoever is stopped is never let go again, so that a kill of the server finds it right there, and many others
// at their own points.

export type Point = {
  /** Which step, counted from the request. */
  readonly at: number;
  /** Before it is passed on, or when it was carried out and its answer is on its way. */
  readonly when: 'before' | 'after';
};

export type Turn = {
  readonly marketplaceId: string;
  /** Its steps, in the order in which they were made. */
  readonly seen: string[];
  readonly point: Point | null;
  /** Resolves when it is stopped. */
  readonly stopped: Promise<void>;
  stop(): void;
};

export type Gate = ReturnType<typeof openGate>;

const newTurn = (marketplaceId: string, point: Point | null): Turn => {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  return { marketplaceId, point, seen: [], stopped, stop: resolve };
};

/** Both roads of a server share one. */
export const openGate = () => {
  let turn: Turn | null = null;
  return {
    /** From now on every step is counted as one of this marketplace's order. */
    begin(marketplaceId: string, point: Point | null): Turn {
      turn = newTurn(marketplaceId, point);
      return turn;
    },
    /** Nothing is counted any more; what was stopped stays so. */
    end(): void {
      turn = null;
    },
    current: (): Turn | null => turn,
  };
};

/** Counts a step, and says whether the turn ends before or after it, if it does. */
export const count = ({ seen, point }: Turn, step: string): Point['when'] | null =>
  point?.at === seen.push(step) - 1 ? point.when : null;
