// The form for a new user. An existing external ID returns the existing user, so no user is created twice.

import type { CreateUserInput, User } from '@holdfast/sdk';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { userName } from '../../parts/names.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { USER_TYPES } from './user-types.ts';

type Props = { readonly isOpen: boolean; readonly onClose: () => void };

const EMPTY = { externalUserId: '', name: '', email: '', type: 'BOTH' };

export const CreateUser = ({ isOpen, onClose }: Props) => {
  const client = useClient();
  const navigate = useNavigate();
  const writeDenial = useDenial('write');
  const [form, setForm] = useState(EMPTY);
  const [isChecked, setChecked] = useState(false);
  const act = useAction({
    run: (input: CreateUserInput) => client.users.create(input),
    done: (user: User) => ({
      title: `User created: ${isolateBidi(userName(user))}`,
      text: 'The wallet is created automatically. Next: credit the balance, or create a top-up.',
    }),
    failed: 'The user was not created',
    touches: [['users']],
    quiet: true,
    onDone: ({ id }) => void navigate(`/users/${id}`),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form resets when it is opened again
  useEffect(() => {
    setForm(EMPTY);
    setChecked(false);
    act.reset();
  }, [isOpen]);
  const refused = fieldErrorsOf(act.error, ['externalUserId', 'name', 'email', 'type']);
  const isNameless = form.externalUserId.trim() === '';
  const field = (name: keyof typeof EMPTY) => ({
    value: form[name],
    error: refused[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  });
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New user">
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (isNameless || writeDenial || act.isPending) return;
          act.mutate({
            externalUserId: form.externalUserId.trim(),
            type: form.type as User['type'],
            ...(form.name.trim() ? { name: form.name.trim() } : {}),
            ...(form.email.trim() ? { email: form.email.trim() } : {}),
          });
        }}
      >
        <TextField
          label="External ID"
          {...field('externalUserId')}
          error={isChecked && isNameless ? 'Enter the ID of the user in your marketplace.' : refused.externalUserId}
          hint="The ID of the user in your marketplace. Must be unique."
        />
        <TextField label="Name" {...field('name')} hint="Optional. As people read it; receipts show it." />
        <TextField
          label="E-mail"
          type="email"
          {...field('email')}
          hint="Optional. Receives payouts when no account is linked."
        />
        <SelectField label="Type" {...field('type')} options={USER_TYPES} hint="For information only." />
        {refused[''] ? <ErrorNotice title="The user was not created" error={act.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="accent" reason={writeDenial} isBusy={act.isPending}>
            Create user
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
