// A person who registered and logs in: the credentials of one user. The money belongs to the user; nothing here moves money.

import { table } from '../../../commit/tables.ts';

export type Person = {
  /** The id of the user. */
  readonly id: string;
  /** The address as the person wrote it. */
  readonly email: string;
  /** The unique form of the address: see `emailKeyOf`. */
  readonly emailKey: string;
  readonly name: string;
  /** Algorithm, parameters, salt and hash in one text. */
  readonly passwordHash: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Addresses that differ only in upper and lower case are the same. */
export const emailKeyOf = (email: string): string => email.toLowerCase();

declare module '../../../commit/tables.ts' {
  interface Tables {
    people: Person;
  }
  interface Lookups {
    people: { emailKey: string };
  }
}

export const PEOPLE = table('people', {
  notFound: 'USER_NOT_FOUND',
  sql: 'people',
  columns: ['id', 'email', 'emailKey', 'name', 'passwordHash', 'createdAt', 'updatedAt'],
  lookups: { emailKey: { sql: 't.email_key', value: (row) => row.emailKey } },
});
