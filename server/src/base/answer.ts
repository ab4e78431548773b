// What an outside system answered: yes, no, or unknown. This is the one result type from the adapters to the operations. Money is
// given back only on a no, so a no is returned only when the outside system made clear that the thing did not and will not happen.

export type Yes<T> = { readonly kind: 'yes'; readonly value: T };

export type No = {
  readonly kind: 'no';
  readonly reason: string;
  /** The outside system's own code, or our name for what it said; null when it gave only a text. */
  readonly code: string | null;
  /** The HTTP status; null when the request was refused before it was sent. */
  readonly status: number | null;
};

export type Unknown = {
  readonly kind: 'unknown';
  readonly reason: string;
  readonly code: UnknownCode;
  /** This request certainly changed nothing, so it may simply be sent again. It says nothing about earlier requests. */
  readonly untouched: boolean;
  readonly retryAfterMs: number | null;
};

/**
 * A refused key and a rate limit are unknown and not a no: they concern us and not the thing that was requested. A no would undo an
 * order because an operator mistyped a key. After a lost answer a no would also be false, because the first request may have
 * succeeded. They are `untouched`, so a caller who sent only this one request may still give up safely.
 */
export type UnknownCode =
  | 'timeout' // no answer in time
  | 'connection' // refused, cut or never made
  | 'provider-error' // 5xx without a clear refusal
  | 'unreadable' // an answer that cannot be parsed
  | 'unclear' // an answer that does not say what happened
  | 'lagging' // not complete yet
  | 'stale' // this envelope can no longer be included, but it may have been before: look its hash up
  | 'mismatch' // something happened, but not what was requested
  | 'misconfigured' // our key or address was not accepted
  | 'rate-limited' // too many requests, by their count or by ours
  | 'circuit-open' // not sent, because the outside system keeps failing
  | 'in-progress' // another worker of ours is doing the same
  | 'busy'; // not sent, because too many requests are waiting

export type Answer<T> = Yes<T> | No | Unknown;

export const yes = <T>(value: T): Yes<T> => ({ kind: 'yes', value });

export const no = (reason: string, more: { code?: string | null; status?: number | null } = {}): No => ({
  kind: 'no',
  reason,
  code: more.code ?? null,
  status: more.status ?? null,
});

type Doubt = { code: UnknownCode; untouched?: boolean; retryAfterMs?: number | null };

export const unknown = (reason: string, doubt: Doubt): Unknown => ({
  kind: 'unknown',
  reason,
  code: doubt.code,
  untouched: doubt.untouched ?? false,
  retryAfterMs: doubt.retryAfterMs ?? null,
});
