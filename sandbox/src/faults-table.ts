// The operations of the simulators and the faults that each of them supports. Control refuses every other pair, because a fault that
// can never occur would make a test meaningless.

// Affect the named call itself.
export const CALL_FAULTS = ['timeout', 'refusal', 'slow', 'outage', 'wrong-amount'] as const;
// Affect the submission of the prepared call; where call and submission are one, they affect that call.
export const SUBMISSION_FAULTS = ['http-200-failed', 'no-contract-id', 'lost-answer'] as const;
// Affect the money of a funding on the ledger: less arrives in the contract, or an outsider pays into it too.
export const TRANSFER_FAULTS = ['short', 'surplus'] as const;
// Affect a page of the payments of the whole network: the server lags behind, leaves out, repeats or mixes up records, or shows them with
// another asset or destination.
const PAGE_FAULTS = ['lagging', 'missing', 'repeated', 'unordered', 'wrong-asset', 'wrong-destination'] as const;
// Affects the read of one account.
const ACCOUNT_FAULTS = ['memo-required'] as const;
// Affects what the ledger shows of a contract: code that is not the deployed one.
const CONTRACT_FAULTS = ['wrong-code'] as const;
// Raise the price of the network: transactions below it are refused, or wait; a spike is more than anyone should pay; a rise is not
// reported yet.
export const FEE_FAULTS = ['fee-surge', 'fee-stuck', 'fee-spike', 'fee-rise'] as const;
// Affect which node of the ledger answers a read: one that lags, for every read or for every second one.
export const NODE_FAULTS = ['lagging', 'alternating'] as const;
const WEBHOOK_FAULTS = ['drop', 'duplicate', 'late', 'reorder', 'bad-signature'] as const;

export const FAULTS = [
  ...CALL_FAULTS,
  ...SUBMISSION_FAULTS,
  ...TRANSFER_FAULTS,
  ...PAGE_FAULTS,
  ...ACCOUNT_FAULTS,
  ...CONTRACT_FAULTS,
  ...FEE_FAULTS,
  ...NODE_FAULTS,
  ...WEBHOOK_FAULTS,
] as const;
export type FaultName = (typeof FAULTS)[number];

const READ = ['timeout', 'refusal', 'slow', 'outage'] as const;
const READ_AMOUNT = [...READ, 'wrong-amount'] as const;
const STEP = [...READ, 'http-200-failed', 'lost-answer'] as const;
const STEP_AMOUNT = [...STEP, 'wrong-amount'] as const;
const EVERYTHING = [...STEP_AMOUNT, 'no-contract-id'] as const;

export const OPERATIONS = {
  deploy: EVERYTHING,
  fund: [...STEP_AMOUNT, ...TRANSFER_FAULTS],
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
  'payout-commit': [...STEP_AMOUNT, 'short'],
  'payout-get': [...READ_AMOUNT, 'missing'],
  'user-get': READ,
  account: [...READ_AMOUNT, ...ACCOUNT_FAULTS],
  payment: STEP_AMOUNT,
  'transaction-get': READ_AMOUNT,
  'payments-get': [...READ_AMOUNT, ...PAGE_FAULTS],
  'contract-get': [...READ, ...CONTRACT_FAULTS],
  fees: FEE_FAULTS,
  node: NODE_FAULTS,
  webhook: WEBHOOK_FAULTS,
} as const satisfies Record<string, readonly FaultName[]>;
export type Operation = keyof typeof OPERATIONS;
