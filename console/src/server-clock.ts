// The time of the server. Relative times follow it and not the clock of this computer, which may be wrong.

/** Less is the rounding of the header and the way of the answer. */
const IGNORED_MS = 5_000;

let aheadMs = 0;

/** Called with the `Date` header of each answer. */
export const noteServerTime = (header: string | null): void => {
  const serverMs = Date.parse(header ?? '');
  if (Number.isNaN(serverMs)) return;
  const difference = serverMs - Date.now();
  aheadMs = Math.abs(difference) < IGNORED_MS ? 0 : difference;
};

/** In milliseconds. */
export const serverNow = (): number => Date.now() + aheadMs;
