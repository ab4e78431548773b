// What the rest of the server may ask of the outside systems, in the service's own words and its own money type. Which
// company or network answers is known only to the adapters behind these types.

export type { Answer, No, Unknown, UnknownCode } from '../base/answer.ts';
export type { CallRecord, TellCall } from './call-record.ts';
export type * from './escrow-port.ts';
export type * from './ledger-port.ts';
export type * from './payment-port.ts';
