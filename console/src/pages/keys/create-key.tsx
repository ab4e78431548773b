// The form for a new key: name, permissions, marketplace and expiry. Requires the master key.

import type { CreateApiKeyInput } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useClient, useConfig, useSession } from '../../session.tsx';
import { type Scope, ScopeField, scopeName } from './scopes.tsx';
import type { Secret } from './secret-dialog.tsx';

type Props = { readonly onClose: () => void; readonly onSecret: (secret: Secret) => void };

const FIELDS = ['name', 'scopes', 'marketplaceId', 'expiresAt', 'rateLimit'];
const OFFERED: readonly Scope[] = ['read', 'write', 'support', '*'];
const DAY_MS = 24 * 60 * 60_000;
const ENDS = [
  { value: '', name: 'Never' },
  { value: '30', name: 'In 30 days' },
  { value: '90', name: 'In 90 days' },
  { value: '365', name: 'In a year' },
];

export const CreateKey = ({ onClose, onSecret }: Props) => {
  const client = useClient();
  const { me } = useSession();
  const window = useConfig()?.rateLimit;
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  const [marketplaceId, setMarketplaceId] = useState(me.marketplaceId);
  const [endsIn, setEndsIn] = useState('');
  const [rate, setRate] = useState('');
  const act = useAction({
    run: (input: CreateApiKeyInput, once) => client.keys.create(input, once),
    done: () => null,
    failed: 'The key was not created',
    touches: [['keys'], ['marketplaces'], ['audit']],
    quiet: true,
    forget: true,
    onDone: (made) =>
      onSecret({
        title: `Key created: ${made.name}`,
        secret: made.key,
        what: 'Key',
        text: (
          <p>
            Permissions: {made.scopes.map(scopeName).join(', ')}. Marketplace: {made.marketplaceId}. The key works at
            once; send it as <code>Authorization: Bearer …</code>
          </p>
        ),
      }),
  });
  const errors = fieldErrorsOf(act.error, FIELDS);
  const isWhole = /^\d*$/.test(rate.trim());

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (act.isPending || !isWhole) return;
    act.mutate({
      name: name.trim(),
      scopes: [...scopes],
      marketplaceId: marketplaceId.trim(),
      ...(endsIn === '' ? {} : { expiresAt: new Date(Date.now() + Number(endsIn) * DAY_MS).toISOString() }),
      ...(rate.trim() === '' ? {} : { rateLimit: Number(rate) }),
    });
  };

  return (
    <Dialog isOpen onClose={() => act.isPending || onClose()} title="Create key">
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          autoFocus
          value={name}
          placeholder="Checkout server"
          hint="Who uses the key, and for what."
          error={errors.name}
          onChange={(event) => setName(event.target.value)}
        />
        <ScopeField
          legend="Permissions"
          offered={OFFERED}
          chosen={scopes}
          onChange={setScopes}
          error={errors.scopes ?? (scopes.length === 0 ? 'Choose at least one.' : undefined)}
        />
        <TextField
          label="Marketplace"
          value={marketplaceId}
          hint="The key has access to this marketplace only. A new marketplace is created if needed."
          error={errors.marketplaceId}
          onChange={(event) => setMarketplaceId(event.target.value)}
        />
        <div className="keys-two">
          <SelectField
            label="Expires"
            value={endsIn}
            options={ENDS}
            error={errors.expiresAt}
            onChange={(event) => setEndsIn(event.target.value)}
          />
          <TextField
            label="Rate limit (requests)"
            inputMode="numeric"
            value={rate}
            placeholder={window ? `${window.max} per ${window.windowSeconds} s` : ''}
            error={isWhole ? errors.rateLimit : 'Enter a whole number, or leave it empty for the default.'}
            onChange={(event) => setRate(event.target.value)}
          />
        </div>
        {act.error && errors[''] ? <ErrorNotice title="The key was not created" error={act.error} /> : null}
        {act.error && !errors[''] ? (
          <p className="field-error">The key was not created: see the fields above.</p>
        ) : null}
        <div className="dialog-actions">
          <Button onClick={onClose} reason={act.isPending ? 'The key is being created.' : null}>
            Cancel
          </Button>
          <Button
            type="submit"
            tone="accent"
            isBusy={act.isPending}
            reason={
              name.trim() === ''
                ? 'Enter a name first.'
                : scopes.length === 0
                  ? 'Choose at least one permission.'
                  : null
            }
          >
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
