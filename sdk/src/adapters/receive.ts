// What every adapter does with a delivery: verifies it, gives the event to your function, and chooses the answer. A delivery that is not
// valid gets 400 with the reason, so that the log of deliveries shows it.

import type { HoldfastEvent } from '../events.ts';
import { isOurs } from '../failures.ts';
import { isTestEvent, verifyWebhook, type WebhookMessage } from '../webhooks.ts';

export type WebhookOptions = Pick<WebhookMessage, 'secret' | 'toleranceSeconds'> & {
  /**
   * Does the work of one event. Store `event.eventId` with the work, because an event can arrive twice. When the function throws, the
   * delivery is answered with an error and sent again later.
   */
  onEvent(event: HoldfastEvent): unknown;
};

export type Answer = { readonly status: 204 | 400 | 413; readonly text: string };

/** The server's own limit for an event is far below. */
const BODY_MAX_BYTES = 1024 * 1024;

export const TOO_LARGE: Answer = {
  status: 413,
  text: `The body of the webhook has more than ${BODY_MAX_BYTES} bytes.`,
};

/** The whole body, or null when it is too large: its signature is not checked yet, so any sender can be the author. */
export const readBody = async (pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> => {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > BODY_MAX_BYTES) return null;
    read.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of read) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
};

/** The event of `webhookEndpoints.test` is answered, and not given to your function: nothing has happened. */
export const receive = async (
  message: Pick<WebhookMessage, 'body' | 'headers'>,
  { onEvent, ...options }: WebhookOptions,
): Promise<Answer> => {
  let event: HoldfastEvent;
  try {
    event = await verifyWebhook({ ...message, ...options });
  } catch (error) {
    if (!isOurs(error)) throw error;
    return { status: 400, text: error.message };
  }
  if (!isTestEvent(event)) await onEvent(event);
  return { status: 204, text: '' };
};
