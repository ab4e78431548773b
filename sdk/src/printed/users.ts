// What these routes take and give.
// Printed from contract/src/api/users.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Balance } from './balances.ts';

export type CreatedUser = {
  /** User id. */
  id: string;
  externalUserId: string;
  /** E-mail address; null when there is none. */
  email: string | null;
  /** Name of the user; null when there is none. */
  name: string | null;
  type: 'BUYER' | 'SELLER' | 'BOTH';
  status: 'ACTIVE' | 'SUSPENDED' | 'PENDING_VERIFICATION';
  paymentAccountUserId: string | null;
  /** When the payment account was linked. */
  paymentAccountLinkedAt: string | null;
  /** When payouts may use the account that replaced another one. Absent when there is no waiting time. */
  paymentAccountActiveFrom?: string;
  /** Address of the primary wallet on the ledger network. */
  ledgerAddress: string | null;
  /** When the wallet was linked. */
  ledgerLinkedAt: string | null;
  balance: Balance;
  /** Your own data, stored with the record. At most 50 keys and 8192 bytes. */
  metadata: Record<string, unknown>;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /**
   * Only with 200: the fields of the request whose value is not that of the existing user, which was not changed.
   * Absent when nothing differs.
   */
  differs?: ('email' | 'name' | 'type' | 'metadata')[];
};

export type User = {
  /** User id. */
  id: string;
  externalUserId: string;
  /** E-mail address; null when there is none. */
  email: string | null;
  /** Name of the user; null when there is none. */
  name: string | null;
  type: 'BUYER' | 'SELLER' | 'BOTH';
  status: 'ACTIVE' | 'SUSPENDED' | 'PENDING_VERIFICATION';
  paymentAccountUserId: string | null;
  /** When the payment account was linked. */
  paymentAccountLinkedAt: string | null;
  /** When payouts may use the account that replaced another one. Absent when there is no waiting time. */
  paymentAccountActiveFrom?: string;
  /** Address of the primary wallet on the ledger network. */
  ledgerAddress: string | null;
  /** When the wallet was linked. */
  ledgerLinkedAt: string | null;
  balance: Balance;
  /** Your own data, stored with the record. At most 50 keys and 8192 bytes. */
  metadata: Record<string, unknown>;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

export type CreateUserInput = {
  /** Your id of the user; unique within the marketplace. */
  externalUserId: string;
  /** E-mail address. */
  email?: string;
  /**
   * Name of the user, as people read it; documents show it. One line with at least one visible character, without
   * control characters.
   */
  name?: string;
  /** Information only. */
  type?: 'BUYER' | 'SELLER' | 'BOTH';
  /**
   * Your own data, stored with the record. At most 50 keys and 8192 bytes. A text in `displayName` is one line without
   * control characters: documents show it for a user without a name.
   */
  metadata?: Record<string, unknown>;
};

export type LinkPaymentAccountInput = {
  /** E-mail address. */
  email: string;
  /** Provider's id. */
  paymentAccountUserId?: string;
} | {
  /** E-mail address. */
  email?: string;
  /** Provider's id. */
  paymentAccountUserId: string;
};

export type ListUsersQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only records created after this date or time. */
  createdAfter?: string;
  /** Only records created before this date or time. */
  createdBefore?: string;
  /** Search text. */
  q?: string;
  status?: 'ACTIVE' | 'SUSPENDED' | 'PENDING_VERIFICATION';
  type?: 'BUYER' | 'SELLER' | 'BOTH';
  /** Your id of the user; unique within the marketplace. */
  externalUserId?: string;
  /** E-mail address. */
  email?: string;
};

export type ReactivateUserInput = {
  /** Reason; kept in the audit trail. */
  reason?: string;
};

export type SuspendUserInput = {
  /** Reason; kept in the audit trail. */
  reason?: string;
};

export type UpdateUserInput = {
  /** E-mail address. */
  email?: string | null;
  /**
   * Name of the user, as people read it; documents show it. One line with at least one visible character, without
   * control characters.
   */
  name?: string | null;
  /** Information only. */
  type?: 'BUYER' | 'SELLER' | 'BOTH';
  /**
   * Your own data, stored with the record. At most 50 keys and 8192 bytes. A text in `displayName` is one line without
   * control characters: documents show it for a user without a name.
   */
  metadata?: Record<string, unknown>;
};
