// A short-lived token from a key, with its scopes or fewer: for a person at the console, or for a program that should
// not hold the key.

import type { IssueTokenInput, ListedApiKey } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { type Scope, ScopeField, scopeName } from './scopes.tsx';
import type { Secret } from './secret-dialog.tsx';

type Props = {
  readonly apiKey: ListedApiKey;
  readonly onClose: () => void;
  readonly onSecret: (secret: Secret) => void;
};

const EVERY: readonly Scope[] = ['read', 'write', 'support', '*'];

export const TokenDialog = ({ apiKey, onClose, onSecret }: Props) => {
  const client = useClient();
  const [scopes, setScopes] = useState<readonly Scope[]>(apiKey.scopes);
  const act = useAction({
    run: (input: IssueTokenInput, once) => client.keys.token(apiKey.id, input, once),
    done: () => null,
    failed: 'The token was not made',
    touches: [['audit']],
    quiet: true,
    forget: true,
    onDone: (made) =>
      onSecret({
        title: `A token of ${apiKey.name}`,
        secret: made.token,
        what: 'The token',
        text: (
          <p>
            Its scopes: {made.scopes.map(scopeName).join(', ')}. It works until <Time value={made.expiresAt} exact />,
            and ends sooner if the key does. It also opens this console.
          </p>
        ),
      }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!act.isPending && scopes.length > 0) act.mutate({ scopes: [...scopes] });
  };
  return (
    <Dialog isOpen onClose={() => act.isPending || onClose()} title={`A token of ${apiKey.name}`}>
      <form className="stack" onSubmit={submit}>
        <p className="soft">
          It works like the key for as long as the server is set to, an hour unless it says otherwise, and can change no
          key.
        </p>
        <ScopeField
          legend="It may"
          offered={apiKey.scopes.includes('*') ? EVERY : apiKey.scopes}
          chosen={scopes}
          onChange={setScopes}
          error={scopes.length === 0 ? 'Choose at least one.' : undefined}
        />
        {act.error ? <Trouble title="The token was not made" error={act.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose} reason={act.isPending ? 'It is being made.' : null}>
            Leave it
          </Button>
          <Button
            type="submit"
            tone="accent"
            isBusy={act.isPending}
            reason={scopes.length === 0 ? 'Choose what it may do.' : null}
          >
            Make the token
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
