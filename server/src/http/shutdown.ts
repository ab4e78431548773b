// Stops the server in order: first the load balancer is notified while requests are still answered, then running requests are
// finished and idle connections closed, and after the grace period the remaining connections are cut. So `app.close()` always
// returns.

import type { FastifyInstance } from 'fastify';
import { pause } from '../base/wait.ts';

export type Closing = {
  /** True once the server was told to stop: health checks fail, all other requests are still answered. */
  isLeaving(): boolean;
  /** True once new requests are refused. */
  isClosing(): boolean;
};

/** `noticeMs`: how long a load balancer has to notice that this server stops; 0 when there is none. */
export const closeWithin = (app: FastifyInstance, of: { graceMs: number; noticeMs: number }): Closing => {
  let isLeaving = false;
  let isClosing = false;
  let cut: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    isLeaving = true;
    if (of.noticeMs > 0) await pause(of.noticeMs);
    isClosing = true;
    cut = setTimeout(() => app.server.closeAllConnections(), of.graceMs);
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A kept-alive connection would delay the close until it times out, or be cut under its next request.
    if (isLeaving) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onClose', async () => clearTimeout(cut));
  return { isLeaving: () => isLeaving, isClosing: () => isClosing };
};
