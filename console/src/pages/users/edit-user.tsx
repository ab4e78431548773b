// The form that changes a user: name, e-mail address and type. The external ID never changes.

import type { UpdateUserInput, User } from '@holdfast/sdk';
import { useState } from 'react';
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

type Props = { readonly user: User; readonly onClose: () => void };

type Form = { readonly name: string; readonly email: string; readonly type: User['type'] };

/** Only what changed; an empty text clears the field. */
const changesOf = (user: User, { name, email, type }: Form): UpdateUserInput => ({
  ...(name.trim() === (user.name ?? '') ? {} : { name: name.trim() || null }),
  ...(email.trim() === (user.email ?? '') ? {} : { email: email.trim() || null }),
  ...(type === user.type ? {} : { type }),
});

export const EditUser = ({ user, onClose }: Props) => {
  const client = useClient();
  const writeDenial = useDenial('write');
  const [form, setForm] = useState<Form>({ name: user.name ?? '', email: user.email ?? '', type: user.type });
  const changes = changesOf(user, form);
  const act = useAction({
    run: (input: UpdateUserInput, once) => client.users.update(user.id, input, once),
    done: (changed: User) => ({ title: `User changed: ${isolateBidi(userName(changed))}` }),
    failed: 'The user was not changed',
    touches: [['users'], ['names', user.id], ['audit']],
    quiet: true,
    onDone: onClose,
  });
  const refused = fieldErrorsOf(act.error, ['name', 'email', 'type']);
  const field = (name: keyof Form) => ({
    value: form[name],
    error: refused[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  });
  const isSame = Object.keys(changes).length === 0;
  return (
    <Dialog isOpen onClose={onClose} title={`Edit ${isolateBidi(userName(user))}`}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSame && !writeDenial && !act.isPending) act.mutate(changes);
        }}
      >
        <TextField label="Name" {...field('name')} hint="As people read it. Receipts show it." />
        <TextField label="E-mail" type="email" {...field('email')} hint="Receives payouts when no account is linked." />
        <SelectField label="Type" {...field('type')} options={USER_TYPES} hint="For information only." />
        {refused[''] ? <ErrorNotice title="The user was not changed" error={act.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            tone="accent"
            reason={writeDenial ?? (isSame ? 'Nothing is changed yet.' : null)}
            isBusy={act.isPending}
          >
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
