// Places for requests that are on their way. When all are taken, a free place goes to the owner who has the fewest, so that an owner with
// many slow receivers does not make others wait.

type Waiting = () => void;

type FairPlaces = {
  /** Resolves when the owner has a place. Rejects with the reason of the signal when it is aborted before. */
  enter(owner: string, signal: AbortSignal): Promise<void>;
  leave(owner: string): void;
};

export const createFairPlaces = (places: number): FairPlaces => {
  const inside = new Map<string, number>();
  const waiting = new Map<string, Set<Waiting>>();
  let free = places;

  const ownerWithFewest = (): string | undefined => {
    let found: string | undefined;
    for (const owner of waiting.keys()) {
      if (found === undefined || (inside.get(owner) ?? 0) < (inside.get(found) ?? 0)) found = owner;
    }
    return found;
  };

  const take = (owner: string): void => {
    free--;
    inside.set(owner, (inside.get(owner) ?? 0) + 1);
  };

  const removeWaiting = (owner: string, begin: Waiting): void => {
    const own = waiting.get(owner);
    own?.delete(begin);
    if (own?.size === 0) waiting.delete(owner);
  };

  const wait = (owner: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        removeWaiting(owner, begin);
        reject(signal.reason);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        removeWaiting(owner, begin);
        take(owner);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      const own = waiting.get(owner);
      if (own) own.add(begin);
      else waiting.set(owner, new Set([begin]));
    });

  return {
    async enter(owner, signal) {
      signal.throwIfAborted();
      if (free === 0) return wait(owner, signal);
      take(owner);
    },
    leave(owner) {
      free++;
      const left = inside.get(owner)! - 1;
      if (left === 0) inside.delete(owner);
      else inside.set(owner, left);
      const next = ownerWithFewest();
      if (next === undefined) return;
      const [begin] = waiting.get(next)!;
      begin!();
    },
  };
};
