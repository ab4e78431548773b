// Gives a key a new secret. The previous secret works until the overlap ends, so that no caller fails.

import type { ListedApiKey, RotatedApiKey, WaitingForApproval } from '@holdfast/sdk';
import { useAction } from '../../parts/action.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { notPreviewed } from '../../parts/money/not-previewed.ts';
import type { Secret } from '../../parts/secret/secret-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useSession } from '../../session.tsx';
import { waitingSecret } from './create-key.tsx';

type Props = {
  readonly apiKey: ListedApiKey;
  readonly onClose: () => void;
  readonly onSecret: (secret: Secret) => void;
};

const rotatedSecret = (made: RotatedApiKey, isOwn: boolean): Secret => ({
  title: `New secret for ${made.name}`,
  secret: made.key,
  what: 'Key',
  text: (
    <>
      <p>
        The previous secret works until <Time value={made.previousKeyExpiresAt} exact /> (
        <Time value={made.previousKeyExpiresAt} />
        ). Update every program that uses this key before then.
      </p>
      {isOwn ? <p>You are signed in with the previous secret. Sign in with the new one to manage this key.</p> : null}
    </>
  ),
});

export const RotateKey = ({ apiKey, onClose, onSecret }: Props) => {
  const client = useClient();
  const isOwn = useSession().me.apiKeyId === apiKey.id;
  const act = useAction({
    run: (_, once): Promise<RotatedApiKey | WaitingForApproval> =>
      client.keys.rotate(apiKey.id, { ...once, approvals: true }),
    done: () => null,
    failed: 'The key was not rotated',
    touches: [['keys'], ['audit'], ['approvals']],
    quiet: true,
    forget: true,
    onDone: (made) => onSecret('approval' in made ? waitingSecret(made) : rotatedSecret(made, isOwn)),
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Rotate ${apiKey.name}?`}
      confirm="Create new secret"
      preview={notPreviewed('POST /auth/api-keys/:id/rotate')}
      onConfirm={() => act.mutate()}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>
        The key gets a new secret, which is shown once. Its ID, permissions and marketplace stay the same. The current
        secret works until the configured overlap ends, one day by default; the exact time is shown with the new secret.
        A secret that was replaced earlier stops working at once.
      </p>
      <p>
        Last used: {apiKey.lastUsedAt ? <Time value={apiKey.lastUsedAt} /> : 'never'}. Tokens of the current secret
        expire with it at the latest.
      </p>
    </Confirm>
  );
};
