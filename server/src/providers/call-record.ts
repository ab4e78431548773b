// What is told about a call to a neighbour, to the log and to the metrics: a fixed list of fields. No address, body, key,
// e-mail or id can get into it, because it has no place for one.

import type { Answer, UnknownCode } from '../base/answer.ts';

export type Provider = 'escrow-provider' | 'payment-provider' | 'ledger-network';

export type CallRecord = {
  readonly provider: Provider;
  readonly operation: string;
  /** 0 when the call was never sent. */
  readonly attempts: number;
  readonly status: number | null;
  readonly outcome: Answer<unknown>['kind'];
  readonly code: UnknownCode | null;
  readonly durationMs: number;
};

export type TellCall = (call: CallRecord) => void;

type Log = { info(line: object, sentence: string): void; warn(line: object, sentence: string): void };

/** A refusal is an ordinary answer; only what is not known deserves somebody's attention. */
export function logCalls(log: Log): TellCall {
  return (call) => {
    const { provider, operation, attempts, status, outcome, code, durationMs } = call;
    const line = { call: { provider, operation, attempts, status, outcome, code, durationMs } };
    if (outcome === 'unknown') log.warn(line, 'A provider call has no certain outcome.');
    else log.info(line, 'A provider answered.');
  };
}
