// The senders of the marketplaces of this process. For each one piece of work runs at a time; a request that arrives while it runs is
// carried out after it.

import type { MarketplaceSender } from './marketplace-sender.ts';

type Work = 'reload' | 'refresh';

type Slot = { sender: MarketplaceSender | null; running: Promise<void> | null; readonly due: Set<Work> };

type Options = {
  start(marketplaceId: string): Promise<MarketplaceSender>;
  onTrouble(message: string, error: unknown): void;
};

export const createSlots = ({ start, onTrouble }: Options) => {
  const slots = new Map<string, Slot>();

  const work = async (marketplaceId: string, slot: Slot): Promise<void> => {
    while (slot.due.size > 0 && slots.get(marketplaceId) === slot) {
      const isReload = slot.due.has('reload');
      slot.due.clear();
      slot.sender ??= await start(marketplaceId);
      if (isReload) await slot.sender.reload();
      await slot.sender.refresh();
    }
  };

  const stop = async (marketplaceId: string): Promise<void> => {
    const slot = slots.get(marketplaceId);
    slots.delete(marketplaceId);
    await slot?.running;
    await slot?.sender?.close();
  };

  const run = async (marketplaceId: string, slot: Slot): Promise<void> => {
    try {
      await work(marketplaceId, slot);
    } catch (error) {
      onTrouble('webhooks of a marketplace could not be sent; they are tried again', error);
    }
    slot.running = null;
    const isIdle = slot.due.size === 0 && !slot.sender?.hasEndpoints();
    if (isIdle && slots.get(marketplaceId) === slot) await stop(marketplaceId);
  };

  return {
    marketplaces: (): string[] => [...slots.keys()],
    want(marketplaceId: string, what: Work): void {
      // Without a sender the marketplace has no endpoints.
      if (what === 'refresh' && !slots.has(marketplaceId)) return;
      const slot: Slot = slots.get(marketplaceId) ?? { sender: null, running: null, due: new Set() };
      slots.set(marketplaceId, slot);
      slot.due.add(what);
      slot.running ??= run(marketplaceId, slot);
    },
    stop,
  };
};
