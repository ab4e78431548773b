// Signed webhooks by the Standard Webhooks scheme: `id.timestamp.body`, signed with HMAC-SHA256 (`v1,<base64>`) or ed25519
// (`v1a,<base64>`). Webhook endpoints and `holdfast events forward` send them; the signer is exported for your tests.

import { HoldfastError } from './errors.ts';
import type { EventType, HoldfastEvent } from './events.ts';
import { fromBase64, hmacKey, type SignatureVersion, verifiersOf, type WebhookVerifier } from './webhook-keys.ts';
import { mistakeIn, rawBodyOf } from './webhook-mistakes.ts';

/** Headers by name, in upper or lower case, or as the platform's own type. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookMessage = {
  /** The raw bytes or text as received. A body that was parsed and serialised again breaks the signature. */
  body: string | Uint8Array | ArrayBuffer;
  headers: HeadersLike;
  /** `whsec_` and base64, any text, or the public key `whpk_` and base64. Pass several during a rotation: one has to fit. */
  secret: string | readonly string[];
  /** What the endpoint sends; `thin` changes only the type of the event. */
  payload?: 'full' | 'thin';
  /** The maximum age of a message in seconds, also into the future. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; the current time when left out. */
  now?: number;
};

type WithoutPayload<Event> = Event extends HoldfastEvent ? Omit<Event, 'payload'> : never;

/** An event of an endpoint with `payload: 'thin'`: read its record with the API. */
export type ThinEvent = WithoutPayload<HoldfastEvent>;

const TOLERANCE_S = 300;
const SIGNATURES_MAX = 10;
/** Not on the event stream, so it is not in its types. */
const TEST_TYPE = 'webhook.test';

const utf8 = new TextEncoder();

/** Whether the event is the one that `webhookEndpoints.test` sends. Nothing has happened then. */
export const isTestEvent = (event: { readonly eventType: EventType | typeof TEST_TYPE }): boolean =>
  event.eventType === TEST_TYPE;

type Verify = {
  (message: WebhookMessage & { payload: 'thin' }): Promise<ThinEvent>;
  (message: WebhookMessage): Promise<HoldfastEvent>;
};

/**
 * Returns the event when a signature matches and the message is recent. Otherwise it throws WEBHOOK_REJECTED, and `details.reason` says
 * what is wrong. A mistake in the call, such as an empty secret or a parsed body, is a TypeError.
 */
export const verifyWebhook: Verify = async (message: WebhookMessage) => {
  const body = rawBodyOf(message.body);
  const verifiers = await verifiersOf(message.secret);
  const [id, timestamp, header] = HEADERS.map((name) => headerOf(message.headers, name)) as [string, string, string];
  checkTime(timestamp, message);
  const signatures = signaturesIn(header);
  const fits = async (given: Uint8Array, by = verifiers): Promise<boolean> =>
    fitsAny(signatures, { verifiers: by, signed: bytesToSign({ id, timestamp, body: given }) });
  if (!(await fits(body))) {
    throw rejected((await mistakeIn(message, { body, fits })) ?? whyNoneFits(signatures, verifiers));
  }
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw rejected('the signature is right, but the body is not JSON');
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
  const key = await hmacKey(options.secret, 'sign');
  const signature = await crypto.subtle.sign('HMAC', key, bytesToSign({ id, timestamp, body: utf8.encode(body) }));
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

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** Frameworks bring their own classes, so the type is recognised by its methods. */
const hasGet = (headers: HeadersLike): headers is Headers => typeof headers.get === 'function';

const headerOf = (headers: HeadersLike, name: string): string => {
  const value = hasGet(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value[0] : value;
  if (!text) {
    throw rejected(
      `the header ${name} is missing: pass all headers of the request, and check that no proxy removes them`,
    );
  }
  return String(text);
};

const checkTime = (timestamp: string, { now, toleranceSeconds = TOLERANCE_S }: WebhookMessage): void => {
  if (!/^\d{1,12}$/.test(timestamp)) throw rejected('webhook-timestamp is not a time in seconds');
  const ageS = (now ?? Date.now()) / 1_000 - Number(timestamp);
  if (Math.abs(ageS) <= toleranceSeconds) return;
  const distance = `${Math.round(Math.abs(ageS))} seconds ${ageS > 0 ? 'ago' : 'in the future'}`;
  throw rejected(
    `webhook-timestamp is too far from now, ${distance}, and at most ${toleranceSeconds} are accepted: the message is old, it was sent again by another party, or a clock is wrong`,
  );
};

const bytesToSign = ({ id, timestamp, body }: { id: string; timestamp: string; body: Uint8Array }) => {
  const head = utf8.encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
};

type Signature = { readonly version: SignatureVersion; readonly bytes: Uint8Array<ArrayBuffer> };

/** The header may contain several signatures, separated by spaces. Other versions and what is no base64 are ignored. */
const signaturesIn = (header: string): Signature[] =>
  header
    .split(' ')
    .slice(0, SIGNATURES_MAX)
    .flatMap((each) => {
      const [version, text] = each.split(',', 2);
      const bytes = text ? fromBase64(text) : null;
      return (version === 'v1' || version === 'v1a') && bytes ? [{ version, bytes }] : [];
    });

const fitsAny = async (
  signatures: readonly Signature[],
  { verifiers, signed }: { verifiers: readonly WebhookVerifier[]; signed: Uint8Array<ArrayBuffer> },
): Promise<boolean> => {
  for (const { version, bytes } of signatures) {
    for (const verifier of verifiers) {
      if (verifier.version === version && (await verifier.fits(bytes, signed))) return true;
    }
  }
  return false;
};

const whyNoneFits = (signatures: readonly Signature[], verifiers: readonly WebhookVerifier[]): string => {
  if (signatures.length === 0) return 'webhook-signature has no signature of the form v1,<base64> or v1a,<base64>';
  if (!signatures.some(({ version }) => verifiers.some((each) => each.version === version))) {
    return signatures.some(({ version }) => version === 'v1a')
      ? 'the message is signed with v1a (ed25519), and a shared secret was given: pass the public key of the endpoint, whpk_…'
      : 'the message is signed with v1 (a shared secret), and a public key was given: pass the secret of the endpoint, whsec_…';
  }
  const which = verifiers.length === 1 ? 'the secret' : `any of the ${verifiers.length} secrets`;
  return `the signature does not match ${which}: check that it is the secret of this endpoint, and pass the raw body exactly as it arrived`;
};
