// Whether a webhook is genuine. The signatures cover the bytes as they arrived, because a body that was parsed and written again is
// another body. A webhook without a signature is not checked here: it is a hint and proves nothing.

import { createHmac, timingSafeEqual } from 'node:crypto';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

type Verification =
  | { readonly genuine: true; readonly id: string }
  /** `mayMatch`: the headers are complete and fresh, so another secret may have signed it. */
  | { readonly genuine: false; readonly mayMatch: boolean; readonly reason: string };

const TOLERANCE_S = 5 * 60;
const SECRET_PREFIX = 'whsec_';
const SIGNATURES_MAX = 20;

type Delivery = { headers: Headers; rawBody: Uint8Array | string; secret: string; now: number };

/** The payment provider's scheme, Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, under either family of header names. */
export function verifyPaymentWebhook({ headers, rawBody, secret, now }: Delivery): Verification {
  const prefix = headers['svix-id'] === undefined ? 'webhook-' : 'svix-';
  const id = first(headers, `${prefix}id`);
  const timestamp = first(headers, `${prefix}timestamp`);
  const signatures = first(headers, `${prefix}signature`);
  if (!id || !timestamp || !signatures) return fake('The headers id, timestamp and signature are required.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_S) {
    return fake('The timestamp differs from our clock by more than five minutes.');
  }
  const key = Buffer.from(secret.slice(secret.startsWith(SECRET_PREFIX) ? SECRET_PREFIX.length : 0), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  // Anyone can sign with an empty key.
  if (key.length === 0) return { ...fake('No secret is configured.'), mayMatch: true };
  let genuine = false;
  // All signatures are compared, so that the duration does not reveal which one was close.
  for (const entry of signatures.split(' ').slice(0, SIGNATURES_MAX)) {
    const [version, text = ''] = entry.split(',');
    const given = Buffer.from(text, 'base64');
    if (version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted)) genuine = true;
  }
  return genuine ? { genuine, id } : { ...fake('No signature matches the body.'), mayMatch: true };
}

const PAYMENT_HEADER = /^(svix|webhook)-(id|timestamp|signature)$/;

/** Whether a payment webhook has any header of a signature, right or wrong. */
export const claimsSignature = (headers: Headers): boolean =>
  Object.keys(headers).some((name) => PAYMENT_HEADER.test(name));

const fake = (reason: string) => ({ genuine: false, mayMatch: false, reason }) as const;

function first(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** The escrow provider's scheme: HMAC-SHA256 of the body in hex, keyed with the whole text of the secret. */
export function isGenuineEscrowWebhook(delivery: {
  signature: string;
  rawBody: Uint8Array | string;
  secret: string;
}): boolean {
  const wanted = createHmac('sha256', delivery.secret).update(delivery.rawBody).digest();
  const given = /^[0-9a-f]{64}$/i.test(delivery.signature) ? Buffer.from(delivery.signature, 'hex') : Buffer.alloc(32);
  return timingSafeEqual(given, wanted);
}
