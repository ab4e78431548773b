// The form for a new key: name, permissions, marketplace and expiry. Requires the master key.

import type { CreateApiKeyInput, CreatedApiKey, WaitingForApproval } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import type { Secret } from '../../parts/secret/secret-dialog.tsx';
import { useClient, useConfig, useSession } from '../../session.tsx';
import { type Scope, ScopeField, scopeName } from './scopes.tsx';

type Props = { readonly onClose: () => void; readonly onSecret: (secret: Secret) => void };

const FIELDS = ['name', 'scopes', 'marketplaceId', 'expiresAt', 'rateLimit'];
const OFFERED: readonly Scope[] = ['read', 'write', 'treasury', 'payout', 'support', '*'];
const DAY_MS = 24 * 60 * 60_000;
const EXPIRIES = [
  { value: '', name: 'Never' },
  { value: '30', name: 'In 30 days' },
  { value: '90', name: 'In 90 days' },
  { value: '365', name: 'In a year' },
];

type Form = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly marketplaceId: string;
  readonly expiresInDays: string;
  readonly rateLimit: string;
};

const isWholeOrEmpty = (text: string): boolean => /^\d*$/.test(text.trim());

const inputOf = ({ name, scopes, marketplaceId, expiresInDays, rateLimit }: Form): CreateApiKeyInput => ({
  name: name.trim(),
  scopes: [...scopes],
  marketplaceId: marketplaceId.trim(),
  ...(expiresInDays === '' ? {} : { expiresAt: new Date(Date.now() + Number(expiresInDays) * DAY_MS).toISOString() }),
  ...(rateLimit.trim() === '' ? {} : { rateLimit: Number(rateLimit) }),
});

const missingIn = ({ name, scopes }: Form): string | null => {
  if (name.trim() === '') return 'Enter a name first.';
  return scopes.length === 0 ? 'Choose at least one permission.' : null;
};

const madeSecret = ({ name, key, scopes, marketplaceId }: CreatedApiKey): Secret => ({
  title: `Key created: ${name}`,
  secret: key,
  what: 'Key',
  text: (
    <p>
      Permissions: {scopes.map(scopeName).join(', ')}. Marketplace: {marketplaceId}. The key works at once; send it as{' '}
      <code>Authorization: Bearer …</code>
    </p>
  ),
});

export const waitingSecret = ({ approval, key }: WaitingForApproval): Secret => ({
  title: 'The key waits for approval',
  secret: key ?? '',
  what: 'Key',
  text: (
    <p>
      A rule makes new secrets of keys wait for another person. The key works once{' '}
      <Link to={`/approvals/${approval.id}`}>the request</Link> is approved. The approver never sees it.
    </p>
  ),
});

export const CreateKey = ({ onClose, onSecret }: Props) => {
  const client = useClient();
  const { me } = useSession();
  const [form, setForm] = useState<Form>({
    name: '',
    scopes: ['read'],
    marketplaceId: me.marketplaceId,
    expiresInDays: '',
    rateLimit: '',
  });
  const act = useAction({
    // Under a rule the key comes with the approval that it waits for, and its text is shown only now.
    run: (input: CreateApiKeyInput, once): Promise<CreatedApiKey | WaitingForApproval> =>
      client.keys.create(input, { ...once, approvals: true }),
    done: () => null,
    failed: 'The key was not created',
    touches: [['keys'], ['marketplaces'], ['audit'], ['approvals']],
    quiet: true,
    forget: true,
    onDone: (made) => onSecret('approval' in made ? waitingSecret(made) : madeSecret(made)),
  });
  const errors = fieldErrorsOf(act.error, FIELDS);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!act.isPending && isWholeOrEmpty(form.rateLimit)) act.mutate(inputOf(form));
  };

  return (
    <Dialog isOpen onClose={() => act.isPending || onClose()} title="Create key">
      <form className="stack" onSubmit={submit}>
        <KeyFields form={form} errors={errors} onChange={(part) => setForm({ ...form, ...part })} />
        {act.error && errors[''] ? <ErrorNotice title="The key was not created" error={act.error} /> : null}
        {act.error && !errors[''] ? (
          <p className="field-error">The key was not created: see the fields above.</p>
        ) : null}
        <div className="dialog-actions">
          <Button onClick={onClose} reason={act.isPending ? 'The key is being created.' : null}>
            Cancel
          </Button>
          <Button type="submit" tone="accent" isBusy={act.isPending} reason={missingIn(form)}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

type FieldsProps = {
  readonly form: Form;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<Form>) => void;
};

const KeyFields = ({ form, errors, onChange }: FieldsProps) => {
  const rateLimit = useConfig()?.rateLimit;
  const { scopes } = form;
  return (
    <>
      <TextField
        label="Name"
        autoFocus
        value={form.name}
        placeholder="Checkout server"
        hint="Who uses the key, and for what."
        error={errors.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <ScopeField
        legend="Permissions"
        offered={OFFERED}
        chosen={scopes}
        onChange={(chosen) => onChange({ scopes: chosen })}
        error={errors.scopes ?? (scopes.length === 0 ? 'Choose at least one.' : undefined)}
      />
      <TextField
        label="Marketplace"
        value={form.marketplaceId}
        hint="The key has access to this marketplace only. A new marketplace is created if needed."
        error={errors.marketplaceId}
        onChange={(event) => onChange({ marketplaceId: event.target.value })}
      />
      <div className="keys-two">
        <SelectField
          label="Expires"
          value={form.expiresInDays}
          options={EXPIRIES}
          error={errors.expiresAt}
          onChange={(event) => onChange({ expiresInDays: event.target.value })}
        />
        <TextField
          label="Rate limit (requests)"
          inputMode="numeric"
          value={form.rateLimit}
          placeholder={rateLimit ? `${rateLimit.max} per ${rateLimit.windowSeconds} s` : ''}
          error={
            isWholeOrEmpty(form.rateLimit)
              ? errors.rateLimit
              : 'Enter a whole number, or leave it empty for the default.'
          }
          onChange={(event) => onChange({ rateLimit: event.target.value })}
        />
      </div>
    </>
  );
};
