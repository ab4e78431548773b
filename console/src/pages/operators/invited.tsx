// The link of an invitation, which is shown once.

import type { InvitedOperator, WaitingForApproval } from '@holdfast/sdk';
import { Link } from 'react-router';
import { isolateBidi } from '../../parts/bidi.ts';
import type { Secret } from '../../parts/secret/secret-dialog.tsx';
import { Time } from '../../parts/time.tsx';

const madeSecret = ({ name, email, inviteUrl, inviteExpiresAt }: InvitedOperator): Secret => ({
  title: `Invitation for ${isolateBidi(name)}`,
  secret: inviteUrl,
  what: 'Link',
  text: (
    <p>
      Send this link to {isolateBidi(email)}. It works once, until <Time value={inviteExpiresAt} exact />. Who opens it
      becomes this operator, so use a way that only this person reads.
    </p>
  ),
});

const waitingSecret = ({ approval, inviteUrl }: WaitingForApproval): Secret => ({
  title: 'The invitation waits for approval',
  secret: inviteUrl ?? '',
  what: 'Link',
  text: (
    <p>
      A rule makes invitations wait for another person. The link works once{' '}
      <Link to={`/approvals/${approval.id}`}>the request</Link> is approved. The approver never sees it.
    </p>
  ),
});

/** Under a rule the link comes with the approval that it waits for, and is shown only now. */
export const invitedSecret = (made: InvitedOperator | WaitingForApproval): Secret =>
  'approval' in made ? waitingSecret(made) : madeSecret(made);
