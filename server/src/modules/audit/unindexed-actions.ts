// The actions that searches of the audit trail find by stretches of the chain and not by an index.

import type { AuditAction } from '@holdfast/contract/audit.ts';

/** The actions that concern balances and that no index has: their entries are most of all, and each index made them slower. */
export const UNINDEXED_ACTIONS: readonly AuditAction[] = [
  'BALANCE_CREDITED',
  'BALANCE_DEBITED',
  'BALANCE_RESERVED',
  'BALANCE_RELEASED',
  'RESERVATION_CANCELED',
  'RESERVED_DEDUCTED',
];
