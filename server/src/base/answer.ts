// What asking a neighbour can come to: yes, no, or not known. Money is only given back on a no, so a no is said only
// when the neighbour itself made clear that the thing did not and will not happen.

export type Yes<T> = { readonly kind: 'yes'; readonly value: T };

export type No = {
  readonly kind: 'no';
  readonly reason: string;
  /** The neighbour's own code, or our name for what it said; null when it gave only words. */
  readonly code: string | null;
  /** The HTTP status; null when we refused before asking. */
  readonly status: number | null;
};

export type Unknown = {
  readonly kind: 'unknown';
  readonly reason: string;
  readonly code: UnknownCode;
  /** This call certainly changed nothing, so it may simply be made again. Says nothing about earlier calls. */
  readonly untouched: boolean;
  readonly retryAfterMs: number | null;
};

/**
 * A refused key and a rate limit are here and not among the nos: they speak about us, not about the thing that was asked.
 * A no would undo an order because an operator mistyped a key, and after a lost answer it would be false, because the
 * first call may have happened. They are `untouched`, so whoever made only this one call may still give up safely.
 */
export type UnknownCode =
  | 'timeout' // no answer in time
  | 'connection' // refused, cut or never made
  | 'provider-error' // 5xx without a clear refusal
  | 'unreadable' // an answer that cannot be read
  | 'unclear' // an answer that does not say what happened
  | 'lagging' // not complete yet
  | 'stale' // this envelope can no longer be included, but it may have been before: look its hash up
  | 'mismatch' // something happened, but not what was asked
  | 'misconfigured' // our key or address was not accepted
  | 'rate-limited' // too many requests, by their count or by ours
  | 'circuit-open' // not asked, because it has been failing
  | 'busy'; // not asked, because too many calls are waiting

export type Answer<T> = Yes<T> | No | Unknown;

export const yes = <T>(value: T): Yes<T> => ({ kind: 'yes', value });

export const no = (reason: string, more: { code?: string | null; status?: number | null } = {}): No => ({
  kind: 'no',
  reason,
  code: more.code ?? null,
  status: more.status ?? null,
});

type Doubt = { untouched?: boolean; retryAfterMs?: number | null };

export const unknown = (code: UnknownCode, reason: string, doubt: Doubt = {}): Unknown => ({
  kind: 'unknown',
  reason,
  code,
  untouched: doubt.untouched ?? false,
  retryAfterMs: doubt.retryAfterMs ?? null,
});
