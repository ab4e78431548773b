// The adapter for Express, and for Connect and Polka, which call handlers in the same way. It reads the raw body itself.

import { receive, type WebhookOptions } from './receive.ts';

export type { WebhookOptions } from './receive.ts';

/** What the handler uses of the request and of the response. */
type ExpressRequest = AsyncIterable<Uint8Array> & {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
  readonly rawBody?: unknown;
};
type ExpressResponse = { statusCode: number; end(text: string): unknown };
type Next = (error?: unknown) => void;

/** The server's own limit for an event is far below. */
const BODY_MAX_BYTES = 1024 * 1024;

const read = async (request: ExpressRequest): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > BODY_MAX_BYTES) throw new RangeError(`The body of the webhook has more than ${BODY_MAX_BYTES} bytes`);
    pieces.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
};

/** The bytes of `express.raw()`, of a parser that kept them, or of the request itself. */
const bodyOf = (request: ExpressRequest): string | Uint8Array | Promise<Uint8Array> => {
  for (const body of [request.rawBody, request.body]) {
    if (typeof body === 'string' || body instanceof Uint8Array) return body;
  }
  if (request.body === undefined) return read(request);
  throw new TypeError(
    'express.json() has parsed the body before the webhook handler. Register the route of the webhook before app.use(express.json()).',
  );
};

/**
 * A handler that verifies a delivery and calls `onEvent`. Register its route before `app.use(express.json())`.
 *
 * @example
 * app.post('/holdfast', webhookHandler({ secret, onEvent: (event) => store(event) }));
 */
export const webhookHandler =
  (options: WebhookOptions): ((request: ExpressRequest, response: ExpressResponse, next: Next) => Promise<void>) =>
  async (request, response, next) => {
    try {
      const body = await bodyOf(request);
      const { status, text } = await receive({ body, headers: request.headers }, options);
      response.statusCode = status;
      response.end(text);
    } catch (error) {
      next(error);
    }
  };
