// One attempt to deliver: the text of the event, its signatures, the request, and what its answer means.

import { type Clock, formatInstant } from '../../../base/instant.ts';
import { ulid } from '../../../base/ulid.ts';
import type { Post } from '../../../outgoing/post.ts';
import type { WebhookEndpoint } from '../../webhook-endpoints/endpoint.ts';
import type { AttemptResult } from '../delivery.ts';
import type { Item } from './send-queue.ts';
import { type Signer, signedHeaders } from './sign.ts';

export type AttemptParts = {
  readonly marketplaceId: string;
  readonly endpoint: Pick<WebhookEndpoint, 'url' | 'payload'>;
  readonly post: Post;
  /** The secrets that are valid now. */
  signers(): Promise<readonly Signer[]>;
  /** Of a delivery whose text is not in memory; null when the event is no longer kept. */
  readEnvelope(deliveryId: string): Promise<string | null>;
  readonly clock: Clock;
  readonly watch: { attempted(outcome: 'delivered' | 'failed', durationMs: number): void };
};

const USER_AGENT = 'Holdfast-Webhooks';
const GONE = 410;

const ENDPOINT_GONE = 'The receiver answered 410, which disables the endpoint.';
const EVENT_LOST = 'The event is no longer kept, so it cannot be sent. Read its record with the API instead.';

/** Everything but the payload, so that nothing but ids and times leaves the server. */
const thin = (envelope: string): string => {
  const { payload: _, ...rest } = JSON.parse(envelope) as Record<string, unknown>;
  return JSON.stringify(rest);
};

/** Rejects when the request could not be made because of this server: then nothing was sent, and nothing is said about the receiver. */
export const createAttempt =
  ({ marketplaceId, endpoint, post, signers, readEnvelope, clock, watch }: AttemptParts) =>
  async ({ deliveryId, event, envelope: kept }: Item, signal: AbortSignal): Promise<AttemptResult> => {
    const micros = clock();
    const base = { at: formatInstant(micros), requestId: `req_${ulid(Math.floor(micros / 1_000))}` };
    const envelope = kept ?? (await readEnvelope(deliveryId));
    if (envelope === null) {
      const attempt = { ...base, status: null, durationMs: 0, error: EVENT_LOST, responseHead: null };
      return { attempt, retryAfterMs: null, ends: 'event' };
    }
    const body = endpoint.payload === 'thin' ? thin(envelope) : envelope;
    const message = { id: event.eventId, timestampS: Math.floor(micros / 1_000_000), body };
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'x-request-id': base.requestId,
      ...signedHeaders(message, await signers()),
    };
    const { retryAfterMs, ...answer } = await post({ owner: marketplaceId, url: endpoint.url, headers, body, signal });
    watch.attempted(answer.error === null ? 'delivered' : 'failed', answer.durationMs);
    if (answer.status !== GONE) return { attempt: { ...base, ...answer }, retryAfterMs, ends: null };
    return { attempt: { ...base, ...answer, error: ENDPOINT_GONE }, retryAfterMs, ends: 'endpoint' };
  };
