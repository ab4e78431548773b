// Gives an endpoint a new secret. Deliveries are signed with both until the overlap ends, so that no receiver fails.

import type { WebhookEndpointRecord } from '@holdfast/sdk';
import { useAction } from '../../parts/action.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { notPreviewed } from '../../parts/money/not-previewed.ts';
import type { Secret } from '../../parts/secret/secret-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { endpointName } from './endpoint-names.tsx';
import { SecretText } from './secret-text.tsx';

type Props = {
  readonly endpoint: WebhookEndpointRecord;
  readonly onClose: () => void;
  readonly onSecret: (secret: Secret) => void;
};

export const RotateSecret = ({ endpoint, onClose, onSecret }: Props) => {
  const { id, url, signature } = endpoint;
  const client = useClient();
  const act = useAction({
    run: (_, once) => client.webhookEndpoints.rotateSecret(id, once),
    done: () => null,
    failed: 'The secret was not rotated',
    touches: [['webhooks'], ['audit']],
    quiet: true,
    forget: true,
    onDone: ({ secret, previousSecretExpiresAt }) =>
      onSecret({
        title: signature === 'v1' ? 'New secret' : 'New public key',
        secret,
        what: signature === 'v1' ? 'Secret' : 'Public key',
        isPublic: signature === 'v1a',
        text: (
          <>
            <SecretText url={url} signature={signature} />
            <p>
              Deliveries are signed with the previous one too until <Time value={previousSecretExpiresAt} exact /> (
              <Time value={previousSecretExpiresAt} />
              ). Update the receiver before then.
            </p>
          </>
        ),
      }),
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Rotate the secret of ${endpointName(endpoint)}?`}
      confirm="Create new secret"
      preview={notPreviewed('POST /webhook-endpoints/:id/rotate-secret')}
      onConfirm={() => act.mutate()}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>
        The endpoint gets a new secret{signature === 'v1' ? ', which is shown once' : ''}. Deliveries are signed with
        both secrets until the configured overlap ends, one day by default. A secret that was replaced earlier is no
        longer used.
      </p>
    </Confirm>
  );
};
