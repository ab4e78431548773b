// What the audit trail can record, and about what.

export const AUDIT_ACTIONS = [
  'API_KEY_CREATED',
  'API_KEY_REVOKED',
  'API_KEY_ROTATED',
  'API_TOKEN_ISSUED',
  'USER_CREATED',
  'USER_PAYMENT_ACCOUNT_LINKED',
  'USER_SUSPENDED',
  'USER_REACTIVATED',
  'BALANCE_CREDITED',
  'BALANCE_DEBITED',
  'BALANCE_RESERVED',
  'BALANCE_RELEASED',
  'RESERVATION_CANCELED',
  'RESERVED_DEDUCTED',
  'BALANCE_SYNCED',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_RESOURCES = ['ApiKey', 'User', 'Balance'] as const;

export type AuditResource = (typeof AUDIT_RESOURCES)[number];
