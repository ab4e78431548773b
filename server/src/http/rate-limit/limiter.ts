// What a rate limiter promises: so many requests per bucket in a window of fixed length, counted from the first one.

export type Taken = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in milliseconds at which the window ends. */
  readonly resetAtMs: number;
};

export type Limiter = {
  /** Counts one request. Answers without a promise when it can. */
  take(bucket: string, limit: number): Taken | Promise<Taken>;
  close?(): Promise<void>;
};

export const takenOf = (taken: { count: number; limit: number; resetAtMs: number }): Taken => ({
  allowed: taken.count <= taken.limit,
  limit: taken.limit,
  remaining: taken.count < taken.limit ? taken.limit - taken.count : 0,
  resetAtMs: taken.resetAtMs,
});
