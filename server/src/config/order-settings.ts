// Settings of approvals, of evidence, of orders and of Surface B: who may call their routes, their rules, how long a request waits for the outside systems, and the
// logins of Surface B.

import { DEFAULT_MARKETPLACE, MARKETPLACE_ID_PATTERN } from '@holdfast/contract/ids.ts';
import { boolean, duration, integer, oneOf, words } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

export const APPROVAL_SETTINGS = {
  approvals: {
    expiresMs: setting({
      name: 'APPROVAL_EXPIRES_HOURS',
      parser: duration({ unit: 'h', min: 1, max: 8_760 }),
      default: '24',
      meaning: 'How long a request waits for approval. Then it expires, and nothing is done.',
      example: '72',
    }),
    retentionMs: setting({
      name: 'APPROVAL_RETENTION_DAYS',
      parser: duration({ unit: 'days', min: 1, max: 3_650 }),
      default: '365',
      meaning: 'How long approvals are kept after they have ended. The audit trail keeps their entries for good.',
      example: '730',
    }),
  },
};

export const EVIDENCE_SETTINGS = {
  evidence: {
    maxBytes: setting({
      name: 'EVIDENCE_MAX_BYTES',
      parser: integer({ min: 1_024, max: 8_388_608 }),
      default: '2097152',
      meaning: 'The largest file that can be submitted as evidence of a dispute.',
      example: '5242880',
    }),
    marketplaceMaxBytes: setting({
      name: 'EVIDENCE_MARKETPLACE_MAX_BYTES',
      parser: integer({ min: 1_024, max: 1_099_511_627_776 }),
      default: '1073741824',
      meaning: 'How many bytes all evidence of a marketplace may have together. Evidence is never deleted.',
      example: '10737418240',
    }),
  },
};

export const ORDER_SETTINGS = {
  orders: {
    needKey: setting({
      name: 'ORDER_ROUTES_AUTH',
      parser: boolean,
      default: 'on',
      meaning:
        'Whether order, escrow and resolution routes need a key. Turn it off only while migrating from a service without keys: anyone who can reach the server can then move money.',
      example: 'off',
    }),
    idempotency: setting({
      name: 'ORDER_IDEMPOTENCY',
      parser: oneOf(['ignore', 'honour']),
      default: 'ignore',
      meaning:
        'What order, escrow and resolution routes do with an Idempotency-Key: ignore it, as in the specification, because the state of the order protects against a repeated request; or honour it like other routes and store the answer for seven days.',
      example: 'honour',
    }),
    lenientMilestones: setting({
      name: 'LENIENT_MILESTONES',
      parser: boolean,
      default: 'false',
      meaning:
        'Accepts orders whose milestones do not add up to their amount. The creation of their escrow is refused.',
      example: 'true',
    }),
    requirePaymentAccount: setting({
      name: 'REQUIRE_PAYMENT_ACCOUNT',
      parser: boolean,
      default: 'false',
      meaning: 'Creates an escrow only for users who have a linked payment account in addition to their wallet.',
      example: 'true',
    }),
    operationWaitMs: setting({
      name: 'OPERATION_WAIT_MS',
      parser: duration({ unit: 'ms', min: 1_000, max: 600_000 }),
      default: '25000',
      meaning:
        "How long a request waits for its operation. After that it gets 504 and the operation continues in the background. Keep it below your clients' timeout.",
      example: '50000',
    }),
  },
};

export const SURFACE_B_SETTINGS = {
  surfaceB: {
    served: optionalSetting({
      name: 'SURFACE_B',
      parser: boolean,
      unset: 'off beside a real ledger, on otherwise',
      meaning: 'Serves Surface B at the root path. When off, its routes do not exist and users cannot register.',
      example: 'off',
    }),
    marketplaceId: setting({
      name: 'SURFACE_B_MARKETPLACE',
      parser: words({ pattern: new RegExp(MARKETPLACE_ID_PATTERN), expects: `an id such as ${DEFAULT_MARKETPLACE}` }),
      default: DEFAULT_MARKETPLACE,
      meaning: 'The marketplace whose users, books and events Surface B shares.',
      example: 'mkt_shop',
    }),
    initAuth: setting({
      name: 'ESCROW_INIT_AUTH',
      parser: oneOf(['off', 'required']),
      default: 'off',
      meaning:
        "Whether POST /escrow/init needs the token of the project's owner. When off, as in the specification, anyone who knows a project's id can fund its escrow from the owner's balance.",
      example: 'required',
    }),
    tokenTtlMs: setting({
      name: 'SURFACE_B_TOKEN_TTL_H',
      parser: duration({ unit: 'h', min: 1, max: 720 }),
      default: '24',
      meaning: 'How long a login token of Surface B is valid.',
      example: '8',
    }),
    loginFailuresMax: setting({
      name: 'LOGIN_FAILURES_MAX',
      parser: integer({ min: 1, max: 1_000 }),
      default: '10',
      meaning:
        'Failed logins per window, per account and per address. After that, each further password waits before it is checked, and a wrong one is refused with 429. The right password is accepted after the wait.',
      example: '5',
    }),
    loginWindowMs: setting({
      name: 'LOGIN_FAILURES_WINDOW_S',
      parser: duration({ unit: 's', min: 1, max: 86_400 }),
      default: '900',
      meaning: 'Length of the window for failed logins.',
      example: '3600',
    }),
    loginDelayMaxMs: setting({
      name: 'LOGIN_DELAY_MAX_S',
      parser: duration({ unit: 's', min: 1, max: 300 }),
      default: '30',
      meaning:
        'Longest time between two checked passwords of one address after LOGIN_FAILURES_MAX failures; it begins with one second and doubles. For an account it is at most five seconds.',
      example: '60',
    }),
  },
};
