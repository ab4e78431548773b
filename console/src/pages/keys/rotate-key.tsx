// Gives a key a new secret. The one before goes on working for a while, so that nothing stands still.

import type { ListedApiKey } from '@holdfast/sdk';
import { useAction } from '../../parts/action.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useSession } from '../../session.tsx';
import type { Secret } from './secret-dialog.tsx';

type Props = {
  readonly apiKey: ListedApiKey;
  readonly onClose: () => void;
  readonly onSecret: (secret: Secret) => void;
};

export const RotateKey = ({ apiKey, onClose, onSecret }: Props) => {
  const client = useClient();
  const isOwn = useSession().me.apiKeyId === apiKey.id;
  const act = useAction({
    run: (_, once) => client.keys.rotate(apiKey.id, once),
    done: () => null,
    failed: 'The key was not rotated',
    touches: [['keys'], ['audit']],
    quiet: true,
    forget: true,
    onDone: (made) =>
      onSecret({
        title: `${made.name} has a new secret`,
        secret: made.key,
        what: 'The key',
        text: (
          <>
            <p>
              The one before works until <Time value={made.previousKeyExpiresAt} exact /> (
              <Time value={made.previousKeyExpiresAt} />
              ). Give the new one to everybody who uses this key before then.
            </p>
            {isOwn ? (
              <p>You are signed in with the one before: sign in with the new one to change this key again.</p>
            ) : null}
          </>
        ),
      }),
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Rotate ${apiKey.name}?`}
      confirm="Make a new secret"
      onConfirm={() => act.mutate()}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>
        It gets a new secret, which is shown once. Its id, its scopes and its marketplace stay. The present secret goes
        on working for the overlap that the server is set to, a day unless it says otherwise; the exact end is told with
        the new secret. A secret that was replaced earlier ends at once.
      </p>
      <p>
        Last used: {apiKey.lastUsedAt ? <Time value={apiKey.lastUsedAt} /> : 'never'}. Tokens made with the present
        secret end with it at the latest.
      </p>
    </Confirm>
  );
};
