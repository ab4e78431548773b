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

export type Answer = { readonly status: 204 | 400; readonly text: string };

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
