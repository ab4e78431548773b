// What an administrator can change of an operator: role and name, disable or enable, a new invitation, delete.

import type { InvitedOperator, Operator, WaitingForApproval } from '@holdfast/sdk';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/money/confirm.tsx';
import { notPreviewed } from '../../parts/money/not-previewed.ts';
import { type Secret, SecretDialog } from '../../parts/secret/secret-dialog.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { ChangeOperator } from './change-operator.tsx';
import { invitedSecret } from './invited.tsx';

type Verb = 'change' | 'disable' | 'invite' | 'delete';

type Props = { readonly operator: Operator; readonly isOwn: boolean };

const OWN = 'You cannot change yourself. Ask another administrator.';

export const OperatorActions = ({ operator, isOwn }: Props) => {
  const adminReason = useDenial('admin');
  const [verb, setVerb] = useState<Verb | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const reason = isOwn ? OWN : adminReason;
  const onClose = (): void => setVerb(null);
  const isDisabled = operator.status === 'DISABLED';
  const buttons: readonly { readonly verb: Verb; readonly word: string }[] = [
    { verb: 'change', word: 'Change role' },
    { verb: 'invite', word: 'New invitation' },
    { verb: 'disable', word: isDisabled ? 'Enable' : 'Disable' },
    { verb: 'delete', word: 'Delete' },
  ];
  return (
    <>
      {buttons.map(({ verb: each, word }) => (
        <Button
          key={each}
          reason={reason ?? (each === 'invite' && isDisabled ? 'Enable the operator first.' : null)}
          {...(each === 'delete' ? { tone: 'bad' } : {})}
          onClick={() => setVerb(each)}
        >
          {word}
        </Button>
      ))}
      {verb === 'change' ? <ChangeOperator operator={operator} onClose={onClose} /> : null}
      {verb === 'disable' ? <DisableOperator operator={operator} onClose={onClose} /> : null}
      {verb === 'invite' ? (
        <NewInvitation
          operator={operator}
          onClose={onClose}
          onSecret={(made) => {
            setVerb(null);
            setSecret(made);
          }}
        />
      ) : null}
      {verb === 'delete' ? <DeleteOperator operator={operator} onClose={onClose} /> : null}
      {secret ? <SecretDialog secret={secret} onClose={() => setSecret(null)} /> : null}
    </>
  );
};

type DialogProps = { readonly operator: Operator; readonly onClose: () => void };

const TOUCHES = [['operators'], ['audit']];

const DisableOperator = ({ operator, onClose }: DialogProps) => {
  const client = useClient();
  const disabled = operator.status !== 'DISABLED';
  const word = disabled ? 'disabled' : 'enabled';
  const name = isolateBidi(operator.name);
  const act = useAction({
    run: () => client.operators.update(operator.id, { disabled }),
    done: () => ({ title: `${name} ${word}`, text: disabled ? 'All sessions have ended.' : 'A sign-in works again.' }),
    failed: `The operator was not ${word}`,
    touches: TOUCHES,
    quiet: true,
    onDone: onClose,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`${disabled ? 'Disable' : 'Enable'} ${name}?`}
      confirm={disabled ? 'Disable operator' : 'Enable operator'}
      tone={disabled ? 'bad' : 'accent'}
      preview={{
        key: ['operators', operator.id, disabled],
        ask: () => client.operators.update(operator.id, { disabled }, { dryRun: true }),
      }}
      onConfirm={() => act.mutate()}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>
        {disabled
          ? 'All sessions of this operator end at once, and no sign-in works until you enable the operator again.'
          : 'The operator can sign in again, in the same way as before.'}
      </p>
    </Confirm>
  );
};

const NewInvitation = ({
  operator,
  onClose,
  onSecret,
}: DialogProps & { readonly onSecret: (secret: Secret) => void }) => {
  const client = useClient();
  const act = useAction({
    run: (id: string, once): Promise<InvitedOperator | WaitingForApproval> =>
      client.operators.invite(id, { ...once, approvals: true }),
    done: () => null,
    failed: 'The invitation was not made',
    touches: TOUCHES,
    quiet: true,
    forget: true,
    onDone: (made) => onSecret(invitedSecret(made)),
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`New invitation for ${isolateBidi(operator.name)}?`}
      confirm="Make invitation"
      tone="bad"
      preview={notPreviewed('POST /operators/:id/invite')}
      onConfirm={() => act.mutate(operator.id)}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>
        For a lost password, phone or passkey. The present ways to sign in are removed, all sessions end at once, and an
        earlier link no longer works. The person opens the new link and sets everything up again.
      </p>
    </Confirm>
  );
};

const DeleteOperator = ({ operator, onClose }: DialogProps) => {
  const client = useClient();
  const navigate = useNavigate();
  const name = isolateBidi(operator.name);
  const act = useAction({
    run: () => client.operators.delete(operator.id),
    done: () => ({ title: `${name} deleted`, text: 'The audit trail keeps the name.' }),
    failed: 'The operator was not deleted',
    touches: TOUCHES,
    quiet: true,
    onDone: () => void navigate('/operators'),
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Delete ${name}?`}
      confirm="Delete operator"
      tone="bad"
      preview={{
        key: ['operators', operator.id, 'delete'],
        ask: () => client.operators.delete(operator.id, { dryRun: true }),
      }}
      onConfirm={() => act.mutate()}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>
        All sessions end at once, and the e-mail address can be invited again. The audit trail keeps the name. This
        cannot be undone.
      </p>
    </Confirm>
  );
};
