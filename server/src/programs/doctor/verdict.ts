// The result of one check: ok, warning, failed or unknown. It never contains a secret.

export type VerdictState = 'ok' | 'warning' | 'failed' | 'unknown';

export type Verdict = {
  readonly name: string;
  readonly state: VerdictState;
  readonly detail: string;
  /** What to do about it; null where nothing has to be done. */
  readonly remedy: string | null;
};

export type Look = Omit<Verdict, 'name'>;

export const fine = (detail: string): Look => ({ state: 'ok', detail, remedy: null });

export const warning = (detail: string, remedy: string): Look => ({ state: 'warning', detail, remedy });

export const failed = (detail: string, remedy: string): Look => ({ state: 'failed', detail, remedy });

export const unknown = (detail: string): Look => ({ state: 'unknown', detail, remedy: null });
