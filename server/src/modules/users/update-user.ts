// Changes the e-mail address, the name, the type or the metadata of a user. A request that changes nothing leaves no trace.

import { isDeepStrictEqual } from 'node:util';
import { command } from '../../commit/command.ts';
import { type BalanceKey, balanceNeeds, balanceOf } from '../../commit/money.ts';
import { masked, maskedName, type User, type UserReply } from './user.ts';

/** The fields that a caller sets. */
export type Profile = Pick<User, 'email' | 'name' | 'type' | 'metadata'>;

const FIELDS = ['email', 'name', 'type', 'metadata'] as const satisfies readonly (keyof Profile)[];

/** The sent fields whose value is not the user's. A field that was not sent never differs. */
export const differingFields = (user: User, sent: Partial<Profile>): (keyof Profile)[] =>
  FIELDS.filter((field) => sent[field] !== undefined && !isDeepStrictEqual(user[field], sent[field]));

/** An audit entry keeps no full e-mail address and no full name, and of metadata only that it changed. */
const auditedFields = (user: User, changed: readonly (keyof Profile)[]) => ({
  ...(changed.includes('email') ? { email: masked(user.email) } : {}),
  ...(changed.includes('name') ? { name: maskedName(user.name) } : {}),
  ...(changed.includes('type') ? { type: user.type } : {}),
});

type UpdateInput = BalanceKey & { readonly changes: Partial<Profile> };

export const updateUser = command<UpdateInput, UserReply>({
  name: 'update-user',
  needs: (input) => balanceNeeds(input, []),
  decide(input, work) {
    const { userId, changes } = input;
    const user = work.get('users', userId);
    const balance = balanceOf(work, input);
    const changed = differingFields(user, changes);
    if (changed.length === 0) return { user, balance };
    const after: User = { ...user, ...changes, updatedAt: work.now };
    work.put('users', after);
    const { externalUserId, email, name, type, status } = after;
    work.emit({
      type: 'user.updated',
      aggregateId: userId,
      userId,
      payload: { userId, externalUserId, email, name, type, status, changed, updatedAt: work.now },
    });
    work.audit({
      action: 'USER_UPDATED',
      resourceType: 'User',
      resourceId: userId,
      before: auditedFields(user, changed),
      after: { ...auditedFields(after, changed), changed },
    });
    return { user: after, balance };
  },
});
