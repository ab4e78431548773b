// The accounts at the payment provider. Every e-mail address and every id has one, unless the address or control says otherwise: what
// begins with "inactive" is inactive, what begins with "unknown" has no account, and an address with "unverified" is unverified.

import { createHash } from 'node:crypto';
import type { Slice } from '../state.ts';

export type User = {
  id: string;
  email: string;
  status: 'active' | 'inactive';
  isVerified: boolean;
  country: string;
  firstName: string;
  lastName: string;
};

export type UserSettings = Partial<Omit<User, 'id' | 'email'>>;

export type Users = {
  // By e-mail address or by id.
  find(account: string): User | null;
  // Takes precedence over the rule of the address.
  put(email: string, settings: UserSettings): User;
  list(): User[];
};

export function keepUsers({ slice }: { slice: Slice }): Users {
  const table = slice.table<User>('users');
  // The addresses of the ids that answers have named.
  const addresses = slice.table<string>('user-addresses');

  const findByEmail = (email: string): User | null => {
    const address = email.toLowerCase();
    const user = table.get(address) ?? (address.startsWith('unknown') ? null : userByRule(address));
    if (user !== null && addresses.get(user.id) !== address) addresses.set(user.id, address);
    return user;
  };

  return {
    find(account) {
      if (account.includes('@')) return findByEmail(account);
      if (account.startsWith('unknown')) return null;
      return findByEmail(addresses.get(account) ?? `${account}${ID_DOMAIN}`);
    },
    put(email, settings) {
      const user = { ...userByRule(email), ...table.get(email.toLowerCase()), ...settings };
      table.set(email.toLowerCase(), user);
      return user;
    },
    list: () => [...table.values()],
  };
}

// An id that no answer has named has an address of its own.
const ID_DOMAIN = '@account-id.example';

function userByRule(email: string): User {
  const address = email.toLowerCase();
  return {
    id: idOfUser(address),
    email: address,
    status: address.startsWith('inactive') ? 'inactive' : 'active',
    isVerified: !address.includes('unverified'),
    country: 'MEX',
    firstName: 'Sandbox',
    lastName: 'User',
  };
}

// The same address has the same id after every reset.
export function idOfUser(email: string): string {
  if (email.endsWith(ID_DOMAIN)) return email.slice(0, -ID_DOMAIN.length);
  const hex = createHash('sha256').update(email.toLowerCase()).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function presentUser({ email: _, ...user }: User) {
  return { ...user, primaryEmail: true };
}
