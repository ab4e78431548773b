// Who counts what the door does; the metrics implement it. Watching may never change or delay an answer.

export type Watch = {
  began(): void;
  /** Once per request that began, also when the client hung up. */
  ended(): void;
  answered(request: { method: string; route: string | undefined; status: number; durationMs: number }): void;
  rateLimited(bucket: 'api' | 'webhook'): void;
  replayed(): void;
};

export const UNWATCHED: Watch = { began() {}, ended() {}, answered() {}, rateLimited() {}, replayed() {} };
