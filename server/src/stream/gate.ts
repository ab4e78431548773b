// Lets a few through at a time, first come first served: when thousands reconnect at once, their look-ups must not take
// every database connection from the rest of the service.

export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export const createGate = (places: number): Gate => {
  const queue: (() => void)[] = [];
  let free = places;

  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      // The place goes to the next in line; nobody can slip in between.
      if (next) next();
      else free++;
    }
  };
};
