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
  'WALLET_CREATED',
  'WALLET_LINKED',
  'WALLET_ACTIVATED',
  'WALLET_KEY_ROTATED',
  'LEDGER_TRANSACTION_SIGNED',
  'LEDGER_TRANSACTION_SETTLED',
  'TREASURY_PAYMENT_REQUESTED',
  'DEPOSIT_RECORDED',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_RESOURCES = ['ApiKey', 'User', 'Balance', 'Wallet', 'LedgerTransaction', 'TreasuryPayment'] as const;

export type AuditResource = (typeof AUDIT_RESOURCES)[number];
