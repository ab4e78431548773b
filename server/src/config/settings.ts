// The table of settings. The type Config, the reading of the environment and docs/settings.md are made from it. A setting that no code
// reads does not belong here.

import { ALERT_SETTINGS } from './alert-settings.ts';
import { CORE_SETTINGS } from './core-settings.ts';
import { DOCUMENT_SETTINGS } from './document-settings.ts';
import { HTTP_SETTINGS } from './http-settings.ts';
import { KEY_SETTINGS } from './key-settings.ts';
import { DEPOSIT_SETTINGS, MONEY_SETTINGS, PAYMENT_SETTINGS, TREASURY_SETTINGS } from './money-settings.ts';
import { OPERATOR_SETTINGS } from './operator-settings.ts';
import { APPROVAL_SETTINGS, EVIDENCE_SETTINGS, ORDER_SETTINGS, SURFACE_B_SETTINGS } from './order-settings.ts';
import { PROVIDER_SETTINGS } from './provider-settings.ts';
import type { Setting } from './setting.ts';

export const SETTINGS = {
  ...HTTP_SETTINGS,
  ...KEY_SETTINGS,
  ...OPERATOR_SETTINGS,
  ...CORE_SETTINGS,
  ...ALERT_SETTINGS,
  ...MONEY_SETTINGS,
  ...APPROVAL_SETTINGS,
  ...EVIDENCE_SETTINGS,
  ...ORDER_SETTINGS,
  ...DOCUMENT_SETTINGS,
  ...SURFACE_B_SETTINGS,
  ...PAYMENT_SETTINGS,
  ...DEPOSIT_SETTINGS,
  ...TREASURY_SETTINGS,
  ...PROVIDER_SETTINGS,
};

export type Section = keyof typeof SETTINGS;

export const SECTIONS: Record<Section, { title: string; readBy: string }> = {
  http: { title: 'HTTP server', readBy: 'the HTTP server' },
  keys: { title: 'Keys and tokens', readBy: 'authentication and the secrets file' },
  walletKeys: { title: 'Keys of the wallets', readBy: 'the key-encryption keys' },
  operators: { title: 'Operators', readBy: 'the sign-in of operators, and the job clear-out' },
  rateLimit: { title: 'Rate limit', readBy: 'the rate limiter' },
  idempotency: { title: 'Idempotency', readBy: 'the stored answers and the job clear-out' },
  data: { title: 'Data folder', readBy: 'the embedded PostgreSQL and the secrets file' },
  database: { title: 'Database', readBy: 'the database connections' },
  archive: {
    title: 'Archives',
    readBy: '`holdfast archive`, the backup, the full proof, and the routes of statements and timelines',
  },
  webhooks: { title: 'Webhook records', readBy: 'the job clear-out' },
  webhooksOut: {
    title: 'Webhooks out',
    readBy: 'the routes and the sender of webhook endpoints, and the job clear-out',
  },
  alerts: { title: 'Alerts for people', readBy: 'the jobs check-alerts and mail-alerts' },
  jobs: { title: 'Jobs', readBy: 'the job queue' },
  proof: { title: 'Proof', readBy: 'the job prove-fully' },
  heavyReads: { title: 'Heavy reads', readBy: 'the routes of audit trail, proofs, reports and statements' },
  committer: { title: 'Committer', readBy: 'the committer' },
  events: { title: 'Events', readBy: 'the event stream and the job clear-out' },
  observe: { title: 'Logs, metrics, traces', readBy: 'observability' },
  money: { title: 'Money', readBy: 'amount checks and /config' },
  approvals: { title: 'Approvals', readBy: 'the routes whose requests can wait, and the job clear-out' },
  evidence: { title: 'Evidence', readBy: 'the routes of evidence and /config' },
  orders: { title: 'Orders', readBy: 'the order routes and the operations' },
  documents: { title: 'Statements and receipts', readBy: 'the routes of statements and receipts' },
  surfaceB: { title: 'Surface B', readBy: 'the routes of Surface B' },
  payments: { title: 'Payments', readBy: 'top-ups and withdrawals' },
  treasury: { title: 'Treasury', readBy: 'the treasuries, activation and the health check' },
  deposits: { title: 'Deposits', readBy: 'the deposit watcher and reconciliation' },
  providers: { title: 'Outside systems', readBy: 'the health check and the adapters' },
  adapters: { title: 'Outside systems: keys and limits', readBy: 'the adapters and the webhook receivers' },
  sandbox: { title: 'Sandbox', readBy: 'the start of the server' },
};

type ValueOf<S> = S extends Setting<infer T> ? (S extends { default: null } ? T | null : T) : never;

export type Config = {
  readonly [S in Section]: { readonly [K in keyof (typeof SETTINGS)[S]]: ValueOf<(typeof SETTINGS)[S][K]> };
};

export type Row = { section: Section; key: string; setting: Setting<unknown> };

export const ROWS: readonly Row[] = (Object.keys(SETTINGS) as Section[]).flatMap((section) =>
  Object.entries(SETTINGS[section]).map(([key, setting]) => ({ section, key, setting: setting as Setting<unknown> })),
);
