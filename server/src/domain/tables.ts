// The rows that commands read and write, by table, and the ways to look them up. The store maps them to SQL.

import type { ErrorCode } from '@holdfast/contract/errors.ts';
import type { ApiKey } from './api-key.ts';
import type { Reservation } from './reservation.ts';
import type { User } from './user.ts';

export type Tables = { users: User; apiKeys: ApiKey; reservations: Reservation };

export type Lookups = {
  users: { externalUserId: string };
  apiKeys: Record<never, string>;
  /** `order`: every reservation of one user's order; `active`: all of a user's in one currency that still hold money. */
  reservations: { order: string; active: string };
};

export const NOT_FOUND = {
  users: 'USER_NOT_FOUND',
  apiKeys: 'API_KEY_NOT_FOUND',
  reservations: 'RESERVATION_NOT_FOUND',
} as const satisfies Record<keyof Tables, ErrorCode>;
