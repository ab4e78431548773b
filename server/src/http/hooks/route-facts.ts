// What the hooks have to know about the route of a request: worked out once for each route, and found once for each request, because
// Fastify makes a new object whenever a request is asked for its route.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';

export type RouteFacts = {
  /** The pattern of the path; undefined where no route fits. */
  readonly url: string | undefined;
  /** Absent on pages outside the API. */
  readonly endpoint: Endpoint | undefined;
  /** The route is a webhook receiver. */
  readonly isWebhook: boolean;
  /** The route is the health check of a load balancer. */
  readonly isHealthCheck: boolean;
  /** Its requests count towards the limit of those processed at once. Health checks are answered under any load. */
  readonly isCounted: boolean;
  /** Undefined: the limit of the server. */
  readonly bodyLimitBytes: number | undefined;
};

const RECEIVERS = '/webhooks/';
const HEALTH = '/health';

const known = new WeakMap<FastifyContextConfig, RouteFacts>();

const factsOf = (url: string | undefined, { endpoint, waits, bodyLimitBytes }: FastifyContextConfig): RouteFacts => ({
  url,
  endpoint,
  isWebhook: endpoint?.path.startsWith(RECEIVERS) === true,
  isHealthCheck: endpoint?.path === HEALTH,
  bodyLimitBytes,
  isCounted: endpoint !== undefined && waits !== true && !endpoint.path.startsWith(HEALTH),
});

export const routeFactsOf = (request: FastifyRequest): RouteFacts => {
  const { config, url } = request.routeOptions;
  const facts = known.get(config) ?? factsOf(url, config);
  known.set(config, facts);
  return facts;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook. */
    facts: RouteFacts | null;
    /** The request counts towards the limit of those processed at once, until its response has ended or its client has left. */
    isAdmitted: boolean;
  }
}
