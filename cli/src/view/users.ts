// Users and balances as tables and as lists of fields.

import type { Balance, User } from '@holdfast/sdk';
import { dayOf } from '../times.ts';
import type { Out } from './out.ts';
import type { Column } from './table.ts';

export const USER_TYPES = ['BUYER', 'SELLER', 'BOTH'];

export const USERS: readonly Column<User>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'external id', of: ({ externalUserId }) => externalUserId, flexible: true },
  { title: 'name', of: ({ name }) => name, flexible: true, minor: true },
  { title: 'type', of: ({ type }) => type, minor: true },
  { title: 'status', of: ({ status }) => status },
  { title: 'available', align: 'right', of: ({ balance }) => balance.available },
  { title: 'reserved', align: 'right', of: ({ balance }) => balance.reserved },
  { title: 'currency', of: ({ balance }) => balance.currency },
];

export const BALANCES: readonly Column<Balance>[] = [
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'available', align: 'right', of: ({ available }) => available },
  { title: 'reserved', align: 'right', of: ({ reserved }) => reserved },
  { title: 'total', align: 'right', of: ({ total }) => total },
];

/** Without `balances` only the balance in the base currency is shown. */
export const showUser = (out: Out, user: User & { readonly balances?: readonly Balance[] }): void => {
  if (out.isJson) {
    out.json(user);
    return;
  }
  const metadata = Object.keys(user.metadata).length === 0 ? null : JSON.stringify(user.metadata);
  out.facts([
    ['id', user.id],
    ['external id', user.externalUserId],
    ['name', user.name],
    ['e-mail', user.email],
    ['type', user.type],
    ['status', user.status],
    ['address', user.ledgerAddress],
    ['payment account', user.paymentAccountUserId],
    ['metadata', metadata],
    ['created', dayOf(user.createdAt)],
  ]);
  out.line('');
  out.table(user.balances ?? [user.balance], BALANCES);
};
