// A webhook endpoint in replies: field by field, so that no sealed secret is ever shown.

import type { WebhookCursor, WebhookEndpoint } from './endpoint.ts';

/** So many failures in a row mean that the endpoint fails, and not single events. */
export const FAILURES_MAX = 5;

const statusOf = ({ isEnabled }: WebhookEndpoint, cursor: WebhookCursor | null) => {
  if (!isEnabled) return 'DISABLED' as const;
  return cursor !== null && cursor.failures >= FAILURES_MAX ? ('FAILING' as const) : ('ACTIVE' as const);
};

type At = { readonly cursor: WebhookCursor | null; readonly now: string };

export const presentEndpoint = (endpoint: WebhookEndpoint, { cursor, now }: At) => ({
  id: endpoint.id,
  url: endpoint.url,
  events: [...endpoint.events],
  description: endpoint.description,
  enabled: endpoint.isEnabled,
  status: statusOf(endpoint, cursor),
  disabledReason: endpoint.disabledReason,
  payload: endpoint.payload,
  signature: endpoint.signature,
  publicKey: endpoint.publicKey,
  previousSecretExpiresAt:
    endpoint.previousExpiresAt !== null && endpoint.previousExpiresAt > now ? endpoint.previousExpiresAt : null,
  createdAt: endpoint.createdAt,
  updatedAt: endpoint.updatedAt,
});
