// Works through a list with a few items in progress at a time, so that the load on outside systems stays low.

type FewAtOnce<T> = {
  readonly atOnce: number;
  work(item: T): Promise<unknown>;
  /** Called after each item. When it returns true, no further item is started. */
  isOver?(): boolean;
};

export const fewAtOnce = async <T>(
  items: readonly T[],
  { atOnce, work, isOver = () => false }: FewAtOnce<T>,
): Promise<void> => {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      await work(item);
      if (isOver()) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

type PollEach<T> = {
  readonly atOnce: number;
  /** After so many items in a row without an answer the outside system is unreachable, and polling the rest would only wait. */
  readonly silentMax: number;
  /** Must not reject. */
  poll(item: T): Promise<'answered' | 'silent'>;
  isClosed?(): boolean;
};

/** Polls each item, and stops early when the outside system does not answer. */
export const pollEach = async <T>(
  items: readonly T[],
  { atOnce, silentMax, poll, isClosed = () => false }: PollEach<T>,
): Promise<void> => {
  let silent = 0;
  await fewAtOnce(items, {
    atOnce,
    async work(item) {
      silent = (await poll(item)) === 'silent' ? silent + 1 : 0;
    },
    isOver: () => isClosed() || silent >= silentMax,
  });
};
