// Every fault of the outside systems that can affect an order: the phase, the call, the fault, and the answer of the request. The
// expected state afterwards follows from the answer.

const PHASES = ['create', 'fund', 'release', 'refund', 'resolve'] as const;
export type Phase = (typeof PHASES)[number];

/**
 * `done`: success, as without a fault. `unknown`: 504, and the server finishes the operation in the background. `refused`: an
 * error, the operation is undone, and a second request succeeds. `unnamed`: 201 without a contract, which the server finds later.
 */
export type Reply = 'done' | 'unknown' | 'refused' | 'unnamed';

/** `late`: slower than the timeout, so that the call takes effect after the server gave up. The others are names of the simulators. */
type Trouble =
  | 'timeout'
  | 'refusal'
  | 'outage'
  | 'slow'
  | 'late'
  | 'lost-answer'
  | 'http-200-failed'
  | 'no-contract-id'
  | 'wrong-amount'
  | 'short'
  | 'wrong-code';

export type Row = readonly [phase: Phase, operation: string, trouble: Trouble, reply: Reply];

export const TIMEOUT_MS = 3_000;

/** The faults for the simulators. A call whose connection fails is repeated at once, so an outage affects three calls. */
export const SCRIPTS: Readonly<Record<Trouble, { fault: string; count?: number; delayMs?: number }>> = {
  timeout: { fault: 'timeout' },
  refusal: { fault: 'refusal' },
  outage: { fault: 'outage', count: 3 },
  slow: { fault: 'slow', delayMs: 100 },
  late: { fault: 'slow', delayMs: 2 * TIMEOUT_MS },
  'lost-answer': { fault: 'lost-answer' },
  'http-200-failed': { fault: 'http-200-failed' },
  'no-contract-id': { fault: 'no-contract-id' },
  'wrong-amount': { fault: 'wrong-amount' },
  short: { fault: 'short' },
  'wrong-code': { fault: 'wrong-code' },
};

/** Calls of the escrow provider that prepare a transaction. */
export const CALLS: readonly Row[] = [
  // phase, operation, trouble, reply
  ['create', 'deploy', 'timeout', 'unknown'],
  ['create', 'deploy', 'refusal', 'refused'],
  ['create', 'deploy', 'slow', 'done'],
  ['create', 'deploy', 'late', 'unknown'],
  ['create', 'deploy', 'wrong-amount', 'refused'],
  ['create', 'deploy', 'http-200-failed', 'refused'],
  ['create', 'deploy', 'lost-answer', 'done'],
  ['create', 'deploy', 'no-contract-id', 'unnamed'],
  ['fund', 'fund', 'timeout', 'unknown'],
  ['fund', 'fund', 'refusal', 'refused'],
  ['fund', 'fund', 'slow', 'done'],
  ['fund', 'fund', 'late', 'unknown'],
  ['fund', 'fund', 'wrong-amount', 'refused'],
  ['fund', 'fund', 'http-200-failed', 'refused'],
  ['fund', 'fund', 'lost-answer', 'done'],
  ['fund', 'fund', 'short', 'done'],
  ['fund', 'contract-get', 'timeout', 'unknown'],
  ['fund', 'contract-get', 'refusal', 'unknown'],
  ['fund', 'contract-get', 'slow', 'done'],
  ['fund', 'contract-get', 'wrong-code', 'refused'],
  ['release', 'change-status', 'timeout', 'unknown'],
  ['release', 'change-status', 'refusal', 'refused'],
  ['release', 'change-status', 'slow', 'done'],
  ['release', 'change-status', 'http-200-failed', 'refused'],
  ['release', 'change-status', 'lost-answer', 'done'],
  ['release', 'approve', 'timeout', 'unknown'],
  ['release', 'approve', 'refusal', 'refused'],
  ['release', 'approve', 'slow', 'done'],
  ['release', 'approve', 'http-200-failed', 'refused'],
  ['release', 'approve', 'lost-answer', 'done'],
  ['release', 'release', 'timeout', 'unknown'],
  ['release', 'release', 'refusal', 'refused'],
  ['release', 'release', 'slow', 'done'],
  ['release', 'release', 'http-200-failed', 'refused'],
  ['release', 'release', 'lost-answer', 'done'],
  ['refund', 'dispute', 'timeout', 'unknown'],
  ['refund', 'dispute', 'refusal', 'refused'],
  ['refund', 'dispute', 'slow', 'done'],
  ['refund', 'dispute', 'http-200-failed', 'refused'],
  ['refund', 'dispute', 'lost-answer', 'done'],
  ['refund', 'resolve', 'timeout', 'unknown'],
  ['refund', 'resolve', 'refusal', 'refused'],
  ['refund', 'resolve', 'wrong-amount', 'refused'],
  ['refund', 'resolve', 'http-200-failed', 'refused'],
  ['refund', 'resolve', 'lost-answer', 'done'],
  ['resolve', 'dispute', 'timeout', 'unknown'],
  ['resolve', 'dispute', 'refusal', 'refused'],
  ['resolve', 'dispute', 'http-200-failed', 'refused'],
  ['resolve', 'resolve', 'timeout', 'unknown'],
  ['resolve', 'resolve', 'refusal', 'refused'],
  ['resolve', 'resolve', 'slow', 'done'],
  ['resolve', 'resolve', 'wrong-amount', 'refused'],
  ['resolve', 'resolve', 'http-200-failed', 'refused'],
  ['resolve', 'resolve', 'lost-answer', 'done'],
];

/** Submissions. A 400 without a result code of the ledger proves nothing, so the outcome of such a refusal is unknown. */
export const SUBMISSIONS: readonly Row[] = [
  ...PHASES.flatMap((phase): Row[] => [
    [phase, 'send-transaction', 'timeout', 'unknown'],
    [phase, 'send-transaction', 'refusal', 'unknown'],
    [phase, 'send-transaction', 'late', 'unknown'],
    [phase, 'send-transaction', 'http-200-failed', 'refused'],
    [phase, 'send-transaction', 'lost-answer', 'done'],
  ]),
  ['create', 'send-transaction', 'no-contract-id', 'unnamed'],
  ['create', 'send-transaction', 'wrong-amount', 'done'],
];

/** Reads of the escrow provider: the server searches only for a contract that the deployment did not name. */
export const LOOKS: readonly Row[] = [
  ['create', 'get-escrow', 'timeout', 'unnamed'],
  ['create', 'get-escrow', 'refusal', 'unnamed'],
  ['create', 'get-escrow', 'slow', 'unnamed'],
  ['create', 'get-escrow', 'wrong-amount', 'unnamed'],
];

/** Outages of both providers, as long as the attempts of one call. */
export const OUTAGES: readonly Row[] = [
  ['create', 'deploy', 'outage', 'unknown'],
  ['create', 'send-transaction', 'outage', 'unknown'],
  ['create', 'get-escrow', 'outage', 'unnamed'],
  ['create', 'account', 'outage', 'unknown'],
  ['fund', 'account', 'outage', 'unknown'],
  ['fund', 'fund', 'outage', 'unknown'],
  ['fund', 'contract-get', 'outage', 'unknown'],
  ['fund', 'send-transaction', 'outage', 'unknown'],
  ['release', 'change-status', 'outage', 'unknown'],
  ['release', 'approve', 'outage', 'unknown'],
  ['release', 'release', 'outage', 'unknown'],
  ['refund', 'dispute', 'outage', 'unknown'],
  ['resolve', 'resolve', 'outage', 'unknown'],
];

/** Reads of the buyer's account: before a payment from it, before its fees, and for the next sequence number. */
export const ACCOUNTS: readonly Row[] = [
  ...(['create', 'fund', 'release', 'resolve'] as const).flatMap((phase): Row[] => [
    [phase, 'account', 'timeout', 'unknown'],
    [phase, 'account', 'refusal', 'unknown'],
    [phase, 'account', 'slow', 'done'],
  ]),
  ['fund', 'account', 'wrong-amount', 'done'],
  ['release', 'account', 'wrong-amount', 'done'],
];

/** Reads of a transaction's outcome. A missing or invalid answer never counts as a refusal. */
export const TRANSACTION_READS: readonly Row[] = [
  ['create', 'transaction-get', 'timeout', 'unknown'],
  ['create', 'transaction-get', 'refusal', 'unknown'],
  ['fund', 'transaction-get', 'timeout', 'unknown'],
  ['fund', 'transaction-get', 'refusal', 'unknown'],
  ['fund', 'transaction-get', 'slow', 'done'],
  ['fund', 'transaction-get', 'wrong-amount', 'unknown'],
  ['release', 'transaction-get', 'timeout', 'unknown'],
  ['release', 'transaction-get', 'outage', 'unknown'],
  ['release', 'transaction-get', 'wrong-amount', 'unknown'],
  ['refund', 'transaction-get', 'refusal', 'unknown'],
  ['refund', 'transaction-get', 'wrong-amount', 'unknown'],
  ['resolve', 'transaction-get', 'wrong-amount', 'unknown'],
];

/** Payments of the treasury to the buyer's wallet. They are retried within the request that waits for them. */
export const PAYMENTS: readonly Row[] = [
  ['fund', 'payment', 'timeout', 'done'],
  ['fund', 'payment', 'refusal', 'done'],
  ['fund', 'payment', 'outage', 'done'],
  ['fund', 'payment', 'slow', 'done'],
  ['fund', 'payment', 'late', 'done'],
  ['fund', 'payment', 'lost-answer', 'done'],
  ['fund', 'payment', 'http-200-failed', 'done'],
  ['fund', 'payment', 'wrong-amount', 'done'],
];

export const EVERY: readonly Row[] = [CALLS, SUBMISSIONS, LOOKS, OUTAGES, ACCOUNTS, TRANSACTION_READS, PAYMENTS].flat();

/** For `npm test`: every phase, every fault and every answer at least once. The rest is in *.long.test.ts. */
export const FEW = {
  /** One failing call each. */
  calls: [
    ['create', 'deploy', 'no-contract-id', 'unnamed'],
    ['fund', 'fund', 'wrong-amount', 'refused'],
    ['fund', 'fund', 'short', 'done'],
    ['fund', 'contract-get', 'wrong-code', 'refused'],
    ['fund', 'send-transaction', 'late', 'unknown'],
    ['release', 'change-status', 'slow', 'done'],
    ['release', 'approve', 'timeout', 'unknown'],
    ['release', 'release', 'http-200-failed', 'refused'],
    ['refund', 'dispute', 'lost-answer', 'done'],
    ['resolve', 'resolve', 'refusal', 'refused'],
  ],
  /** Three failing calls each. */
  outages: [['create', 'deploy', 'outage', 'unknown']],
} as const satisfies Record<string, readonly Row[]>;
