// The rows of people and their projects, mapped to SQL.

import type { Spec } from './table-columns.ts';

export const SURFACE_B_TABLES: { readonly [T in 'people' | 'projects']: Spec<T> } = {
  people: {
    sql: 'people',
    columns: ['id', 'email', 'emailKey', 'name', 'passwordHash', 'createdAt', 'updatedAt'],
    lookups: { emailKey: { sql: 't.email_key', value: (row) => row.emailKey } },
  },
  projects: {
    sql: 'projects',
    columns: [
      'id',
      'ownerId',
      'title',
      'description',
      'budget',
      'currency',
      'orderId',
      'claimedUntil',
      'answeredAt',
      'createdAt',
      'updatedAt',
    ],
    lookups: {},
  },
};
