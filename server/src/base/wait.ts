// Waiting: a pause, and waiting for work no longer than a given time.

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The result of the work, or of `late` when the work takes longer than `ms`. The work itself goes on. */
export const within = async <Result, Late>(
  ms: number,
  work: Promise<Result>,
  late: () => Late | Promise<Late>,
): Promise<Result | Late> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), Math.max(ms, 0));
  });
  try {
    const first = await Promise.race([work.then((result) => ({ result })), timeout]);
    return first === 'late' ? await late() : first.result;
  } finally {
    clearTimeout(timer);
  }
};
