// What the door adds to Fastify's own request and route types. Declarations only.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import type { Caller } from './caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the admission; `anonymous` without a valid key. */
    caller: Caller | null;
    /** The body as it came; null where nobody needs it, and where there was none. */
    rawBody: Buffer | null;
  }

  interface FastifyContextConfig {
    /** Absent on pages beside the API, such as the reference. */
    endpoint?: Endpoint;
    /** It waits for outside systems, or goes on for ever: many of them are no work, and must not lock others out. */
    waits?: boolean;
  }
}
