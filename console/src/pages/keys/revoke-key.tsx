// Revokes a key. This is final.

import type { ListedApiKey } from '@holdfast/sdk';
import { useAction } from '../../parts/action.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useSession } from '../../session.tsx';
import { scopeName } from './scopes.tsx';

type Props = { readonly apiKey: ListedApiKey; readonly onClose: () => void };

export const RevokeKey = ({ apiKey, onClose }: Props) => {
  const client = useClient();
  const isOwn = useSession().me.apiKeyId === apiKey.id;
  const act = useAction({
    run: () => client.keys.revoke(apiKey.id),
    done: (revoked) => ({
      title: `${revoked.name} revoked`,
      text: 'Requests with this key now get 401. The audit trail records the change.',
    }),
    failed: 'The key was not revoked',
    touches: [['keys'], ['marketplaces'], ['audit']],
    quiet: true,
    onDone: onClose,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Revoke ${apiKey.name}?`}
      confirm="Revoke key"
      tone="bad"
      preview={{ key: ['keys', apiKey.id], ask: () => client.keys.revoke(apiKey.id, { dryRun: true }) }}
      onConfirm={() => act.mutate()}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>
        The key and its tokens stop working at once, and their event streams are closed. Permissions:{' '}
        {apiKey.scopes.map(scopeName).join(', ')}. Marketplace: {apiKey.marketplaceId}. Last used:{' '}
        {apiKey.lastUsedAt ? <Time value={apiKey.lastUsedAt} /> : 'never'}. This cannot be undone.
      </p>
      {isOwn ? (
        <p>
          <strong>You are signed in with this key. You will be signed out.</strong>
        </p>
      ) : null}
    </Confirm>
  );
};
