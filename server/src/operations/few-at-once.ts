// Goes through a list with a few at work at a time, so that what is asked of an outside system stays a trickle.

export const fewAtOnce = async <T>(
  items: readonly T[],
  { atOnce, work }: { atOnce: number; work: (item: T) => Promise<unknown> },
): Promise<void> => {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};
