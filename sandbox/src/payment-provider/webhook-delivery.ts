// One attempt to deliver one webhook, signed by the Standard Webhooks scheme under the prefix "svix-".

import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { WebhookTarget } from '../sandbox-config.ts';

export type Delivery = {
  target: WebhookTarget;
  id: string;
  body: string;
  badSignature: boolean;
  signal: AbortSignal;
};

// An HTTP status, or a sentence without an answer.
export type Outcome = { status: number } | { problem: string };

const PATIENCE_MS = 10_000;

export async function deliver({ target, id, body, badSignature, signal }: Delivery): Promise<Outcome> {
  // Receivers compare this with their own clock, so it is real time, regardless of the clock of the simulators.
  const sentAt = new Date();
  const secret = badSignature ? `whsec_${randomBytes(24).toString('base64')}` : target.secret;
  try {
    const answer = await fetch(target.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'svix-id': id,
        'svix-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'svix-signature': new Webhook(secret).sign(id, sentAt, body),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    await answer.body?.cancel();
    return { status: answer.status };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return { problem: cause instanceof Error ? cause.message : String(error) };
  }
}
