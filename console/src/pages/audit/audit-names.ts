// The names of audit resources, actions and actors. The types of the client keep both lists complete: a missing or an
// extra name does not compile.

import type { AuditEntry } from '@holdfast/sdk';
import { statusWords } from '../../parts/status.tsx';

type Option = { readonly value: string; readonly name: string };

const RESOURCE_WORDS: Readonly<Record<AuditEntry['resourceType'], string>> = {
  ApiKey: 'API key',
  Marketplace: 'Marketplace',
  User: 'User',
  Balance: 'Balance',
  Wallet: 'Wallet',
  WalletKey: 'Key-encryption key',
  LedgerTransaction: 'Ledger transaction',
  TreasuryPayment: 'Treasury payment',
  Order: 'Order',
  Escrow: 'Escrow',
  Dispute: 'Dispute',
  Operation: 'Operation',
  TopUp: 'Top-up',
  PaymentFloat: 'Payment float',
  PaymentHold: 'Payment hold',
  ProviderCredentials: 'Payment account',
  Withdrawal: 'Withdrawal',
  WebhookEvent: 'Webhook event',
  WebhookEndpoint: 'Webhook endpoint',
  Alert: 'Alert',
  Project: 'Project',
  Archive: 'Archive',
};

const ACTIONS: Readonly<Record<AuditEntry['action'], true>> = {
  API_KEY_CREATED: true,
  WEBHOOK_ENDPOINT_CREATED: true,
  WEBHOOK_ENDPOINT_CHANGED: true,
  WEBHOOK_ENDPOINT_DELETED: true,
  WEBHOOK_ENDPOINT_DISABLED: true,
  WEBHOOK_SECRET_ROTATED: true,
  WEBHOOK_SECRET_RESEALED: true,
  WEBHOOK_REPLAY_REQUESTED: true,
  WEBHOOK_RETRY_REQUESTED: true,
  WEBHOOK_TEST_REQUESTED: true,
  ALERT_OPENED: true,
  ALERT_CLOSED: true,
  ALERT_MAILED: true,
  MARKETPLACE_LIMITS_SET: true,
  API_KEY_REVOKED: true,
  API_KEY_ROTATED: true,
  API_TOKEN_ISSUED: true,
  USER_CREATED: true,
  USER_REGISTERED: true,
  USER_PAYMENT_ACCOUNT_LINKED: true,
  USER_PAYMENT_ACCOUNT_CHANGED: true,
  USER_SUSPENDED: true,
  USER_REACTIVATED: true,
  BALANCE_CREDITED: true,
  BALANCE_DEBITED: true,
  BALANCE_RESERVED: true,
  BALANCE_RELEASED: true,
  RESERVATION_CANCELED: true,
  RESERVED_DEDUCTED: true,
  BALANCE_SYNCED: true,
  WALLET_CREATED: true,
  WALLET_LINKED: true,
  WALLET_PROVED: true,
  WALLET_ACTIVATED: true,
  WALLET_ACTIVATION_REQUESTED: true,
  WALLET_ACTIVATION_COUNTED: true,
  WALLET_KEY_ROTATED: true,
  LEDGER_TRANSACTION_SIGNED: true,
  LEDGER_TRANSACTION_SETTLED: true,
  TREASURY_PAYMENT_REQUESTED: true,
  DEPOSIT_RECORDED: true,
  ORDER_CREATED: true,
  ORDER_FUNDS_RESERVED: true,
  ORDER_CANCELED: true,
  MILESTONE_COMPLETED: true,
  ESCROW_CREATE_REQUESTED: true,
  ESCROW_CREATED: true,
  ESCROW_CREATE_FAILED: true,
  ESCROW_FUNDING_REQUESTED: true,
  ESCROW_FUNDED: true,
  ESCROW_FUNDING_FAILED: true,
  RELEASE_REQUESTED: true,
  ORDER_RELEASED: true,
  RELEASE_FAILED: true,
  REFUND_REQUESTED: true,
  ORDER_REFUNDED: true,
  REFUND_FAILED: true,
  DISPUTE_OPENED: true,
  DISPUTE_ASSIGNED: true,
  DISPUTE_RESOLUTION_REQUESTED: true,
  DISPUTE_RESOLVED: true,
  DISPUTE_RESOLUTION_FAILED: true,
  OPERATION_POSTPONED: true,
  ESCROW_STEP_SEEN: true,
  TOPUP_CREATED: true,
  TOPUP_CONFIRMATION_REQUIRED: true,
  TOPUP_PROCESSING: true,
  TOPUP_SUCCEEDED: true,
  TOPUP_FAILED: true,
  TOPUP_CANCEL_REQUESTED: true,
  TOPUP_CANCELED: true,
  TOPUP_FEE_NOTED: true,
  TOPUP_PAID_LATE: true,
  TOPUP_CORRECTED: true,
  FLOAT_ADOPTED: true,
  FLOAT_GIVEN: true,
  FLOAT_RECEIVED: true,
  FLOAT_ARRIVED: true,
  CREDIT_LINE_SET: true,
  PROVIDER_ACCOUNT_CLAIMED: true,
  PROVIDER_CREDENTIALS_SET: true,
  PROVIDER_CREDENTIALS_REMOVED: true,
  PROVIDER_CREDENTIALS_RESEALED: true,
  WITHDRAWAL_CREATED: true,
  WITHDRAWAL_COMMITTED: true,
  WITHDRAWAL_PAYOUT_MADE: true,
  WITHDRAWAL_PENDING: true,
  WITHDRAWAL_PENDING_USER_ACTION: true,
  WITHDRAWAL_PART_PAID: true,
  WITHDRAWAL_COMPLETED: true,
  WITHDRAWAL_CALLED_OFF: true,
  WITHDRAWAL_FAILED: true,
  WITHDRAWAL_CANCELED: true,
  WEBHOOK_TAKEN: true,
  WEBHOOK_FAILED: true,
  WEBHOOK_KEPT: true,
  WEBHOOK_SET_ASIDE: true,
  PROJECT_CREATED: true,
  PROJECT_ESCROW_REQUESTED: true,
  PROJECT_ESCROW_LEFT: true,
  PROJECT_ESCROW_ANSWERED: true,
  PROJECT_ESCROW_CALLED_OFF: true,
  ARCHIVE_SEALED: true,
  ARCHIVE_REMOVED: true,
  ARCHIVE_RESTORING: true,
  ARCHIVE_RESTORED: true,
  WALLET_KEY_CHANGED: true,
  WALLET_KEY_ANNOUNCED: true,
  WALLET_KEYS_RESEALED: true,
  PAYMENTS_RELEASED: true,
  PAYMENTS_HELD: true,
  PAYMENTS_COMPARED: true,
  LEDGER_TRANSACTION_BUMPED: true,
  LEDGER_TRANSACTION_ADOPTED: true,
};

const optionsOf = (words: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(words).map(([value, name]) => ({ value, name }));

export const AUDIT_RESOURCES = optionsOf(RESOURCE_WORDS);

export const resourceWords = (resource: AuditEntry['resourceType']): string => RESOURCE_WORDS[resource];

/** `API_KEY_CREATED` to `API key created`. */
export const actionWords = (action: string): string =>
  action.startsWith('API_') ? `API ${statusWords(action.slice(4)).toLowerCase()}` : statusWords(action);

/** Sorted by name, because there are about seventy. */
export const AUDIT_ACTIONS: readonly Option[] = Object.keys(ACTIONS)
  .map((value) => ({ value, name: actionWords(value) }))
  .sort((one, other) => one.name.localeCompare(other.name));

const ACTORS: Readonly<Record<string, string>> = {
  master: 'Master key',
  api_key: 'API key',
  user: 'User',
  system: 'System',
};

export const actorWords = (actorType: string): string => ACTORS[actorType] ?? statusWords(actorType);
