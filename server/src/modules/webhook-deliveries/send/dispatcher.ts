// Runs a sender for every marketplace that has endpoints and belongs to this process. Events wake it at once; a slow round finds what a lost
// notification has left.

import type pg from 'pg';
import { partOf } from './locks.ts';
import { type SenderParts, startMarketplaceSender } from './marketplace-sender.ts';
import { createOwnership, type Ownership } from './ownership.ts';
import { createSlots } from './slots.ts';

type Options = SenderParts & {
  connect(): Promise<pg.Client>;
  /** All marketplaces with an enabled endpoint. */
  marketplaces(): Promise<string[]>;
};

const BALANCE_MS = 2_000;
const ROUND_MS = 15_000;

export type Dispatcher = ReturnType<typeof createDispatcher>;

export const createDispatcher = (options: Options) => {
  const { onTrouble } = options;
  const slots = createSlots({ start: (id) => startMarketplaceSender(options, id), onTrouble });
  let ownership: Ownership | null = null;
  let isRoundDue = false;
  let isClosed = false;

  const want = (marketplaceIds: Iterable<string>, what: 'reload' | 'refresh'): void => {
    for (const id of marketplaceIds) if (!isClosed && ownership?.owns(id)) slots.want(id, what);
  };

  const openOwnership = (): Ownership =>
    createOwnership({
      connect: options.connect,
      everyMs: BALANCE_MS,
      onTrouble,
      onTaken() {
        // Many parts are taken in one turn, and one round finds the marketplaces of all.
        if (!isRoundDue) setImmediate(round);
        isRoundDue = true;
      },
      async onLost(part) {
        await Promise.all(
          slots
            .marketplaces()
            .filter((id) => partOf(id) === part)
            .map(slots.stop),
        );
      },
    });

  /** Finds the marketplaces that have endpoints. */
  const round = async (): Promise<void> => {
    isRoundDue = false;
    try {
      const all = await options.marketplaces();
      // The connection for the locks is opened when there is something to send.
      if (all.length > 0 && !isClosed) ownership ??= openOwnership();
      want(new Set([...all, ...slots.marketplaces()]), 'reload');
    } catch (error) {
      onTrouble('the marketplaces with webhook endpoints could not be read', error);
    }
  };

  const timer = setInterval(round, ROUND_MS);
  timer.unref();
  void round();

  return {
    /** There are new events. */
    refresh: (marketplaceIds: readonly string[]): void => want(marketplaceIds, 'refresh'),
    /** Endpoints or deliveries were changed by a request. */
    reload(marketplaceIds: readonly string[]): void {
      if (ownership === null) void round();
      want(marketplaceIds, 'reload');
    },
    /** Any notification may have been missed. */
    reloadAll: (): void => void round(),
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      await ownership?.close();
      await Promise.all(slots.marketplaces().map(slots.stop));
    },
  };
};
