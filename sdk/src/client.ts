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

export class Holdfast {
  readonly #transport: Transport;
  readonly users: ReturnType<typeof userResource>;
  readonly balances: ReturnType<typeof balanceResource>;
  readonly wallets: ReturnType<typeof walletResource>;
  readonly orders: ReturnType<typeof orderResource>;
  readonly disputes: ReturnType<typeof disputeResource>;
  readonly topups: ReturnType<typeof topupResource>;
  readonly withdrawals: ReturnType<typeof withdrawalResource>;
  readonly keys: ReturnType<typeof keyResource>;
  readonly audit: ReturnType<typeof auditResource>;
  readonly reports: ReturnType<typeof reportResource>;
  readonly reconciliation: ReturnType<typeof reconciliationResource>;
  readonly operations: ReturnType<typeof operationResource>;
  readonly marketplaces: ReturnType<typeof marketplaceResource>;
  readonly service: ReturnType<typeof serviceResource>;
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
