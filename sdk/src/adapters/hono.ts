// The adapter for Hono.

import { webhookRoute } from './next.ts';
import type { WebhookOptions } from './receive.ts';

export type { WebhookOptions } from './receive.ts';

/** What the handler uses of Hono's context. */
type Context = { readonly req: { readonly raw: Request } };

/**
 * A handler that verifies a delivery and calls `onEvent`.
 *
 * @example
 * app.post('/holdfast', webhookHandler({ secret, onEvent: (event) => store(event) }));
 */
export const webhookHandler = (options: WebhookOptions): ((context: Context) => Promise<Response>) => {
  const handle = webhookRoute(options);
  return (context) => handle(context.req.raw);
};
