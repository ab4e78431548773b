// What a receiver does with the secret of its endpoint.

import type { WebhookEndpointRecord } from '@holdfast/sdk';

type Props = Pick<WebhookEndpointRecord, 'url' | 'signature'>;

export const SecretText = ({ url, signature }: Props) =>
  signature === 'v1' ? (
    <p>
      The receiver at {url} verifies each request with this secret, as Standard Webhooks says:{' '}
      <code>verifyWebhook</code> of the SDK does it.
    </p>
  ) : (
    <p>
      The receiver at {url} verifies each request with this public key, as Standard Webhooks says. The server keeps the
      private key. The page of the endpoint shows the public key too.
    </p>
  );
