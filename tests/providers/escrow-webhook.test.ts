// Webhooks in the escrow provider's name: only the signature over the very bytes counts.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { isGenuineEscrowWebhook } from '../../server/src/providers/webhook-signatures.ts';

const secret = 'tw_whsec_0123456789abcdef';
const rawBody = '{ "type": "escrow.funded",  "event_id": "e1" }';
const sign = (key: string, body: string) => createHmac('sha256', key).update(body).digest('hex');

test('the hex HMAC of the body with the whole secret is genuine, in either case of letters', () => {
  const signature = sign(secret, rawBody);
  assert.equal(isGenuineEscrowWebhook({ signature, rawBody, secret }), true);
  assert.equal(
    isGenuineEscrowWebhook({ signature: signature.toUpperCase(), rawBody: Buffer.from(rawBody), secret }),
    true,
  );
});

test('another body, the same body written again, another key, or no signature at all is not', () => {
  const signature = sign(secret, rawBody);
  const rewritten = JSON.stringify(JSON.parse(rawBody));
  const fakes = [
    { signature, rawBody: rewritten },
    { signature: sign(secret.replace('tw_', ''), rawBody), rawBody },
    { signature: signature.slice(1), rawBody },
    { signature: '', rawBody },
    { signature: 'not hexadecimal', rawBody },
  ];
  for (const fake of fakes) assert.equal(isGenuineEscrowWebhook({ ...fake, secret }), false);
});
