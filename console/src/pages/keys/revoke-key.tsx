// Ends a key for good.

import type { ListedApiKey } from '@holdfast/sdk';
import { useAction } from '../../parts/action.ts';
import { Confirm } from '../../parts/confirm.tsx';
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
      title: `${revoked.name} is revoked`,
      text: 'Whoever still uses it is refused with 401. The audit trail keeps who did this.',
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
      confirm="Revoke it for good"
      tone="bad"
      onConfirm={() => act.mutate()}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>
        It and every token made from it are refused from then on, and the event streams it holds open end. Its scopes:{' '}
        {apiKey.scopes.map(scopeName).join(', ')}. Its marketplace: {apiKey.marketplaceId}. Last used:{' '}
        {apiKey.lastUsedAt ? <Time value={apiKey.lastUsedAt} /> : 'never'}. This cannot be taken back.
      </p>
      {isOwn ? (
        <p>
          <strong>You are signed in with this key: you will be signed out.</strong>
        </p>
      ) : null}
    </Confirm>
  );
};
