// Waiting: a pause, a time limit for work, and growing waits between attempts.

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The result of the work, or of `late` when the work takes longer than `ms`. The work itself goes on. */
export const within = async <Result, Late>(
  work: Promise<Result>,
  { ms, late }: { ms: number; late: () => Late | Promise<Late> },
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

/** The wait before the next attempt: doubled after each failure, up to a maximum. */
export type BackOff = { readonly firstMs: number; readonly maxMs: number };

/** Beyond this many doublings every wait is at its maximum, and the power would no longer be exact. */
const DOUBLINGS_MAX = 30;

/** `failures`: how many attempts have failed so far, at least one. */
export const backOffMs = ({ firstMs, maxMs }: BackOff, failures: number): number =>
  Math.min(firstMs * 2 ** Math.min(failures - 1, DOUBLINGS_MAX), maxMs);
