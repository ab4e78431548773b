// The operations of the simulators and the faults that each of them supports. Control refuses every other pair, because a fault that
// can never occur would make a test meaningless.

// Affect the named call itself.
export const CALL_FAULTS = ['timeout', 'refusal', 'slow', 'outage', 'wrong-amount'] as const;
// Affect the submission of the prepared call; where call and submission are one, they affect that call.
export const SUBMISSION_FAULTS = ['http-200-failed', 'no-contract-id', 'lost-answer'] as const;
const WEBHOOK_FAULTS = ['drop', 'duplicate', 'late', 'reorder', 'bad-signature'] as const;

export const FAULTS = [...CALL_FAULTS, ...SUBMISSION_FAULTS, ...WEBHOOK_FAULTS] as const;
export type FaultName = (typeof FAULTS)[number];

const READ = ['timeout', 'refusal', 'slow', 'outage'] as const;
const READ_AMOUNT = [...READ, 'wrong-amount'] as const;
const STEP = [...READ, 'http-200-failed', 'lost-answer'] as const;
const STEP_AMOUNT = [...STEP, 'wrong-amount'] as const;
const EVERYTHING = [...STEP_AMOUNT, 'no-contract-id'] as const;

export const OPERATIONS = {
  deploy: EVERYTHING,
  fund: STEP_AMOUNT,
  'change-status': STEP,
  approve: STEP,
  release: STEP_AMOUNT,
  dispute: STEP,
  resolve: STEP_AMOUNT,
  'send-transaction': EVERYTHING,
  'get-escrow': READ_AMOUNT,
  payin: STEP_AMOUNT,
  'payin-get': READ_AMOUNT,
  'payin-cancel': STEP,
  payout: STEP_AMOUNT,
  'payout-commit': STEP_AMOUNT,
  'payout-get': READ_AMOUNT,
  account: READ_AMOUNT,
  payment: STEP_AMOUNT,
  'transaction-get': READ_AMOUNT,
  webhook: WEBHOOK_FAULTS,
} as const satisfies Record<string, readonly FaultName[]>;
export type Operation = keyof typeof OPERATIONS;
