// The form for a new user. The same id of yours again answers the user that exists, so nothing is made twice.

import type { CreateUserInput, User } from '@holdfast/sdk';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { isolated } from '../../parts/foreign.ts';
import { Trouble } from '../../parts/notice.tsx';
import { useReason } from '../../parts/rights.ts';
import { useClient } from '../../session.tsx';

type Props = { readonly isOpen: boolean; readonly onClose: () => void };

const EMPTY = { externalUserId: '', email: '', type: 'BOTH' };

const TYPES = [
  { value: 'BOTH', name: 'Buys and sells' },
  { value: 'BUYER', name: 'Buyer' },
  { value: 'SELLER', name: 'Seller' },
];

export const CreateUser = ({ isOpen, onClose }: Props) => {
  const client = useClient();
  const navigate = useNavigate();
  const mayWrite = useReason('write');
  const [form, setForm] = useState(EMPTY);
  const [isChecked, setChecked] = useState(false);
  const act = useAction({
    run: (input: CreateUserInput) => client.users.create(input),
    done: ({ externalUserId }: User) => ({
      title: `${isolated(externalUserId)} is here`,
      text: 'The wallet is made by itself, within a moment. Next: credit the balance, or make a top-up.',
    }),
    failed: 'The user was not made',
    touches: [['users']],
    quiet: true,
    onDone: ({ id }) => void navigate(`/users/${id}`),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new beginning
  useEffect(() => {
    setForm(EMPTY);
    setChecked(false);
    act.reset();
  }, [isOpen]);
  const refused = fieldErrorsOf(act.error, ['externalUserId', 'email', 'type']);
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
          if (isNameless || mayWrite || act.isPending) return;
          act.mutate({
            externalUserId: form.externalUserId.trim(),
            type: form.type as User['type'],
            ...(form.email.trim() ? { email: form.email.trim() } : {}),
          });
        }}
      >
        <TextField
          label="Your id of the user"
          {...field('externalUserId')}
          error={
            isChecked && isNameless ? 'Write the id that your marketplace has for the user.' : refused.externalUserId
          }
          hint="Unique within the marketplace. An id that exists leads to that user."
        />
        <TextField
          label="E-mail"
          type="email"
          {...field('email')}
          hint="Optional; payouts go there when nothing is linked."
        />
        <SelectField label="Type" {...field('type')} options={TYPES} hint="Information only." />
        {refused[''] ? <Trouble title="The user was not made" error={act.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" tone="accent" reason={mayWrite} isBusy={act.isPending}>
            Make the user
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
