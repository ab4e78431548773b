// The names of the operations, faults, decisions and events that the simulators of the outside systems know.

export const SANDBOX_OPERATIONS = [
  'deploy',
  'fund',
  'change-status',
  'approve',
  'release',
  'dispute',
  'resolve',
  'send-transaction',
  'get-escrow',
  'payin',
  'payin-get',
  'payin-cancel',
  'payout',
  'payout-commit',
  'payout-get',
  'account',
  'payment',
  'transaction-get',
  'webhook',
] as const;

export const SANDBOX_FAULTS = [
  'timeout',
  'refusal',
  'slow',
  'outage',
  'wrong-amount',
  'http-200-failed',
  'no-contract-id',
  'lost-answer',
  'drop',
  'duplicate',
  'late',
  'reorder',
  'bad-signature',
] as const;

export const PAYIN_DECISIONS = ['confirm', 'process', 'fail', 'cancel'] as const;
export const PAYOUT_DECISIONS = ['complete', 'pend', 'require-action', 'fail', 'cancel'] as const;
