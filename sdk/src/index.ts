// The exports of the package.

export {
  type Amount,
  type AmountInput,
  addAmounts,
  amount,
  compareAmounts,
  formatAmount,
  fromCents,
  isAmount,
  percentOf,
  roundAmount,
  subtractAmounts,
  toCents,
} from './amounts.ts';
export { Holdfast } from './client.ts';
export { type AnyHoldfastError, type ErrorCode, type ErrorDetails, HoldfastError } from './errors.ts';
export type {
  Checkpoint,
  EventOf,
  EventStream,
  EventsQuery,
  EventType,
  HoldfastEvent,
  StreamState,
} from './events.ts';
export type { List, Page } from './pages.ts';
export type { MaybePreview, Preview, PreviewFigures } from './previews.ts';
export type * from './printed/approvals.ts';
export type * from './printed/audit.ts';
export type * from './printed/balances.ts';
export type * from './printed/closings.ts';
export type * from './printed/corrections.ts';
export type * from './printed/dispute-messages.ts';
export type * from './printed/disputes.ts';
export { EVENT_TYPES, type EventMetadata, type EventPayloads, type Resource } from './printed/event-catalogue.ts';
export type * from './printed/evidence.ts';
export type * from './printed/exports.ts';
export type * from './printed/fields.ts';
export type * from './printed/finance-reports.ts';
export type * from './printed/jobs.ts';
export type * from './printed/keys.ts';
export type * from './printed/marketplaces.ts';
export type * from './printed/notes.ts';
export type * from './printed/operations.ts';
export type * from './printed/operators.ts';
export type * from './printed/order-records.ts';
export type * from './printed/orders.ts';
export type * from './printed/payment-accounts.ts';
export type * from './printed/policies.ts';
export type * from './printed/provider-statements.ts';
export type * from './printed/receipts.ts';
export type * from './printed/reconciliation.ts';
export type * from './printed/reports.ts';
export type * from './printed/sandbox.ts';
export type * from './printed/service.ts';
export type * from './printed/statements.ts';
export type * from './printed/timeline.ts';
export type * from './printed/topups.ts';
export type * from './printed/users.ts';
export type * from './printed/wallet-keys.ts';
export type * from './printed/wallets.ts';
export type * from './printed/webhook-deliveries.ts';
export type * from './printed/webhook-endpoints.ts';
export type * from './printed/withdrawals.ts';
export * from './printed/words.ts';
export type { JournalFile, JournalQuery } from './resources/exports.ts';
export type { IdleOptions } from './resources/orders.ts';
export type { ProviderStatementFile } from './resources/provider-statements.ts';
export type { PayinDecision, PayoutDecision } from './resources/sandbox.ts';
export type { StatementQuery } from './resources/users.ts';
export { type Project, SurfaceB, type SurfaceBOptions, type Transaction } from './surface-b.ts';
export type { AttemptRecord, CallOptions, ClientOptions } from './transport.ts';
export type { WaitedRecord, WaitOptions } from './wait-for.ts';
export {
  type HeadersLike,
  isTestEvent,
  type SignedWebhook,
  signWebhook,
  type ThinEvent,
  verifyWebhook,
  type WebhookMessage,
} from './webhooks.ts';
