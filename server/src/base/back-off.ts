// How long to wait before the next attempt: doubled after each failure, up to a maximum.

export type BackOff = { readonly firstMs: number; readonly maxMs: number };

/** Beyond this many doublings every wait is at its maximum, and the power would no longer be exact. */
const DOUBLINGS_MAX = 30;

/** `failures`: how many attempts have failed so far, at least one. */
export const backOffMs = ({ firstMs, maxMs }: BackOff, failures: number): number =>
  Math.min(firstMs * 2 ** Math.min(failures - 1, DOUBLINGS_MAX), maxMs);
