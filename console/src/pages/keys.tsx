// The API keys of this marketplace and their permissions. A secret is shown once, when it is created, and leaves the
// page when its dialog is closed.

import '../styles/keys.css';
import type { ListedApiKey } from '@holdfast/sdk';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { type Secret, SecretDialog } from '../parts/secret/secret-dialog.tsx';
import { useDenial, useSession } from '../session.tsx';
import { CreateKey } from './keys/create-key.tsx';
import { KeyPanel } from './keys/key-panel.tsx';
import { RevokeKey } from './keys/revoke-key.tsx';
import { RotateKey } from './keys/rotate-key.tsx';
import { TokenDialog } from './keys/token-dialog.tsx';

export type KeyVerb = 'rotate' | 'token' | 'revoke';

type Doing = { readonly verb: 'create' } | { readonly verb: KeyVerb; readonly key: ListedApiKey };

export const Component = () => {
  const { me } = useSession();
  const masterReason = useDenial('master');
  const [doing, setDoing] = useState<Doing | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const onClose = (): void => setDoing(null);
  const onSecret = (made: Secret): void => {
    setDoing(null);
    setSecret(made);
  };
  const key = doing && doing.verb !== 'create' ? doing.key : null;

  return (
    <>
      <PageHeader
        title="Keys"
        text={`API keys of ${me.marketplaceId} and their permissions.`}
        actions={
          <Button tone="accent" icon="keys" reason={masterReason} onClick={() => setDoing({ verb: 'create' })}>
            Create key
          </Button>
        }
      />
      <KeyPanel onDo={(verb, chosen) => setDoing({ verb, key: chosen })} />
      {doing?.verb === 'create' ? <CreateKey onClose={onClose} onSecret={onSecret} /> : null}
      {key && doing?.verb === 'rotate' ? <RotateKey apiKey={key} onClose={onClose} onSecret={onSecret} /> : null}
      {key && doing?.verb === 'token' ? <TokenDialog apiKey={key} onClose={onClose} onSecret={onSecret} /> : null}
      {key && doing?.verb === 'revoke' ? <RevokeKey apiKey={key} onClose={onClose} /> : null}
      {secret ? <SecretDialog secret={secret} onClose={() => setSecret(null)} /> : null}
    </>
  );
};
