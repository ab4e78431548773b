// The client: one object with a room for each kind of resource. It keeps nothing but its settings, so one is enough for a
// whole program.

import { type EventStream, type EventsQuery, type EventType, openEvents } from './events.ts';
import { balanceResource } from './resources/balances.ts';
import { disputeResource } from './resources/disputes.ts';
import { keyResource } from './resources/keys.ts';
import { orderResource } from './resources/orders.ts';
import {
  auditResource,
  marketplaceResource,
  operationResource,
  reconciliationResource,
  reportResource,
  serviceResource,
} from './resources/oversight.ts';
import { topupResource, withdrawalResource } from './resources/payments.ts';
import { sandboxResource } from './resources/sandbox.ts';
import { userResource } from './resources/users.ts';
import { walletResource } from './resources/wallets.ts';
import { type ClientOptions, createTransport, type Transport } from './transport.ts';

/**
 * The client of the service.
 *
 * ```ts
 * const holdfast = new Holdfast({ url: 'http://127.0.0.1:4000', apiKey });
 * const order = await holdfast.orders.create({ buyerId, sellerId, amount: '40.00' });
 * ```
 *
 * Amounts are decimal strings. Every failure is a `HoldfastError`. What fails in passing is repeated where a second request
 * cannot do the work twice.
 */
export class Holdfast {
  readonly #transport: Transport;
  /** Buyers and sellers: create, find, suspend, and what they own as a statement. */
  readonly users: ReturnType<typeof userResource>;
  /** What a user has: available and reserved, and every way to change it. */
  readonly balances: ReturnType<typeof balanceResource>;
  /** Addresses on the ledger, and what arrives there. */
  readonly wallets: ReturnType<typeof walletResource>;
  /** The agreement between a buyer and a seller, from its creation to its end. */
  readonly orders: ReturnType<typeof orderResource>;
  /** Disputes about orders: who looks into them, and how they are decided. */
  readonly disputes: ReturnType<typeof disputeResource>;
  /** Money in through the payment provider. */
  readonly topups: ReturnType<typeof topupResource>;
  /** Money out, through the payment provider or over the ledger. */
  readonly withdrawals: ReturnType<typeof withdrawalResource>;
  /** API keys and their short-lived tokens. */
  readonly keys: ReturnType<typeof keyResource>;
  /** Who did what, and the proof that no cent is lost or made. */
  readonly audit: ReturnType<typeof auditResource>;
  /** Where the money is, what happened, and what waits for somebody. */
  readonly reports: ReturnType<typeof reportResource>;
  /** Where the books and the outside systems differ. */
  readonly reconciliation: ReturnType<typeof reconciliationResource>;
  /** What is being carried out with the outside systems. */
  readonly operations: ReturnType<typeof operationResource>;
  /** The marketplaces of this server; for the master key. */
  readonly marketplaces: ReturnType<typeof marketplaceResource>;
  /** What the service is, how it is, and what it does by itself. */
  readonly service: ReturnType<typeof serviceResource>;
  /** The simulators of the outside systems, where the server runs with them. */
  readonly sandbox: ReturnType<typeof sandboxResource>;

  constructor(options: ClientOptions) {
    const transport = createTransport(options);
    this.#transport = transport;
    this.users = userResource(transport);
    this.balances = balanceResource(transport);
    this.wallets = walletResource(transport);
    this.orders = orderResource(transport);
    this.disputes = disputeResource(transport, this.orders);
    this.topups = topupResource(transport);
    this.withdrawals = withdrawalResource(transport);
    this.keys = keyResource(transport);
    this.audit = auditResource(transport);
    this.reports = reportResource(transport);
    this.reconciliation = reconciliationResource(transport);
    this.operations = operationResource(transport);
    this.marketplaces = marketplaceResource(transport);
    this.service = serviceResource(transport);
    this.sandbox = sandboxResource(transport);
  }

  /**
   * Everything that happens, in order, each event once:
   * `for await (const event of client.events({ since, types })) …`. It connects again by itself and ends when the loop is
   * left or the signal is aborted.
   */
  events<Type extends EventType = EventType>(query: EventsQuery<Type> = {}): EventStream<Type> {
    return openEvents(this.#transport, query);
  }
}
