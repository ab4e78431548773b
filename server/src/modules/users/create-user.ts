// Creates a user of a marketplace, with a prepared custodial wallet. The marketplace's own id for the user is unique: a second request
// gets the existing user, changes nothing and discards the prepared wallet.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { UserType } from '@holdfast/contract/states.ts';
import { ZERO } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { balanceNeeds, balanceOf } from '../../commit/money.ts';
import { keepWallet, type PreparedWallet, type Wallet } from '../../ledger/keys/wallet.ts';
import { differingFields, type Profile } from './update-user.ts';
import { masked, maskedName, type User, type UserReply } from './user.ts';

type CreateUserInput = {
  readonly baseCurrency: Currency;
  readonly externalUserId: string;
  readonly email?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly type?: UserType | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Absent: a user without a wallet, who can link an external one. */
  readonly wallet?: PreparedWallet;
};

type CreateUserReply = UserReply & {
  readonly created: boolean;
  /** The sent fields whose value is not that of the existing user; empty for a new one. */
  readonly differs: readonly (keyof Profile)[];
  /** The new wallet, which still has to be activated; null for a known user. */
  readonly wallet: Wallet | null;
};

const sentOf = ({ email, name, type, metadata }: CreateUserInput): Partial<Profile> => ({
  ...(email === undefined ? {} : { email }),
  ...(name === undefined ? {} : { name }),
  ...(type === undefined ? {} : { type }),
  ...(metadata === undefined ? {} : { metadata }),
});

export const createUser = command<CreateUserInput, CreateUserReply>({
  name: 'create-user',
  needs: ({ externalUserId }) => ({ rows: [{ table: 'users', by: 'externalUserId', value: externalUserId }] }),
  needsNext({ externalUserId, baseCurrency }, work) {
    const known = work.findBy('users', { by: 'externalUserId', value: externalUserId });
    return known ? balanceNeeds({ userId: known.id, currency: baseCurrency }, []) : {};
  },
  decide(input, work) {
    const { externalUserId, email = null, name = null, type = 'BOTH', metadata = {}, baseCurrency: currency } = input;
    const known = work.findBy('users', { by: 'externalUserId', value: externalUserId });
    if (known) {
      const balance = balanceOf(work, { userId: known.id, currency });
      return { user: known, balance, created: false, differs: differingFields(known, sentOf(input)), wallet: null };
    }
    const user: User = {
      id: work.newId('user'),
      externalUserId,
      email,
      name,
      type,
      status: 'ACTIVE',
      paymentAccountUserId: null,
      paymentAccountLinkedAt: null,
      paymentAccountId: null,
      paymentAccountEmail: null,
      paymentAccountActiveFrom: null,
      ledgerAddress: input.wallet?.address ?? null,
      ledgerLinkedAt: input.wallet ? work.now : null,
      metadata,
      createdAt: work.now,
      updatedAt: work.now,
    };
    work.put('users', user);
    work.emit({
      type: 'user.created',
      aggregateId: user.id,
      userId: user.id,
      payload: {
        userId: user.id,
        externalUserId,
        ...(email === null ? {} : { email }),
        type,
        status: user.status,
      },
    });
    work.audit({
      action: 'USER_CREATED',
      resourceType: 'User',
      resourceId: user.id,
      after: {
        externalUserId,
        email: masked(email),
        ...(name === null ? {} : { name: maskedName(name) }),
        type,
        status: user.status,
      },
    });
    const wallet = input.wallet ? keepWallet(work, { prepared: input.wallet, owner: 'user', userId: user.id }) : null;
    if (wallet) {
      const userId = user.id;
      const ledgerAddress = wallet.address;
      work.emit({
        type: 'user.ledger_linked',
        aggregateId: userId,
        userId,
        payload: { userId, ledgerAddress, linkedAt: work.now },
      });
    }
    const balance = { userId: user.id, currency, available: ZERO, reserved: ZERO, updatedAt: work.now };
    return { user, balance, created: true, differs: [], wallet };
  },
  reactions: ({ reply }) => (reply?.wallet ? [{ name: 'wallet-created', payload: { walletId: reply.wallet.id } }] : []),
});

declare module '../../commit/reactions.ts' {
  interface Reactions {
    'wallet-created': { readonly walletId: string };
  }
}
