// The adapter for web requests: route handlers of Next.js, and every other server with `Request` and `Response`, such as Bun, Deno and
// edge functions.

import { readBody, receive, TOO_LARGE, type WebhookOptions } from './receive.ts';

export type { WebhookOptions } from './receive.ts';

/** With a reader, because not every platform can iterate over the body. */
async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    // A sender of a body that is too large is not read to its end.
    await reader.cancel().catch(() => {});
  }
}

/**
 * A handler that verifies a delivery and calls `onEvent`.
 *
 * @example
 * // app/api/holdfast/route.ts
 * export const POST = webhookRoute({ secret: process.env.WEBHOOK_SECRET!, onEvent: (event) => store(event) });
 */
export const webhookRoute =
  (options: WebhookOptions): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const body = await readBody(piecesOf(request.body));
    const { status, text } = body ? await receive({ body, headers: request.headers }, options) : TOO_LARGE;
    return new Response(status === 204 ? null : text, { status });
  };
