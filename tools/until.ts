// Waits for a condition. Every test and tool waits with this function, so that no test sleeps for a fixed time.

type UntilOptions = {
  /** What is waited for, for the message. */
  readonly what?: string;
  readonly deadlineMs?: number;
};

const DEADLINE_MS = 60_000;
/** The pause between two checks grows, to a twentieth of the wait: the thing that is waited for needs the processor too. */
const PAUSE_MS = { first: 5, last: 200 };

/** Checks until the condition holds, and throws after the deadline. */
export const until = async (
  holds: () => boolean | Promise<boolean>,
  options: string | UntilOptions = {},
): Promise<void> => {
  const { what = 'the condition', deadlineMs = DEADLINE_MS } =
    typeof options === 'string' ? { what: options } : options;
  const begun = Date.now();
  while (!(await holds())) {
    const waitedMs = Date.now() - begun;
    if (waitedMs > deadlineMs) throw new Error(`${what} did not come true within ${deadlineMs} ms`);
    const pauseMs = Math.min(PAUSE_MS.first + waitedMs / 20, PAUSE_MS.last);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};
