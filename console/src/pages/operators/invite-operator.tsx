// The form that invites a person.

import type { CreateOperatorInput, InvitedOperator, WaitingForApproval } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import type { Secret } from '../../parts/secret/secret-dialog.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { invitedSecret } from './invited.tsx';
import { ROLE_OPTIONS, ROLE_WORDS, type Role } from './role-words.ts';

type Props = { readonly onClose: () => void; readonly onSecret: (secret: Secret) => void };

type Form = { readonly name: string; readonly email: string; readonly role: Role; readonly everywhere: boolean };

const missingIn = ({ name, email }: Form): string | null => {
  if (name.trim() === '') return 'Enter a name first.';
  return /^\S+@\S+$/.test(email.trim()) ? null : 'Enter an e-mail address first.';
};

const inputOf = ({ name, email, role, everywhere }: Form): CreateOperatorInput => ({
  name: name.trim(),
  email: email.trim(),
  role,
  ...(everywhere ? { everywhere } : {}),
});

export const InviteOperator = ({ onClose, onSecret }: Props) => {
  const client = useClient();
  const isMaster = useDenial('master') === null;
  const [form, setForm] = useState<Form>({ name: '', email: '', role: 'support', everywhere: false });
  const act = useAction({
    run: (input: CreateOperatorInput, once): Promise<InvitedOperator | WaitingForApproval> =>
      client.operators.create(input, { ...once, approvals: true }),
    done: () => null,
    failed: 'The operator was not invited',
    touches: [['operators'], ['audit'], ['approvals']],
    quiet: true,
    forget: true,
    onDone: (made) => onSecret(invitedSecret(made)),
  });
  const errors = fieldErrorsOf(act.error, ['name', 'email', 'role']);
  const change = (part: Partial<Form>): void => setForm({ ...form, ...part });

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!act.isPending && missingIn(form) === null) act.mutate(inputOf(form));
  };

  return (
    <Dialog isOpen onClose={() => act.isPending || onClose()} title="Invite operator">
      <form className="stack" onSubmit={submit} noValidate>
        <TextField
          label="Name"
          autoFocus
          value={form.name}
          hint="As the audit trail shows it."
          error={errors.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextField
          label="E-mail"
          type="email"
          value={form.email}
          error={errors.email}
          onChange={(event) => change({ email: event.target.value })}
        />
        <SelectField
          label="Role"
          value={form.role}
          options={ROLE_OPTIONS}
          hint={ROLE_WORDS[form.role].text}
          error={errors.role}
          onChange={(event) => change({ role: event.target.value as Role })}
        />
        {isMaster ? (
          <CheckField
            label="In all marketplaces"
            checked={form.everywhere}
            onChange={(event) => change({ everywhere: event.target.checked })}
          />
        ) : null}
        {errors[''] ? <ErrorNotice title="The operator was not invited" error={act.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose} reason={act.isPending ? 'The invitation is being made.' : null}>
            Cancel
          </Button>
          <Button type="submit" tone="accent" isBusy={act.isPending} reason={missingIn(form)}>
            Invite
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
