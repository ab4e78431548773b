// The record of a request to a provider, for the log and the metrics: a fixed list of fields. It has no field for an address, body,
// key, e-mail or id, so none can be logged.

import type { Answer, UnknownCode } from '../base/answer.ts';

export type Provider = 'escrow-provider' | 'payment-provider' | 'ledger-network';

export type CallRecord = {
  readonly provider: Provider;
  readonly operation: string;
  /** 0 when the request was never sent. */
  readonly attempts: number;
  readonly status: number | null;
  readonly outcome: Answer<unknown>['kind'];
  readonly code: UnknownCode | null;
  readonly durationMs: number;
};

export type OnCall = (call: CallRecord) => void;

type Log = { info(line: object, sentence: string): void; warn(line: object, sentence: string): void };

/** A refusal is an ordinary answer; only an unknown outcome is a warning. */
export function logCalls(log: Log): OnCall {
  return (call) => {
    const { provider, operation, attempts, status, outcome, code, durationMs } = call;
    const line = { call: { provider, operation, attempts, status, outcome, code, durationMs } };
    if (outcome === 'unknown') log.warn(line, 'The outcome of a provider request is unknown.');
    else log.info(line, 'A provider answered.');
  };
}
