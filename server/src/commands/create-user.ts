// Adds a user to a marketplace. The marketplace's own id for the user is unique: asked again, the known user is the
// answer and nothing changes.

import type { UserType } from '@holdfast/contract/states.ts';
import { masked } from '../domain/personal.ts';
import type { User } from '../domain/user.ts';
import { command } from './command.ts';

type CreateUserInput = {
  readonly externalUserId: string;
  readonly email: string | null;
  readonly type: UserType;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export const createUser = command<CreateUserInput, { user: User; created: boolean }>({
  name: 'create-user',
  needs: ({ externalUserId }) => ({ rows: [{ table: 'users', by: 'externalUserId', value: externalUserId }] }),
  decide(input, desk) {
    const { externalUserId, email, type } = input;
    const known = desk.findBy('users', 'externalUserId', externalUserId);
    if (known) return { user: known, created: false };
    const user: User = {
      id: desk.newId('user'),
      externalUserId,
      email,
      type,
      status: 'ACTIVE',
      paymentAccountUserId: null,
      paymentAccountLinkedAt: null,
      metadata: input.metadata,
      createdAt: desk.now,
      updatedAt: desk.now,
    };
    desk.put('users', user);
    desk.emit(
      'user.created',
      user.id,
      { userId: user.id, externalUserId, ...(email === null ? {} : { email }), type, status: user.status },
      { userId: user.id },
    );
    desk.audit({
      action: 'USER_CREATED',
      resourceType: 'User',
      resourceId: user.id,
      after: { externalUserId, email: masked(email), type, status: user.status },
    });
    return { user, created: true };
  },
});
