// Finds out why a webhook does not verify: the usual mistakes of receivers, each with what to do. A guess is named only when the signature
// proves it.

import { verifiersOf, type WebhookVerifier } from './webhook-keys.ts';

const utf8 = new TextEncoder();

/** The bytes that were signed. A body that was parsed has lost them. */
export const rawBodyOf = (body: unknown): Uint8Array => {
  if (typeof body === 'string') {
    if (body !== '[object Object]') return utf8.encode(body);
    throw new TypeError(`The body of the webhook is the text "[object Object]". ${PARSED}`);
  }
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body === undefined || body === null) {
    throw new TypeError(`The body of the webhook is ${body}: read it first. ${RAW}`);
  }
  const { getReader, arrayBuffer, pipe } = body as Record<string, unknown>;
  if ([getReader, arrayBuffer, pipe].some((each) => typeof each === 'function')) {
    throw new TypeError(`The body of the webhook is a stream or a request: read it first. ${RAW}`);
  }
  throw new TypeError(`The body of the webhook is a parsed ${typeof body}, not the raw text. ${PARSED}`);
};

const RAW = 'Pass the raw body, as text or bytes: await request.text() of a web request, or express.raw() of Express.';
const PARSED = `A parser ran before: only the raw body has the bytes that were signed. ${RAW}`;

/** Larger bodies are not examined: each guess signs the body again, and a sender who knows no secret must not cost much. */
const EXAMINED_MAX_BYTES = 128 * 1024;

type Attempt = {
  readonly body: Uint8Array;
  fits(body: Uint8Array, verifiers?: WebhookVerifier[]): Promise<boolean>;
};

/** The mistake that explains the signature; null when none does. */
export const mistakeIn = async (
  { secret }: { secret: string | readonly string[] },
  { body, fits }: Attempt,
): Promise<string | null> => {
  if (body.length > EXAMINED_MAX_BYTES) return null;
  const text = new TextDecoder().decode(body);
  for (const sent of sentBodies(text)) {
    if (await fits(utf8.encode(sent))) {
      return 'the body was changed on its way: a parser, a logger or a proxy has read it and written it again. Pass the raw body exactly as it arrived';
    }
  }
  for (const given of [secret].flat()) {
    if (await fits(body, await verifiersOf(given.trim()))) {
      return 'the secret has a space or a line break around it: remove it from the setting';
    }
    if (!given.startsWith('whsec_') && (await fits(body, await verifiersOf(`whsec_${given.trim()}`)))) {
      return 'the secret has no prefix: pass it as it was shown, with whsec_ in front';
    }
  }
  return null;
};

/** What may have been sent instead of this text. */
const sentBodies = (text: string): string[] => {
  const bodies = [text.trim()];
  try {
    bodies.push(JSON.stringify(JSON.parse(text)));
  } catch {
    // Not JSON: then it was not printed again either.
  }
  return bodies.filter((each) => each !== text);
};
