// A new key: for whom, what it may do, where, and until when. Needs the master key.

import type { CreateApiKeyInput } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { useClient, useSession } from '../../session.tsx';
import { useConfig } from '../../shell/config.ts';
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
    failed: 'The key was not made',
    touches: [['keys'], ['marketplaces'], ['audit']],
    quiet: true,
    forget: true,
    onDone: (made) =>
      onSecret({
        title: `${made.name} is made`,
        secret: made.key,
        what: 'The key',
        text: (
          <p>
            Its scopes: {made.scopes.map(scopeName).join(', ')}. Its marketplace: {made.marketplaceId}. It works at once
            and is sent as <code>Authorization: Bearer …</code>
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
    <Dialog isOpen onClose={() => act.isPending || onClose()} title="Create a key">
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          autoFocus
          value={name}
          placeholder="Checkout server"
          hint="For people: who uses it, and for what."
          error={errors.name}
          onChange={(event) => setName(event.target.value)}
        />
        <ScopeField
          legend="It may"
          offered={OFFERED}
          chosen={scopes}
          onChange={setScopes}
          error={errors.scopes ?? (scopes.length === 0 ? 'Choose at least one.' : undefined)}
        />
        <TextField
          label="Marketplace"
          value={marketplaceId}
          hint="The only one it can see or change. One that does not exist yet begins with it."
          error={errors.marketplaceId}
          onChange={(event) => setMarketplaceId(event.target.value)}
        />
        <div className="keys-two">
          <SelectField
            label="Ends"
            value={endsIn}
            options={ENDS}
            error={errors.expiresAt}
            onChange={(event) => setEndsIn(event.target.value)}
          />
          <TextField
            label="Requests per window"
            inputMode="numeric"
            value={rate}
            placeholder={window ? `${window.max} in ${window.windowSeconds} s` : ''}
            error={isWhole ? errors.rateLimit : 'A whole number, or nothing for the usual limit.'}
            onChange={(event) => setRate(event.target.value)}
          />
        </div>
        {act.error && errors[''] ? <Trouble title="The key was not made" error={act.error} /> : null}
        {act.error && !errors[''] ? <p className="field-error">The key was not made: see the fields above.</p> : null}
        <div className="dialog-actions">
          <Button onClick={onClose} reason={act.isPending ? 'It is being made.' : null}>
            Leave it
          </Button>
          <Button
            type="submit"
            tone="accent"
            isBusy={act.isPending}
            reason={
              name.trim() === '' ? 'Give it a name first.' : scopes.length === 0 ? 'Choose what it may do.' : null
            }
          >
            Create the key
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
