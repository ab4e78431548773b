// Counts the steps of one order at a time and stops it at a chosen one. A step is a call or a commit that may change
// something. A stopped order never continues, so that a kill of the server finds it at that step, and many other orders at
// theirs.

export type Point = {
  /** The number of the step, counted from the request. */
  readonly at: number;
  /** Before the step is forwarded, or after it was done and before its answer arrives. */
  readonly when: 'before' | 'after';
};

export type Turn = {
  readonly marketplaceId: string;
  /** The steps of the order so far, in order. */
  readonly seen: string[];
  readonly point: Point | null;
  /** Resolves when the order is stopped. */
  readonly stopped: Promise<void>;
  stop(): void;
};

export type Gate = ReturnType<typeof openGate>;

const newTurn = (marketplaceId: string, point: Point | null): Turn => {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  return { marketplaceId, point, seen: [], stopped, stop: resolve };
};

/** The proxies to PostgreSQL and to the simulators share one gate. */
export const openGate = () => {
  let turn: Turn | null = null;
  return {
    /** From now on every step counts for the order of this marketplace. */
    begin(marketplaceId: string, point: Point | null): Turn {
      turn = newTurn(marketplaceId, point);
      return turn;
    },
    /** Stops counting. Stopped orders stay stopped. */
    end(): void {
      turn = null;
    },
    current: (): Turn | null => turn,
  };
};

/** Counts a step. Returns whether the order stops before or after it, or not at all. */
export const count = ({ seen, point }: Turn, step: string): Point['when'] | null =>
  point?.at === seen.push(step) - 1 ? point.when : null;
