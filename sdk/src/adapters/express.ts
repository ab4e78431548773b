// The adapter for Express, and for Connect and Polka, which call handlers in the same way. It reads the raw body itself.

import { readBody, receive, TOO_LARGE, type WebhookOptions } from './receive.ts';

export type { WebhookOptions } from './receive.ts';

/** What the handler uses of the request and of the response. */
type ExpressRequest = AsyncIterable<Uint8Array> & {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
  readonly rawBody?: unknown;
};
type ExpressResponse = { statusCode: number; end(text: string): unknown };
type Next = (error?: unknown) => void;

/** The bytes of `express.raw()`, of a parser that kept them, or of the request itself. */
const bodyOf = (request: ExpressRequest): string | Uint8Array | Promise<Uint8Array | null> => {
  for (const body of [request.rawBody, request.body]) {
    if (typeof body === 'string' || body instanceof Uint8Array) return body;
  }
  if (request.body === undefined) return readBody(request);
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
      const { status, text } = body === null ? TOO_LARGE : await receive({ body, headers: request.headers }, options);
      response.statusCode = status;
      response.end(text);
    } catch (error) {
      next(error);
    }
  };
