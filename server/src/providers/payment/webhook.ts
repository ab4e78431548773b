// The payment provider's webhooks: whether one is genuine, and what it says. Works on the bytes as they came, because a
// body that was parsed and written again is another body.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentEvent } from '../payment-port.ts';
import { type Fields, findAmount, findText, isFields, readJson, textOf, Unreadable } from '../reply-fields.ts';
import { PAYIN_EVENTS, PAYOUT_EVENTS } from './states.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export type Verification =
  | { readonly genuine: true; readonly id: string }
  | { readonly genuine: false; readonly reason: string };

const TOLERANCE_S = 5 * 60;
const SECRET_PREFIX = 'whsec_';
const SIGNATURES_MAX = 20;

type Delivery = { headers: Headers; rawBody: Uint8Array | string; secret: string; now: number };

/** The Standard Webhooks scheme: HMAC-SHA256 over `id.timestamp.body`, under either family of header names. */
export function verifyWebhook({ headers, rawBody, secret, now }: Delivery): Verification {
  const prefix = headers['svix-id'] === undefined ? 'webhook-' : 'svix-';
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => one(headers, prefix + name));
  if (!id || !timestamp || !signatures) return fake('The headers id, timestamp and signature are needed.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_S) {
    return fake('The timestamp is more than five minutes away from our clock.');
  }
  const key = Buffer.from(secret.slice(secret.startsWith(SECRET_PREFIX) ? SECRET_PREFIX.length : 0), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  // Anybody can sign with an empty key.
  if (key.length === 0) return fake('There is no secret to compare with.');
  let genuine = false;
  // All of them are compared, so that the time tells nothing about which one was near.
  for (const entry of signatures.split(' ').slice(0, SIGNATURES_MAX)) {
    const [version, text = ''] = entry.split(',');
    const given = Buffer.from(text, 'base64');
    if (version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted)) genuine = true;
  }
  return genuine ? { genuine, id } : fake('No signature is that of this body.');
}

const fake = (reason: string): Verification => ({ genuine: false, reason });

function one(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Null when it cannot be read. The real provider names the event only in the header; the interface description's body has an id. */
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
