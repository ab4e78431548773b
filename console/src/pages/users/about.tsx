// The details of a user, and the payment account that receives payouts.

import type { User } from '@holdfast/sdk';
import { useState } from 'react';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Id } from '../../parts/id.tsx';
import { Breakable } from '../../parts/lists/breakable.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { statusWords } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { EditUser } from './edit-user.tsx';

export const AboutPanel = ({ user }: { readonly user: User }) => {
  const writeDenial = useDenial('write');
  const [isLinking, setLinking] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const metadata = Object.entries(user.metadata);
  return (
    <Panel
      title="Details"
      actions={
        <>
          <Button reason={writeDenial} onClick={() => setEditing(true)}>
            Edit
          </Button>
          <Button reason={writeDenial} onClick={() => setLinking(true)}>
            Link account
          </Button>
        </>
      }
    >
      <Facts
        rows={[
          ['External ID', user.externalUserId],
          ['Name', user.name],
          ['E-mail', user.email ? <Breakable key="email" text={user.email} /> : null],
          ['Type', statusWords(user.type)],
          ['Wallet', <Id key="address" value={user.ledgerAddress} link={false} />],
          ['Wallet linked', <Time key="linked" value={user.ledgerLinkedAt} exact />],
          ['Payment account', user.paymentAccountUserId],
          ['Account linked', <Time key="account" value={user.paymentAccountLinkedAt} exact />],
          ['Created', <Time key="created" value={user.createdAt} exact />],
          ['Updated', <Time key="updated" value={user.updatedAt} exact />],
          ...metadata.map(([name, value]) => [isolateBidi(name), JSON.stringify(value)] as const),
        ]}
      />
      {isEditing ? <EditUser user={user} onClose={() => setEditing(false)} /> : null}
      <LinkAccount user={user} isOpen={isLinking} onClose={() => setLinking(false)} />
    </Panel>
  );
};

type LinkProps = { readonly user: User; readonly isOpen: boolean; readonly onClose: () => void };

const WAYS = [
  { value: 'email', name: 'E-mail address' },
  { value: 'paymentAccountUserId', name: 'Provider account ID' },
] as const;

const LinkAccount = ({ user, isOpen, onClose }: LinkProps) => {
  const client = useClient();
  const writeDenial = useDenial('write');
  const [way, setWay] = useState<'email' | 'paymentAccountUserId'>('email');
  const [text, setText] = useState('');
  const act = useAction({
    run: () =>
      client.users.linkPaymentAccount(
        user.id,
        way === 'email' ? { email: text.trim() } : { paymentAccountUserId: text.trim() },
      ),
    done: ({ paymentAccountUserId }) => ({
      title: `Linked to ${isolateBidi(String(paymentAccountUserId))}`,
      text: 'Payouts of this user now go to this account.',
    }),
    failed: 'The account was not linked',
    touches: [['users']],
    quiet: true,
    onDone: onClose,
  });
  const refused = fieldErrorsOf(act.error, [way]);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Link payment account">
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() && !writeDenial && !act.isPending) act.mutate();
        }}
      >
        <p className="soft">
          {user.paymentAccountUserId
            ? `Current account: ${isolateBidi(user.paymentAccountUserId)}. A new account replaces it.`
            : 'No account is linked. Payouts go to the e-mail address of the withdrawal, or of the user.'}
        </p>
        <SelectField
          label="Identify by"
          value={way}
          options={WAYS}
          onChange={(event) => setWay(event.target.value as typeof way)}
        />
        <TextField
          label={way === 'email' ? 'E-mail address' : 'Provider account ID'}
          value={text}
          error={refused[way]}
          onChange={(event) => setText(event.target.value)}
        />
        {refused[''] ? <ErrorNotice title="The account was not linked" error={act.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            tone="accent"
            reason={writeDenial ?? (text.trim() ? null : 'Enter the account.')}
            isBusy={act.isPending}
          >
            Link account
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
