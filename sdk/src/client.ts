// The client: one object with one property for each kind of resource. The client stores only its settings, so one client is enough
// for a whole program.

import { createChanges } from './changes.ts';
import { type EventStream, type EventsQuery, type EventType, openEvents } from './events.ts';
import { approvalResource } from './resources/approvals.ts';
import { balanceResource } from './resources/balances.ts';
import { correctionResource } from './resources/corrections.ts';
import { disputeFiles } from './resources/dispute-files.ts';
import { disputeResource } from './resources/disputes.ts';
import { exportResource } from './resources/exports.ts';
import { keyResource } from './resources/keys.ts';
import { noteResource } from './resources/notes.ts';
import { operatorResource } from './resources/operators.ts';
import { orderWait } from './resources/order-reads.ts';
import { orderResource } from './resources/orders.ts';
import {
  alertResource,
  auditResource,
  marketplaceResource,
  operationResource,
  reconciliationResource,
  serviceResource,
  walletKeyResource,
} from './resources/oversight.ts';
import { topupResource, withdrawalResource } from './resources/payments.ts';
import { policyResource } from './resources/policies.ts';
import { providerStatementResource } from './resources/provider-statements.ts';
import { receiptActions } from './resources/receipts.ts';
import { reportResource } from './resources/reports.ts';
import { sandboxResource } from './resources/sandbox.ts';
import { userResource } from './resources/users.ts';
import { walletResource } from './resources/wallets.ts';
import { webhookDeliveryResource, webhookEndpointResource } from './resources/webhook-endpoints.ts';
import { type ClientOptions, createTransport, type Transport } from './transport.ts';

/**
 * The client of the service.
 *
 * ```ts
 * const holdfast = new Holdfast({ url: 'http://127.0.0.1:4000', apiKey });
 * const order = await holdfast.orders.create({ buyerId, sellerId, amount: '40.00' });
 * ```
 *
 * Amounts are decimal strings. Every failure is a `HoldfastError`. The client repeats a request after a temporary failure where a
 * second request cannot do the work twice.
 */
export class Holdfast {
  readonly #transport: Transport;
  /** Buyers and sellers: create, find, suspend, and read their statements. */
  readonly users: ReturnType<typeof userResource>;
  /** The available and reserved balance of a user, and every way to change it. */
  readonly balances: ReturnType<typeof balanceResource>;
  /** Addresses on the ledger, and their deposits. */
  readonly wallets: ReturnType<typeof walletResource>;
  /** The agreement between a buyer and a seller, from its creation to its end. */
  readonly orders: ReturnType<typeof orderResource> & ReturnType<typeof orderWait> & ReturnType<typeof receiptActions>;
  /** Disputes about orders: assign them to an agent and resolve them. */
  readonly disputes: ReturnType<typeof disputeResource> & ReturnType<typeof disputeFiles>;
  /** Money in through the payment provider. */
  readonly topups: ReturnType<typeof topupResource>;
  /** Money out, through the payment provider or over the ledger. */
  readonly withdrawals: ReturnType<typeof withdrawalResource>;
  /** Named rules for orders: deadlines, reminders, fees and permissions. */
  readonly policies: ReturnType<typeof policyResource>;
  /** Requests that wait for another actor, and the rules that make them wait. */
  readonly approvals: ReturnType<typeof approvalResource>;
  /** Ways out of states that no other call can leave. */
  readonly corrections: ReturnType<typeof correctionResource>;
  /** What people write down about a record, for each other. */
  readonly notes: ReturnType<typeof noteResource>;
  /** Addresses that get the events as signed requests. */
  readonly webhookEndpoints: ReturnType<typeof webhookEndpointResource>;
  /** The log of what was sent to them. */
  readonly webhookDeliveries: ReturnType<typeof webhookDeliveryResource>;
  /** API keys and their short-lived tokens. */
  readonly keys: ReturnType<typeof keyResource>;
  /** People who sign in to the console: their roles and sessions. */
  readonly operators: ReturnType<typeof operatorResource>;
  /** The audit trail, and the proof that every cent is accounted for. */
  readonly audit: ReturnType<typeof auditResource>;
  /** Reports: where the money is, recent activity, and open work. */
  readonly reports: ReturnType<typeof reportResource>;
  /** The books as files for bookkeeping tools. */
  readonly exports: ReturnType<typeof exportResource>;
  /** Differences between the books and the outside systems. */
  readonly reconciliation: ReturnType<typeof reconciliationResource>;
  /** Statements of the outside systems, compared with our records. */
  readonly providerStatements: ReturnType<typeof providerStatementResource>;
  /** Conditions that a person has to look at. */
  readonly alerts: ReturnType<typeof alertResource>;
  /** Operations: the work with the outside systems on behalf of orders. */
  readonly operations: ReturnType<typeof operationResource>;
  /** The marketplaces of this server; for the master key. */
  readonly marketplaces: ReturnType<typeof marketplaceResource>;
  /** The key-encryption keys of the wallets; for the master key. */
  readonly walletKeys: ReturnType<typeof walletKeyResource>;
  /** Configuration, health and background jobs of the service. */
  readonly service: ReturnType<typeof serviceResource>;
  /** The simulators of the outside systems, if the server runs with them. */
  readonly sandbox: ReturnType<typeof sandboxResource>;

  constructor(options: ClientOptions) {
    const transport = createTransport(options);
    this.#transport = transport;
    const changes = createChanges(transport);
    this.users = userResource(transport);
    this.balances = balanceResource(transport);
    this.wallets = walletResource(transport);
    const orders = orderResource(transport);
    this.orders = { ...orders, ...orderWait(changes, orders), ...receiptActions(transport) };
    this.disputes = { ...disputeResource(transport, { orders: this.orders, changes }), ...disputeFiles(transport) };
    this.topups = topupResource(transport, changes);
    this.withdrawals = withdrawalResource(transport, changes);
    this.policies = policyResource(transport);
    this.approvals = approvalResource(transport, changes);
    this.corrections = correctionResource(transport);
    this.notes = noteResource(transport);
    this.webhookEndpoints = webhookEndpointResource(transport);
    this.webhookDeliveries = webhookDeliveryResource(transport);
    this.keys = keyResource(transport);
    this.operators = operatorResource(transport);
    this.audit = auditResource(transport);
    this.reports = reportResource(transport);
    this.exports = exportResource(transport);
    this.reconciliation = reconciliationResource(transport);
    this.providerStatements = providerStatementResource(transport);
    this.alerts = alertResource(transport);
    this.operations = operationResource(transport, changes);
    this.marketplaces = marketplaceResource(transport);
    this.walletKeys = walletKeyResource(transport);
    this.service = serviceResource(transport);
    this.sandbox = sandboxResource(transport);
  }

  /**
   * All events, in order, each event once: `for await (const event of client.events({ since, types })) …`. The stream connects
   * again automatically. It ends when the loop is left or the signal is aborted.
   */
  events<Type extends EventType = EventType>(query: EventsQuery<Type> = {}): EventStream<Type> {
    return openEvents(this.#transport, query);
  }
}
