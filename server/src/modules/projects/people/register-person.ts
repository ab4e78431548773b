// Registers a person who will log in: a user with a custodial wallet, and the credentials, in one commit. An e-mail address can be
// registered once.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { EMAIL_TAKEN } from '@holdfast/contract/surface-b/refusals.ts';
import { command } from '../../../commit/command.ts';
import type { PreparedWallet, Wallet } from '../../../ledger/keys/wallet.ts';
import { createUser } from '../../users/create-user.ts';
import { masked } from '../../users/user.ts';
import { invalid } from '../surface/envelope.ts';
import { emailKeyOf, type Person } from './person.ts';

type RegisterInput = {
  /** A new id. It must never be the id of an existing user, or the new person could log in to that user's money. */
  readonly externalUserId: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly baseCurrency: Currency;
  readonly wallet: PreparedWallet;
};

/** The wallet is not on the ledger until it is needed. */
type RegisterReply = { readonly person: Person; readonly wallet: Wallet | null };

const userOf = ({ externalUserId, email, name, baseCurrency, wallet }: RegisterInput) => ({
  externalUserId,
  email,
  name,
  baseCurrency,
  wallet,
  type: 'BOTH' as const,
  metadata: { name },
});

export const registerPerson = command<RegisterInput, RegisterReply>({
  name: 'register-person',
  needs: (input) => ({
    rows: [
      ...(createUser.needs(userOf(input)).rows ?? []),
      { table: 'people', by: 'emailKey', value: emailKeyOf(input.email) },
    ],
  }),
  decide(input, work) {
    const { email, name, passwordHash } = input;
    const emailKey = emailKeyOf(email);
    if (work.findBy('people', { by: 'emailKey', value: emailKey })) throw invalid(EMAIL_TAKEN);
    if (work.findBy('users', { by: 'externalUserId', value: input.externalUserId }))
      throw new Error('the external id is already in use');
    const { user, wallet } = createUser.decide(userOf(input), work);
    const times = { createdAt: work.now, updatedAt: work.now };
    const person: Person = { id: user.id, email, emailKey, name, passwordHash, ...times };
    work.put('people', person);
    work.audit({
      action: 'USER_REGISTERED',
      resourceType: 'User',
      resourceId: user.id,
      after: { email: masked(email) },
    });
    return { person, wallet };
  },
  reactions: ({ reply }) => (reply?.wallet ? [{ name: 'wallet-created', payload: { walletId: reply.wallet.id } }] : []),
});
