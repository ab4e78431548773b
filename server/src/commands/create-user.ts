// Adds a user to a marketplace. The marketplace's own id for the user is unique: asked again, the known user is the
// answer and nothing changes.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { UserType } from '@holdfast/contract/states.ts';
import { ZERO } from '../domain/money.ts';
import { masked } from '../domain/personal.ts';
import type { User } from '../domain/user.ts';
import { balanceOf, purseNeeds, type UserReply } from './books.ts';
import { command } from './command.ts';

type CreateUserInput = {
  readonly baseCurrency: Currency;
  readonly externalUserId: string;
  readonly email: string | null;
  readonly type: UserType;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export const createUser = command<CreateUserInput, UserReply & { created: boolean }>({
  name: 'create-user',
  needs: ({ externalUserId }) => ({ rows: [{ table: 'users', by: 'externalUserId', value: externalUserId }] }),
  needsNext({ externalUserId, baseCurrency }, desk) {
    const known = desk.findBy('users', 'externalUserId', externalUserId);
    return known ? purseNeeds({ userId: known.id, currency: baseCurrency }, []) : {};
  },
  decide(input, desk) {
    const { externalUserId, email, type, baseCurrency: currency } = input;
    const known = desk.findBy('users', 'externalUserId', externalUserId);
    if (known) return { user: known, balance: balanceOf(desk, { userId: known.id, currency }), created: false };
    const user: User = {
      id: desk.newId('user'),
      externalUserId,
      email,
      type,
      status: 'ACTIVE',
      paymentAccountUserId: null,
      paymentAccountLinkedAt: null,
      ledgerAddress: null,
      ledgerLinkedAt: null,
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
    const balance = { userId: user.id, currency, available: ZERO, reserved: ZERO, updatedAt: desk.now };
    return { user, balance, created: true };
  },
});
