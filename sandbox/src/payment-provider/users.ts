// The accounts at the payment provider. Every e-mail address has one, unless the address or control says otherwise: an address
// containing "inactive" is inactive, "unverified" is unverified, and "unknown" has no account.

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
  find(email: string): User | null;
  // Takes precedence over the rule of the address.
  put(email: string, settings: UserSettings): User;
  list(): User[];
};

export function keepUsers({ slice }: { slice: Slice }): Users {
  const table = slice.table<User>('users');
  return {
    find(email) {
      const kept = table.get(email.toLowerCase());
      if (kept !== undefined) return kept;
      return email.toLowerCase().includes('unknown') ? null : userByRule(email);
    },
    put(email, settings) {
      const user = { ...userByRule(email), ...table.get(email.toLowerCase()), ...settings };
      table.set(email.toLowerCase(), user);
      return user;
    },
    list: () => [...table.values()],
  };
}

function userByRule(email: string): User {
  const address = email.toLowerCase();
  return {
    id: idOfUser(address),
    email: address,
    status: address.includes('inactive') ? 'inactive' : 'active',
    isVerified: !address.includes('unverified'),
    country: 'MEX',
    firstName: 'Sandbox',
    lastName: 'User',
  };
}

// The same address has the same id after every reset.
export function idOfUser(email: string): string {
  const hex = createHash('sha256').update(email.toLowerCase()).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function presentUser({ email: _, ...user }: User) {
  return { ...user, primaryEmail: true };
}
