// Ends the server politely: what is under way is finished, connections are closed as they fall idle, and after the grace
// period whatever is left is cut. `app.close()` therefore always returns.

import type { FastifyInstance } from 'fastify';

export const closeWithin = (app: FastifyInstance, graceMs: number): { closing(): boolean } => {
  let closing = false;
  let cut: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    closing = true;
    cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A connection kept open for a next request would hold the close up until it times out.
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onClose', async () => clearTimeout(cut));
  return { closing: () => closing };
};
