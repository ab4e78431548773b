// The types of the outside systems for the rest of the server, in the service's own terms and money type. Only the adapters know
// which company or network is behind them.

export type { Answer, No, Unknown, UnknownCode } from '../base/answer.ts';
export type { CallRecord, OnCall } from './call-record.ts';
export type * from './escrow-port.ts';
export type * from './ledger-port.ts';
export type * from './payment-port.ts';
export type { Priority } from './waiting-line.ts';
