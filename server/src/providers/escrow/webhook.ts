// Whether a webhook in the escrow provider's name is genuine: a hex HMAC-SHA256 of the bytes as they came, keyed with the
// whole secret text. One without a signature is not judged here: it is a hint and proves nothing.

import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuineEscrowWebhook(delivery: {
  signature: string;
  rawBody: Uint8Array | string;
  secret: string;
}): boolean {
  const wanted = createHmac('sha256', delivery.secret).update(delivery.rawBody).digest();
  const given = /^[0-9a-f]{64}$/i.test(delivery.signature) ? Buffer.from(delivery.signature, 'hex') : Buffer.alloc(32);
  return timingSafeEqual(given, wanted);
}
