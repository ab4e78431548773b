// Examples of refusals for the reference: those of the recorded story where it has them, else the sentence of the table with details as a
// server gives them. Every detail that a code promises has a value of its own here, so that no example is empty.

import { DETAIL_KINDS } from '@holdfast/contract/error-details.ts';
import { docUrlOf, ERRORS, type ErrorCode } from '@holdfast/contract/errors.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { apiExamples, type RefusalExample } from './examples.ts';

const REQUEST_ID = '5f0c7c1e-6c0f-4a53-9b1a-0d7f3c2b9a41';
const ULID = '01KA5V7MTC7Q2N9XJ4W8R0ZD3E';
const NEXT_DAY = '2026-11-17T00:00:00.000000Z';

/** Of details that mean the same with every code. */
const DETAILS: Readonly<Record<string, unknown>> = {
  validationErrors: ['amount is required'],
  amount: '-5.00',
  requested: '40.00',
  available: '25.00',
  reserved: '25.00',
  currency: 'USD',
  requiredScope: 'write',
  scopes: ['read'],
  action: 'release',
  allowed: ['buyer'],
  policyId: `pol_${ULID}`,
  requestedBy: `key_${ULID}`,
  milestoneRefs: ['frames', 'seats', 'varnish'],
  keyIds: ['1', '2'],
  orderId: `ord_${ULID}`,
  escrowId: `esc_${ULID}`,
  disputeId: `dsp_${ULID}`,
  method: 'GET',
  path: '/api/v1/nowhere',
  allowedMethods: ['POST'],
  reference: 'opening-17',
  currentState: 'CLOSED',
  allowedActions: [],
  status: 'FUNDS_RESERVED',
  kind: 'credit-late-topup',
  resourceId: `top_${ULID}`,
  facts: { status: 'TOPUP_AWAITING_USER_CONFIRMATION' },
  archives: ['2026-01', '2026-02'],
  limitBytes: LIMITS.bodyBytes,
  contentType: 'text/plain',
  destinationType: 'crypto',
  limitName: 'withdrawalPerUserDay',
  limitAmount: '500.00',
  used: '470.00',
  resetsAt: NEXT_DAY,
  provider: 'escrow',
  limit: 100,
  limitedBy: 'key',
  waitingMax: 8,
  windowSeconds: 60,
  retryAfter: 12,
};

/** Where a code gives one of them another meaning. */
const OWN: { readonly [Code in ErrorCode]?: Readonly<Record<string, unknown>> } = {
  ESCROW_FUNDING_FAILED: { reason: 'The escrow provider refused the deposit.' },
  WALLET_PROOF_INVALID: { reason: 'The transaction is not signed by the key of the wallet.' },
  WITHDRAWAL_DESTINATION_INVALID: { reason: 'The account does not exist on the ledger.' },
  PAYMENT_ACCOUNT_INVALID: { reason: 'The payment provider does not know this account.' },
  PAYMENT_CREDENTIALS_REFUSED: { reason: 'The payment provider does not accept the key.' },
  WEBHOOK_ENDPOINT_LIMIT: { limit: LIMITS.webhookEndpoints },
  OPERATOR_LIMIT: { limit: LIMITS.operators },
  POLICY_LIMIT: { limit: LIMITS.policies },
  APPROVAL_LIMIT: { limit: LIMITS.approvalsPending },
  NOTE_LIMIT: { limit: LIMITS.notes },
  DISPUTE_MESSAGE_LIMIT: { limit: LIMITS.disputeMessages },
  EVIDENCE_LIMIT: { limitedBy: 'dispute', limit: LIMITS.evidenceFiles },
  PROVIDER_STATEMENT_LIMIT: { limitedBy: 'statements', limit: LIMITS.providerStatements },
  TOO_MANY_STREAMS: { limitedBy: 'key', limit: 10 },
  TOO_MANY_HEAVY_READS: { limit: 2 },
  DAILY_LIMIT_EXCEEDED: { requested: '40.00' },
};

const detailsOf = (code: ErrorCode): Record<string, unknown> => ({
  ...Object.fromEntries(ERRORS[code].details.map((name: string) => [name, OWN[code]?.[name] ?? DETAILS[name]])),
  requestId: REQUEST_ID,
  docUrl: docUrlOf(code),
});

/** What most routes answer with this code. */
export const refusalExample = (code: ErrorCode): RefusalExample => ({
  error: { code, message: ERRORS[code].message, details: detailsOf(code) },
});

/** What the route itself answered in the story. */
export const recordedRefusal = (route: string, code: ErrorCode): RefusalExample | undefined =>
  apiExamples()[route]?.refusals?.[code];

const TYPES = { number: 'number', texts: 'list of texts', textOrNull: 'text or null', facts: 'object' } as const;

/** The details of a code with their types, as a sentence; empty for a code without details of its own. */
export const detailsSentence = (code: ErrorCode): string => {
  const fields = ERRORS[code].details.map((name: string) => `\`${name}\` (${TYPES[DETAIL_KINDS[name]!] ?? 'text'})`);
  return fields.length === 0 ? '' : ` Details: ${fields.join(', ')}.`;
};
