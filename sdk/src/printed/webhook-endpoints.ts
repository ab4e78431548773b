// What these routes take and give.
// Printed from contract/src/api/webhook-endpoints.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type CreatedWebhookEndpoint = {
  /** Id of the endpoint. */
  id: string;
  /** The address that gets the events. */
  url: string;
  /** Event types, prefixes such as `order.*`, or `*`. */
  events: string[];
  /** The text that was given. */
  description: string | null;
  /** Whether events are sent. */
  enabled: boolean;
  /**
   * `FAILING`: the last deliveries failed, and only a few are tried until one succeeds. `DISABLED`: nothing is sent.
   */
  status: 'ACTIVE' | 'FAILING' | 'DISABLED';
  /** Why nothing is sent: it was requested, the receiver answered 410, or deliveries failed for days. */
  disabledReason: 'REQUESTED' | 'GONE' | 'FAILED_FOR_DAYS' | null;
  /**
   * `full`: the event as on the stream. `thin`: the same without `payload`, so that nothing but ids leaves the server.
   */
  payload: 'full' | 'thin';
  /**
   * `v1`: HMAC-SHA256 with a shared secret. `v1a`: ed25519; the server keeps the private key, and you verify with the
   * public key.
   */
  signature: 'v1' | 'v1a';
  /** For `v1a`: the key that verifies, `whpk_` and base64. */
  publicKey: string | null;
  /** Until then deliveries are also signed with the secret before the last rotation. */
  previousSecretExpiresAt: string | null;
  /** When the endpoint was created. It gets the events after this time. */
  createdAt: string;
  /** When the endpoint was last changed. */
  updatedAt: string;
  /**
   * Verifies deliveries: `whsec_` and base64, or for `v1a` the public key. A shared secret is shown only once: save it
   * now.
   */
  secret: string;
};

export type RotatedWebhookSecret = {
  /**
   * Verifies deliveries: `whsec_` and base64, or for `v1a` the public key. A shared secret is shown only once: save it
   * now.
   */
  secret: string;
  /** Until then deliveries are signed with both secrets. */
  previousSecretExpiresAt: string;
};

export type WebhookEndpointRecord = {
  /** Id of the endpoint. */
  id: string;
  /** The address that gets the events. */
  url: string;
  /** Event types, prefixes such as `order.*`, or `*`. */
  events: string[];
  /** The text that was given. */
  description: string | null;
  /** Whether events are sent. */
  enabled: boolean;
  /**
   * `FAILING`: the last deliveries failed, and only a few are tried until one succeeds. `DISABLED`: nothing is sent.
   */
  status: 'ACTIVE' | 'FAILING' | 'DISABLED';
  /** Why nothing is sent: it was requested, the receiver answered 410, or deliveries failed for days. */
  disabledReason: 'REQUESTED' | 'GONE' | 'FAILED_FOR_DAYS' | null;
  /**
   * `full`: the event as on the stream. `thin`: the same without `payload`, so that nothing but ids leaves the server.
   */
  payload: 'full' | 'thin';
  /**
   * `v1`: HMAC-SHA256 with a shared secret. `v1a`: ed25519; the server keeps the private key, and you verify with the
   * public key.
   */
  signature: 'v1' | 'v1a';
  /** For `v1a`: the key that verifies, `whpk_` and base64. */
  publicKey: string | null;
  /** Until then deliveries are also signed with the secret before the last rotation. */
  previousSecretExpiresAt: string | null;
  /** When the endpoint was created. It gets the events after this time. */
  createdAt: string;
  /** When the endpoint was last changed. */
  updatedAt: string;
};

export type WebhookEndpointWithHealth = {
  /** Id of the endpoint. */
  id: string;
  /** The address that gets the events. */
  url: string;
  /** Event types, prefixes such as `order.*`, or `*`. */
  events: string[];
  /** The text that was given. */
  description: string | null;
  /** Whether events are sent. */
  enabled: boolean;
  /**
   * `FAILING`: the last deliveries failed, and only a few are tried until one succeeds. `DISABLED`: nothing is sent.
   */
  status: 'ACTIVE' | 'FAILING' | 'DISABLED';
  /** Why nothing is sent: it was requested, the receiver answered 410, or deliveries failed for days. */
  disabledReason: 'REQUESTED' | 'GONE' | 'FAILED_FOR_DAYS' | null;
  /**
   * `full`: the event as on the stream. `thin`: the same without `payload`, so that nothing but ids leaves the server.
   */
  payload: 'full' | 'thin';
  /**
   * `v1`: HMAC-SHA256 with a shared secret. `v1a`: ed25519; the server keeps the private key, and you verify with the
   * public key.
   */
  signature: 'v1' | 'v1a';
  /** For `v1a`: the key that verifies, `whpk_` and base64. */
  publicKey: string | null;
  /** Until then deliveries are also signed with the secret before the last rotation. */
  previousSecretExpiresAt: string | null;
  /** When the endpoint was created. It gets the events after this time. */
  createdAt: string;
  /** When the endpoint was last changed. */
  updatedAt: string;
  health: WebhookHealth;
};

export type WebhookHealth = {
  /** Deliveries of the last 24 hours that were attempted; at most the newest 1,000 are counted. */
  deliveries: number;
  /** The part of them that was delivered, from 0 to 1; null when there was none. */
  successRate: number | null;
  /** How long the receiver took to answer. */
  durationMs: {
    /** Milliseconds; null when there was none. */
    p50: number | null;
    /** Milliseconds; null when there was none. */
    p99: number | null;
  };
  /** From the event to its delivery, retries included. */
  delayMs: {
    /** Milliseconds; null when there was none. */
    p50: number | null;
    /** Milliseconds; null when there was none. */
    p99: number | null;
  };
  /**
   * Events that were not attempted yet. Those outside the filter count too, until the endpoint passes them: for a few
   * seconds, or while it fails or is disabled.
   */
  backlog: number;
  /** Deliveries that failed and will be tried again; counted up to 10,000. */
  pending: number;
  /** Deliveries that were given up; counted up to 10,000. */
  failed: number;
  /** Events that left the event stream before they could be sent. */
  missed: number;
  /** When the first of the present failures was; null while deliveries succeed. */
  failingSince: string | null;
  /** When a delivery last succeeded. */
  lastSuccessAt: string | null;
  /** When a delivery last failed. */
  lastFailureAt: string | null;
};

export type CreateWebhookEndpointInput = {
  /**
   * The address that gets the events. `https` is needed, unless the server allows private addresses. It has no user
   * name and no fragment.
   */
  url: string;
  /** Event types, prefixes such as `order.*`, or `*` for all events. An unknown type is refused. */
  events: string[];
  /** A text for people: which system listens there. */
  description?: string;
  /** Whether events are sent. Events of the time while it is off are sent when it is on again. */
  enabled?: boolean;
  /**
   * `full`: the event as on the stream. `thin`: the same without `payload`, so that nothing but ids leaves the server.
   */
  payload?: 'full' | 'thin';
  /**
   * `v1`: HMAC-SHA256 with a shared secret. `v1a`: ed25519; the server keeps the private key, and you verify with the
   * public key.
   */
  signature?: 'v1' | 'v1a';
};

export type ListWebhookEndpointsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
};

export type ReplayWebhookEventsInput = {
  /** A time (ISO 8601), or the id of an event: everything after that event. */
  since: string;
};

export type ReplayWebhookEventsResult = {
  /** How many events will be sent again; counted up to 10,000. */
  events: number;
};

export type RetryFailedDeliveriesInput = {
  /** A time (ISO 8601), or the id of an event: everything after that event. */
  since: string;
};

export type RetryFailedDeliveriesResult = {
  /** How many deliveries are tried again. */
  deliveries: number;
  /** Whether there are more: send the request again. */
  hasMore: boolean;
};

export type TestWebhookEndpointResult = {
  /** Id of the delivery. */
  deliveryId: string;
};

export type UpdateWebhookEndpointInput = {
  /**
   * The address that gets the events. `https` is needed, unless the server allows private addresses. It has no user
   * name and no fragment.
   */
  url?: string;
  /** Event types, prefixes such as `order.*`, or `*` for all events. An unknown type is refused. */
  events?: string[];
  /** A text for people: which system listens there. */
  description?: string | null;
  /** Whether events are sent. Events of the time while it is off are sent when it is on again. */
  enabled?: boolean;
  /**
   * `full`: the event as on the stream. `thin`: the same without `payload`, so that nothing but ids leaves the server.
   */
  payload?: 'full' | 'thin';
};
