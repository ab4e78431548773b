// Converts payins, payouts, users and webhooks of the payment provider into our types.

import type { Payin, PaymentEvent, PaymentUser, Payout } from '../payment-port.ts';
import {
  amountOf,
  type Fields,
  fieldsOf,
  findAmount,
  findText,
  isFields,
  isTrue,
  readJson,
  textOf,
  Unreadable,
} from '../reply-fields.ts';
import { PAYIN_EVENTS, PAYIN_STATES, PAYOUT_EVENTS, PAYOUT_STATES } from './states.ts';

export function readPayin(value: unknown, payerUrl: string): Payin {
  const fields = fieldsOf(value, 'The payin');
  const id = textOf(fields, 'id');
  return {
    id,
    code: textOf(fields, 'code'),
    state: stateOf(fields, PAYIN_STATES),
    amount: amountOf(fields, 'amount'),
    fee: findAmount(fields, 'airtmFee'),
    payerUrl: `${payerUrl}/payin/${encodeURIComponent(id)}`,
    reason: findText(fields, 'failureReason'),
  };
}

export function readPayout(value: unknown): Payout {
  const fields = fieldsOf(value, 'The payout');
  return {
    id: textOf(fields, 'id'),
    code: findText(fields, 'code'),
    state: stateOf(fields, PAYOUT_STATES),
    amount: amountOf(fields, 'amount'),
    fee: findAmount(fields, 'airtmFee'),
    reasonCode: findText(fields, 'reasonCode'),
    reason: findText(fields, 'reasonDescription'),
  };
}

export function readUser(value: unknown): PaymentUser {
  const fields = fieldsOf(value, 'The user');
  const isActive = textOf(fields, 'status').toLowerCase() === 'active';
  return { id: textOf(fields, 'id'), isActive, isVerified: isTrue(fields, 'isVerified') };
}

function stateOf<State>(fields: Fields, states: Readonly<Record<string, State>>): State {
  const status = textOf(fields, 'status');
  const state = Object.hasOwn(states, status) ? states[status] : undefined;
  if (state === undefined) throw new Unreadable(`Unknown status ${status}.`);
  return state;
}

/** Null when the webhook cannot be read. The real provider sends the event's id only in the header; the spec's body contains it. */
export function readEvent(rawBody: Uint8Array | string, headerId: string | null): PaymentEvent | null {
  const body = readJson(typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8'));
  if (!isFields(body)) return null;
  const type = findText(body, 'eventType') ?? findText(body, 'type');
  const eventId = findText(body, 'eventId') ?? headerId;
  if (type === null || eventId === null) return null;
  try {
    if (Object.hasOwn(PAYIN_EVENTS, type)) {
      return { kind: 'payin', state: PAYIN_EVENTS[type]!, eventId, type, ...dataOf(body) };
    }
    if (Object.hasOwn(PAYOUT_EVENTS, type)) {
      return { kind: 'payout', state: PAYOUT_EVENTS[type]!, eventId, type, ...dataOf(body) };
    }
    return { kind: 'other', eventId, type };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

function dataOf(body: Fields) {
  const data = isFields(body.data) ? body.data : {};
  return {
    occurredAt: findText(body, 'occurredAt') ?? findText(data, 'updatedAt'),
    id: textOf(data, 'id'),
    code: findText(data, 'code'),
    amount: findAmount(data, 'amount'),
    reasonCode: findText(data, 'reasonCode'),
    reason: findText(data, 'reasonDescription') ?? findText(data, 'failureReason'),
  };
}
