// Signed webhooks by the Standard Webhooks scheme: `id.timestamp.body`, HMAC-SHA256, `v1,<base64>`. `holdfast events forward` sends
// them; the signer is exported for your tests. The comparison takes the same time for every wrong signature.

import { HoldfastError } from './errors.ts';
import type { HoldfastEvent } from './events.ts';

/** Headers by name, in upper or lower case, or as the platform's own type. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookMessage = {
  /** The raw bytes or text as received. A body that was parsed and serialised again breaks the signature. */
  body: string | Uint8Array;
  headers: HeadersLike;
  /** `whsec_` and base64, or any text. Pass several during a change of the secret. */
  secret: string | readonly string[];
  /** The maximum age of a message in seconds, also into the future. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; the current time when left out. */
  now?: number;
};

const TOLERANCE_S = 300;
const PREFIX = 'whsec_';

const utf8 = new TextEncoder();

/** Returns the event when the signature matches and the message is recent, and throws WEBHOOK_REJECTED otherwise. */
export const verifyWebhook = async (message: WebhookMessage): Promise<HoldfastEvent> => {
  const header = (name: string): string => headerOf(message.headers, `webhook-${name}`);
  const id = header('id');
  const timestamp = header('timestamp');
  const signatures = header('signature');
  const seconds = Number(timestamp);
  const now = (message.now ?? Date.now()) / 1_000;
  if (!/^\d{1,12}$/.test(timestamp)) throw rejected('webhook-timestamp is not a time in seconds');
  if (Math.abs(now - seconds) > (message.toleranceSeconds ?? TOLERANCE_S)) {
    throw rejected('webhook-timestamp is too far from now: the message is old, or a clock is wrong');
  }
  const signed = bytesToSign({ id, timestamp, body: message.body });
  if (!(await fitsAny(signatures, { secrets: [message.secret].flat(), signed }))) {
    throw rejected('the signature does not match: check the secret, and pass the raw body');
  }
  try {
    const { body } = message;
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    throw rejected('the body is not JSON');
  }
};

export type SignedWebhook = { body: string; headers: Record<string, string> };

/** Signs a message as a sender would: for your own tests, and for forwarding events. */
export const signWebhook = async (
  event: unknown,
  options: { secret: string; id?: string; timestamp?: Date },
): Promise<SignedWebhook> => {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const id = options.id ?? (event as { eventId?: string }).eventId ?? crypto.randomUUID();
  const timestamp = String(Math.floor((options.timestamp?.getTime() ?? Date.now()) / 1_000));
  const key = await keyOf(options.secret, 'sign');
  const signature = await crypto.subtle.sign('HMAC', key, bytesToSign({ id, timestamp, body }));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
    },
  };
};

const rejected = (reason: string): HoldfastError =>
  new HoldfastError({
    code: 'WEBHOOK_REJECTED',
    message: `The webhook was rejected: ${reason}.`,
    status: null,
    details: { reason },
    requestId: null,
  });

/** Frameworks bring their own classes, so the type is recognised by its methods. */
const hasGet = (headers: HeadersLike): headers is Headers => typeof headers.get === 'function';

const headerOf = (headers: HeadersLike, name: string): string => {
  const value = hasGet(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value[0] : value;
  if (!text) throw rejected(`the header ${name} is missing`);
  return String(text);
};

const bytesToSign = (message: { id: string; timestamp: string; body: string | Uint8Array }) => {
  const head = utf8.encode(`${message.id}.${message.timestamp}.`);
  const body = typeof message.body === 'string' ? utf8.encode(message.body) : message.body;
  // A parsed body has lost the bytes that were signed.
  if (!ArrayBuffer.isView(body))
    throw new TypeError('Pass the raw body of the webhook, as text or bytes, not the parsed JSON');
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
};

const keyOf = (secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> => {
  const bytes = secret.startsWith(PREFIX)
    ? (fromBase64(secret.slice(PREFIX.length)) ?? utf8.encode(secret))
    : utf8.encode(secret);
  if (bytes.length === 0) throw new TypeError('The secret of the webhook is empty');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
};

const fromBase64 = (text: string) => {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
};

/** The header may contain several signatures, separated by spaces; versions other than v1 are ignored. */
const fitsAny = async (
  header: string,
  { secrets, signed }: { secrets: readonly string[]; signed: Uint8Array<ArrayBuffer> },
): Promise<boolean> => {
  for (const each of header.split(' ').slice(0, 10)) {
    const [version, text] = each.split(',', 2);
    const signature = version === 'v1' && text ? fromBase64(text) : null;
    if (!signature) continue;
    for (const secret of secrets) {
      if (await crypto.subtle.verify('HMAC', await keyOf(secret, 'verify'), signature, signed)) return true;
    }
  }
  return false;
};
