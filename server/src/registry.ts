// The lists that the core gets from the modules: the tables that commands read and write, and the owners of ledger actions. Each
// module declares its own entries.

import { tableRegistry } from './commit/tables.ts';
import { DEPOSITS } from './ledger/deposits/deposit.ts';
import { SETTLEMENT_GAINS, SYNC_GAINS } from './ledger/deposits/kept-gain.ts';
import { PAYMENT_HOLDS } from './ledger/holds/payment-hold.ts';
import { WALLETS } from './ledger/keys/wallet.ts';
import type { ActionOwners } from './ledger/transactions/action-owners.ts';
import { LEDGER_BUMPS } from './ledger/transactions/ledger-bump.ts';
import { LEDGER_TRANSACTIONS } from './ledger/transactions/ledger-transaction.ts';
import { ACTIVATION_DAYS } from './ledger/treasury/activation-day.ts';
import { ACTIVATION_PLACES, ACTIVATION_TOTALS } from './ledger/treasury/activation-place.ts';
import { TREASURY_PAYMENTS } from './ledger/treasury/treasury-payment.ts';
import { ALERTS } from './modules/alerts/alert.ts';
import { API_KEYS } from './modules/api-keys/api-key.ts';
import { APPROVALS } from './modules/approvals/approval.ts';
import { APPROVAL_RULES } from './modules/approvals/rules.ts';
import { ARCHIVES } from './modules/archives/archive.ts';
import { OPENING_CREDITS } from './modules/balances/opening-credit.ts';
import { RESERVATIONS } from './modules/balances/reservation.ts';
import { CLOSINGS } from './modules/closings/closing.ts';
import { CORRECTIONS } from './modules/corrections/correction.ts';
import { DISPUTE_MESSAGE_COUNTS, DISPUTE_MESSAGES } from './modules/dispute-messages/message.ts';
import { DISPUTES } from './modules/disputes/dispute.ts';
import { escrowCallOwner } from './modules/escrows/call-rows.ts';
import { ESCROWS } from './modules/escrows/escrow.ts';
import { EVIDENCE, EVIDENCE_CONTENTS, EVIDENCE_COUNTS } from './modules/evidence/evidence.ts';
import { FLOATS } from './modules/float/float.ts';
import { FLOAT_OPENINGS } from './modules/float/open-float.ts';
import { FLOAT_TRANSFERS } from './modules/float/transfer-float.ts';
import { DAY_COUNTS } from './modules/limits/day-counts.ts';
import { MARKETPLACE_LIMITS } from './modules/limits/marketplace-limits.ts';
import { NOTE_COUNTS, NOTES } from './modules/notes/note.ts';
import { OPERATIONS } from './modules/operations/operation.ts';
import { OPERATOR_CLAIMS, OPERATOR_PASSKEYS, OPERATORS } from './modules/operators/operator.ts';
import { OPERATOR_SESSIONS } from './modules/operators/session.ts';
import { MILESTONES, ORDERS } from './modules/orders/order.ts';
import type { OrderTables } from './modules/orders/queries.ts';
import { DEADLINES } from './modules/policies/deadline.ts';
import { POLICIES } from './modules/policies/policy.ts';
import { PEOPLE } from './modules/projects/people/person.ts';
import { PROJECTS } from './modules/projects/project.ts';
import { ACCOUNT_CLAIMS, PROVIDER_CREDENTIALS } from './modules/provider-credentials/provider-credentials.ts';
import {
  PROVIDER_STATEMENT_COUNTS,
  PROVIDER_STATEMENT_LINES,
  PROVIDER_STATEMENTS,
} from './modules/provider-statements/statement.ts';
import { RECEIPT_LINKS } from './modules/receipts/receipt-link.ts';
import { ACCEPTED_BREAKS } from './modules/reconciliation/accepted-break.ts';
import { TOPUPS } from './modules/topups/topup.ts';
import { USERS } from './modules/users/user.ts';
import { WALLET_KEYS } from './modules/wallet-keys/wallet-key-state.ts';
import { WEBHOOK_DELIVERIES } from './modules/webhook-deliveries/delivery.ts';
import { WEBHOOK_CURSORS, WEBHOOK_ENDPOINTS } from './modules/webhook-endpoints/endpoint.ts';
import { WEBHOOK_EVENTS } from './modules/webhooks/webhook-event.ts';
import { withdrawalPaymentOwner } from './modules/withdrawals/ledger-payments.ts';
import { WITHDRAWALS } from './modules/withdrawals/withdrawal.ts';

export const TABLES = tableRegistry([
  USERS,
  API_KEYS,
  OPERATORS,
  OPERATOR_CLAIMS,
  OPERATOR_PASSKEYS,
  OPERATOR_SESSIONS,
  RESERVATIONS,
  CLOSINGS,
  WALLETS,
  WALLET_KEYS,
  LEDGER_TRANSACTIONS,
  LEDGER_BUMPS,
  TREASURY_PAYMENTS,
  ACTIVATION_DAYS,
  ACTIVATION_PLACES,
  ACTIVATION_TOTALS,
  PAYMENT_HOLDS,
  DEPOSITS,
  SYNC_GAINS,
  SETTLEMENT_GAINS,
  ORDERS,
  MILESTONES,
  ESCROWS,
  DISPUTES,
  OPERATIONS,
  WEBHOOK_EVENTS,
  WEBHOOK_ENDPOINTS,
  WEBHOOK_CURSORS,
  WEBHOOK_DELIVERIES,
  ALERTS,
  POLICIES,
  DEADLINES,
  APPROVAL_RULES,
  APPROVALS,
  CORRECTIONS,
  NOTE_COUNTS,
  NOTES,
  EVIDENCE,
  EVIDENCE_CONTENTS,
  EVIDENCE_COUNTS,
  DISPUTE_MESSAGES,
  DISPUTE_MESSAGE_COUNTS,
  PROVIDER_STATEMENTS,
  PROVIDER_STATEMENT_LINES,
  PROVIDER_STATEMENT_COUNTS,
  ACCEPTED_BREAKS,
  RECEIPT_LINKS,
  OPENING_CREDITS,
  TOPUPS,
  FLOAT_OPENINGS,
  FLOATS,
  FLOAT_TRANSFERS,
  PROVIDER_CREDENTIALS,
  ACCOUNT_CLAIMS,
  WITHDRAWALS,
  MARKETPLACE_LIMITS,
  DAY_COUNTS,
  PEOPLE,
  PROJECTS,
  ARCHIVES,
]);

/** The tables that an order is read together with. */
export const ORDER_TABLES: OrderTables = { escrows: ESCROWS, disputes: DISPUTES, operations: OPERATIONS };

/** The modules whose rows change when a ledger transaction begins or ends. */
export const ACTION_OWNERS: ActionOwners = { escrow: escrowCallOwner, withdrawal: withdrawalPaymentOwner };
