// The link of an invitation, which is shown once.

import type { InvitedOperator } from '@holdfast/sdk';
import { isolateBidi } from '../../parts/bidi.ts';
import type { Secret } from '../../parts/secret-dialog.tsx';
import { Time } from '../../parts/time.tsx';

export const invitedSecret = ({ name, email, inviteUrl, inviteExpiresAt }: InvitedOperator): Secret => ({
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
