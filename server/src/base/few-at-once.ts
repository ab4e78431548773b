// Goes through a list with a few at work at a time, so that what is asked of the outside stays a trickle.

type FewAtOnce<T> = {
  readonly atOnce: number;
  work(item: T): Promise<unknown>;
  /** Asked after each: with a yes nothing more is begun. */
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
