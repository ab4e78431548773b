// Creates a short-lived token of a key, with its scopes or fewer: for a user of the console, or for a program that
// should not hold the key.

import type { IssueTokenInput, ListedApiKey } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import type { Secret } from '../../parts/secret/secret-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { type Scope, ScopeField, scopeName } from './scopes.tsx';

type Props = {
  readonly apiKey: ListedApiKey;
  readonly onClose: () => void;
  readonly onSecret: (secret: Secret) => void;
};

const EVERY: readonly Scope[] = ['read', 'write', 'treasury', 'payout', 'support', '*'];

export const TokenDialog = ({ apiKey, onClose, onSecret }: Props) => {
  const client = useClient();
  const [scopes, setScopes] = useState<readonly Scope[]>(apiKey.scopes);
  const act = useAction({
    run: (input: IssueTokenInput, once) => client.keys.token(apiKey.id, input, once),
    done: () => null,
    failed: 'The token was not created',
    touches: [['audit']],
    quiet: true,
    forget: true,
    onDone: (made) =>
      onSecret({
        title: `Token created for ${apiKey.name}`,
        secret: made.token,
        what: 'Token',
        text: (
          <p>
            Permissions: {made.scopes.map(scopeName).join(', ')}. The token expires at{' '}
            <Time value={made.expiresAt} exact />, or with its key. You can also sign in to this console with it.
          </p>
        ),
      }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!act.isPending && scopes.length > 0) act.mutate({ scopes: [...scopes] });
  };
  return (
    <Dialog isOpen onClose={() => act.isPending || onClose()} title={`Create token for ${apiKey.name}`}>
      <form className="stack" onSubmit={submit}>
        <p className="soft">
          A token works like its key for the configured time, one hour by default, but it cannot manage keys.
        </p>
        <ScopeField
          legend="Permissions"
          offered={apiKey.scopes.includes('*') ? EVERY : apiKey.scopes}
          chosen={scopes}
          onChange={setScopes}
          error={scopes.length === 0 ? 'Choose at least one.' : undefined}
        />
        {act.error ? <ErrorNotice title="The token was not created" error={act.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose} reason={act.isPending ? 'The token is being created.' : null}>
            Cancel
          </Button>
          <Button
            type="submit"
            tone="accent"
            isBusy={act.isPending}
            reason={scopes.length === 0 ? 'Choose at least one permission.' : null}
          >
            Create token
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
