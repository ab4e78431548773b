// Identifier prefixes, one per resource. An id is its prefix and a ULID, so ids of one kind sort by time.

export const ID_PREFIXES = {
  user: 'usr',
  order: 'ord',
  escrow: 'esc',
  dispute: 'dsp',
  event: 'evt',
  project: 'prj',
  transaction: 'txn',
  wallet: 'wal',
  topup: 'top',
  withdrawal: 'wdr',
  apiKey: 'key',
  marketplace: 'mkt',
  auditEntry: 'aud',
  treasuryPayment: 'tpy',
  operation: 'opn',
  floatTransfer: 'flt',
  credentials: 'crd',
  webhookEndpoint: 'whe',
  webhookDelivery: 'whd',
  alert: 'alr',
  policy: 'pol',
  deadline: 'dln',
  operator: 'opr',
  operatorSession: 'ses',
  approval: 'apr',
  correction: 'cor',
  note: 'nte',
  evidence: 'evd',
  disputeMessage: 'msg',
  providerStatement: 'pst',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

const ULID = '[0-9A-HJKMNP-TV-Z]{26}';

export const idPattern = (kind: IdKind): string => `^${ID_PREFIXES[kind]}_${ULID}$`;

/** Chosen by the operator, not generated: short, and safe inside an API key and a URL. */
export const MARKETPLACE_ID_PATTERN = '^mkt_[A-Za-z0-9-]{1,40}$';

export const DEFAULT_MARKETPLACE = 'mkt_default';
