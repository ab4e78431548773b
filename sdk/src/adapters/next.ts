// The adapter for web requests: route handlers of Next.js, and every other server with `Request` and `Response`, such as Bun, Deno and
// edge functions.

import { receive, type WebhookOptions } from './receive.ts';

export type { WebhookOptions } from './receive.ts';

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
    const body = new Uint8Array(await request.arrayBuffer());
    const { status, text } = await receive({ body, headers: request.headers }, options);
    return new Response(status === 204 ? null : text, { status });
  };
