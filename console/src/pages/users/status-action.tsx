// Suspends or reactivates a user. Both require the support scope and store the reason in the audit trail.

import type { User } from '@holdfast/sdk';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { amountOf, formatAmount } from '../../parts/money/amounts.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { userName } from '../../parts/names.tsx';
import { useClient, useDenial } from '../../session.tsx';

export const StatusAction = ({ user }: { readonly user: User }) => {
  const { id, balance } = user;
  const name = isolateBidi(userName(user));
  const client = useClient();
  const supportDenial = useDenial('support');
  const [isSure, setSure] = useState(false);
  const [reason, setReason] = useState('');
  const isSuspended = user.status === 'SUSPENDED';
  const act = useAction({
    run: () => {
      const input = reason.trim() ? { reason: reason.trim() } : {};
      return isSuspended ? client.users.reactivate(id, input) : client.users.suspend(id, input);
    },
    done: ({ status }) => ({
      title: status === 'SUSPENDED' ? `${name} suspended` : `${name} reactivated`,
      text:
        status === 'SUSPENDED'
          ? 'The balances are unchanged. Reactivate the user to allow new payments.'
          : 'New payments are allowed again.',
    }),
    failed: isSuspended ? 'The user was not reactivated' : 'The user was not suspended',
    touches: [['users'], ['audit']],
    quiet: true,
    onDone: () => {
      setSure(false);
      setReason('');
    },
  });
  const kept = `${formatAmount(amountOf(balance.available))} ${balance.currency} available and ${formatAmount(amountOf(balance.reserved))} ${balance.currency} reserved`;
  return (
    <>
      <Link className="button" to={`/topups?userId=${id}&new=true`}>
        New top-up
      </Link>
      <Link className="button" to={`/withdrawals?userId=${id}&new=true`}>
        New withdrawal
      </Link>
      <Button tone={isSuspended ? 'accent' : 'bad'} reason={supportDenial} onClick={() => setSure(true)}>
        {isSuspended ? 'Reactivate' : 'Suspend'}
      </Button>
      <Confirm
        isOpen={isSure}
        onClose={() => setSure(false)}
        title={isSuspended ? `Reactivate ${name}?` : `Suspend ${name}?`}
        confirm={isSuspended ? 'Reactivate' : 'Suspend'}
        tone={isSuspended ? 'accent' : 'bad'}
        preview={{
          key: ['users', id, user.status, user.updatedAt],
          ask: () => client.users[isSuspended ? 'reactivate' : 'suspend'](id, {}, { dryRun: true }),
        }}
        onConfirm={() => act.mutate()}
        isBusy={act.isPending}
        error={act.error}
      >
        <p>
          {isSuspended
            ? `Allows new orders, top-ups and withdrawals again. Balance: ${kept}.`
            : `Refuses new orders, top-ups and withdrawals. Running operations continue, and the balance is unchanged: ${kept}.`}
        </p>
        <TextField
          label="Reason"
          hint="Optional. Stored in the audit trail."
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Confirm>
    </>
  );
};
