// Ends the server politely: a load balancer is told first, while everybody is still answered; then what is under way is
// finished, connections are closed as they fall idle, and after the grace period whatever is left is cut. `app.close()`
// therefore always returns.

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export type Departure = {
  /** Whoever asks for its health is told that it goes; everybody else is still answered. */
  leaving(): boolean;
  /** Nothing new is taken any more. */
  closing(): boolean;
};

/** `noticeMs`: how long a balancer has to see that this server goes; nothing when there is none. */
export const closeWithin = (app: FastifyInstance, of: { graceMs: number; noticeMs: number }): Departure => {
  let leaving = false;
  let closing = false;
  let cut: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    leaving = true;
    if (of.noticeMs > 0) await pause(of.noticeMs);
    closing = true;
    cut = setTimeout(() => app.server.closeAllConnections(), of.graceMs);
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A connection kept open for a next request would hold the close up until it times out, or be cut under that request.
    if (leaving) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onClose', async () => clearTimeout(cut));
  return { leaving: () => leaving, closing: () => closing };
};
