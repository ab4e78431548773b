// The adapter for Fastify: a plugin with a route of its own. Its parser keeps the raw body, and applies to this route only.

import { receive, type WebhookOptions } from './receive.ts';

export type { WebhookOptions } from './receive.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;
type FastifyRequest = { readonly body: unknown; readonly headers: Headers };
type FastifyReply = { code(status: number): { send(text: string): unknown } };
type Done = (error: Error | null, body?: unknown) => void;

/** What the plugin uses of an instance of Fastify. */
type FastifyInstance = {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: never, body: Uint8Array, done: Done) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
};

export type FastifyWebhookOptions = WebhookOptions & {
  /** The path of the route, such as `/holdfast`. */
  path: string;
};

/**
 * A plugin that verifies deliveries at `path` and calls `onEvent`.
 *
 * @example
 * await app.register(webhookPlugin, { path: '/holdfast', secret, onEvent: (event) => store(event) });
 */
export const webhookPlugin = async (
  app: FastifyInstance,
  { path, ...options }: FastifyWebhookOptions,
): Promise<void> => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(path, async (request, reply) => {
    const { status, text } = await receive({ body: request.body as Uint8Array, headers: request.headers }, options);
    return reply.code(status).send(text);
  });
};
