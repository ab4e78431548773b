// Items that wait until a time, each with a timer.

export const createWaits = <Item>(onDue: (item: Item) => void) => {
  const timers = new Map<Item, NodeJS.Timeout>();

  const remove = (item: Item): void => {
    clearTimeout(timers.get(item));
    timers.delete(item);
  };

  const end = (item: Item): void => {
    remove(item);
    onDue(item);
  };

  return {
    count: (): number => timers.size,
    items: (): Iterable<Item> => timers.keys(),
    has: (item: Item): boolean => timers.has(item),
    add(item: Item, at: string): void {
      const ms = Math.max(Date.parse(at) - Date.now(), 0);
      timers.set(item, setTimeout(end, ms, item).unref());
    },
    remove,
    end,
    endAll(): void {
      for (const item of [...timers.keys()]) end(item);
    },
    clear(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
};
