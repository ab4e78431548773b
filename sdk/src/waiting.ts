// Waiting that the caller can abort. It must never keep a program alive without need, nor hide an abort.

/** The maximum of a timer; a longer one would end at once. */
const TIMER_MAX_MS = 2_147_483_647;

/** Checks a time limit: a value that is not a number would never end, or end at once. Infinity means no limit. */
export const limitOf = (name: string, ms: number): number => {
  if (typeof ms !== 'number' || !(ms > 0)) throw new TypeError(`${name} must be more than 0 milliseconds. It is ${ms}`);
  return Math.min(ms, TIMER_MAX_MS);
};

export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, TIMER_MAX_MS),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** Full jitter: many clients that failed at the same time do not retry at the same time. */
export const backOffMs = (attempt: number, bounds: { firstMs: number; mostMs: number }): number =>
  Math.random() * Math.min(bounds.mostMs, bounds.firstMs * 2 ** attempt);

/** One signal for the caller's abort and a deadline. Call `end`, or the timer stays. */
export const deadline = (
  timeoutMs: number,
  signal: AbortSignal | undefined,
): { signal: AbortSignal; passed(): boolean; end(): void } => {
  const controller = new AbortController();
  let passed = false;
  const timer = setTimeout(() => {
    passed = true;
    controller.abort(new Error(`no answer within ${timeoutMs} ms`));
  }, timeoutMs);
  const onAbort = () => controller.abort(signal!.reason);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    passed: () => passed,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
};

/** A UUID of version 4. Browsers have `randomUUID` on secure pages only. */
export const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

export const retriesOf = (count: number): number => {
  if (count === Number.POSITIVE_INFINITY || (Number.isInteger(count) && count >= 0)) return count;
  throw new TypeError(`maxRetries must be a whole number; 0 means none. It is ${count}`);
};
