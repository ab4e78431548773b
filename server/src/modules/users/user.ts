// A user of one marketplace, whose money we hold.

import type { UserStatus, UserType } from '@holdfast/contract/states.ts';
import type { Balance } from '../../books/accounts.ts';
import { table } from '../../commit/tables.ts';

export type User = {
  readonly id: string;
  readonly externalUserId: string;
  readonly email: string | null;
  /** As people read it; null: none was given. */
  readonly name: string | null;
  readonly type: UserType;
  readonly status: UserStatus;
  /** The linked account at the payment provider as the caller named it: its id or its e-mail. */
  readonly paymentAccountUserId: string | null;
  readonly paymentAccountLinkedAt: string | null;
  /** The provider's id of the linked account; null when no provider was asked. */
  readonly paymentAccountId: string | null;
  /** The e-mail that payouts to the linked account name; null when it is not known. */
  readonly paymentAccountEmail: string | null;
  /** When payouts may use a changed account; null: at once. */
  readonly paymentAccountActiveFrom: string | null;
  /** Address of the primary wallet. */
  readonly ledgerAddress: string | null;
  readonly ledgerLinkedAt: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** A user with the balance in the base currency, as the API shows users. */
export type UserReply = { readonly user: User; readonly balance: Balance };

/** `ada@example.com` becomes `a***@example.com`. Audit entries can never be changed, so they store only masked personal data. */
export const masked = (email: string | null): string | null => email?.replace(/^(.)[^@]*(?=@)/, '$1***') ?? null;

/** `Ada Lovelace` becomes `A***`. */
export const maskedName = (name: string | null): string | null => name?.replace(/^(.).*$/su, '$1***') ?? null;

/** SQL of the name that documents show: the user's name, or else `metadata.displayName`; null where there is neither. */
export const displayNameSql = (alias: string): string =>
  `coalesce(${alias}.name, nullif(btrim(left(${alias}.metadata ->> 'displayName', 500)), ''))`;

/** SQL of the name of a user on documents: the display name, or else the caller's own id of the user. */
export const nameSql = (alias: string): string => `coalesce(${displayNameSql(alias)}, ${alias}.external_user_id)`;

declare module '../../commit/tables.ts' {
  interface Tables {
    users: User;
  }
  interface Lookups {
    users: { externalUserId: string };
  }
}

export const USERS = table('users', {
  notFound: 'USER_NOT_FOUND',
  sql: 'users',
  columns: [
    'id',
    'externalUserId',
    'email',
    'name',
    'type',
    'status',
    'paymentAccountUserId',
    'paymentAccountLinkedAt',
    'paymentAccountId',
    'paymentAccountEmail',
    'paymentAccountActiveFrom',
    'ledgerAddress',
    'ledgerLinkedAt',
    'metadata',
    'createdAt',
    'updatedAt',
  ],
  lookups: { externalUserId: { sql: 't.external_user_id', value: (row) => row.externalUserId } },
});
