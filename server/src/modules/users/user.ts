// A user of one marketplace: somebody whose money we keep.

import type { UserStatus, UserType } from '@holdfast/contract/states.ts';

export type User = {
  readonly id: string;
  readonly externalUserId: string;
  readonly email: string | null;
  readonly type: UserType;
  readonly status: UserStatus;
  readonly paymentAccountUserId: string | null;
  readonly paymentAccountLinkedAt: string | null;
  /** Of the primary wallet. */
  readonly ledgerAddress: string | null;
  readonly ledgerLinkedAt: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly updatedAt: string;
};
