// Maps the statuses and event names of the payment provider to our states. An unknown status is unreadable and never guessed.

import type { PayinState, PayoutState } from '../payment-port.ts';

export const PAYIN_STATES: Readonly<Record<string, PayinState>> = {
  CREATED: 'TOPUP_AWAITING_USER_CONFIRMATION',
  PROCESSING: 'TOPUP_PROCESSING',
  CONFIRMED: 'TOPUP_SUCCEEDED',
  FAILED: 'TOPUP_FAILED',
  BRIDGE_FAILED: 'TOPUP_FAILED',
  CANCELED: 'TOPUP_CANCELED',
  BRIDGE_CANCELED: 'TOPUP_CANCELED',
};

export const PAYOUT_STATES: Readonly<Record<string, PayoutState>> = {
  CREATED: 'WITHDRAWAL_CREATED',
  COMMITTED: 'WITHDRAWAL_COMMITTED',
  PENDING: 'WITHDRAWAL_PENDING',
  PROCESSING: 'WITHDRAWAL_PENDING',
  PENDING_USER_ACTION: 'WITHDRAWAL_PENDING_USER_ACTION',
  COMPLETED: 'WITHDRAWAL_COMPLETED',
  FAILED: 'WITHDRAWAL_FAILED',
  ERROR: 'WITHDRAWAL_FAILED',
  CANCELED: 'WITHDRAWAL_CANCELED',
};

/** Both spellings: the provider's own names, and those of the spec. */
export const PAYIN_EVENTS: Readonly<Record<string, PayinState>> = {
  'payin.created': 'TOPUP_AWAITING_USER_CONFIRMATION',
  'payin.awaiting_user_confirmation': 'TOPUP_AWAITING_USER_CONFIRMATION',
  'payin.processing': 'TOPUP_PROCESSING',
  'payin.confirmed': 'TOPUP_SUCCEEDED',
  'payin.succeeded': 'TOPUP_SUCCEEDED',
  'payin.failed': 'TOPUP_FAILED',
  'payin.canceled': 'TOPUP_CANCELED',
};

export const PAYOUT_EVENTS: Readonly<Record<string, PayoutState>> = {
  'payout.created': 'WITHDRAWAL_CREATED',
  'payout.committed': 'WITHDRAWAL_COMMITTED',
  'payout.pending': 'WITHDRAWAL_PENDING',
  'payout.pending_user_action': 'WITHDRAWAL_PENDING_USER_ACTION',
  'payout.completed': 'WITHDRAWAL_COMPLETED',
  'payout.failed': 'WITHDRAWAL_FAILED',
  'payout.canceled': 'WITHDRAWAL_CANCELED',
};
