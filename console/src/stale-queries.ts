// Which queries an event makes stale: one row per resource of the events. A page with a new query adds the first part
// of its query key here. A query about one record (`['orders', id]`) is stale only when the event names the record, so
// a busy marketplace causes no requests on the page of one order.

import type { HoldfastEvent } from '@holdfast/sdk';

type Resource = HoldfastEvent['aggregateType'];

const STALE: Readonly<Record<Resource, readonly string[]>> = {
  User: ['users'],
  Wallet: ['users'],
  Balance: ['users', 'proof', 'reports'],
  TopUp: ['topups', 'users', 'reports'],
  Withdrawal: ['withdrawals', 'users', 'reports'],
  Order: ['orders', 'users', 'disputes', 'reports'],
  Escrow: ['orders', 'operations', 'proof', 'reports'],
  Dispute: ['disputes', 'orders', 'reports'],
  Approval: ['approvals', 'orders', 'alerts'],
  Correction: ['corrections', 'orders', 'reconciliation', 'operations', 'topups', 'withdrawals'],
  System: ['alerts'],
};

/** Queries that any event can make stale. */
const ALWAYS = ['audit', 'breaks', 'operations', 'sandbox'] as const;

/** Ids that events name. An event of an order does not name the dispute that shows the order. */
const NAMED = /^(ord|usr|top|wdr|apr)_/;

/** The first parts of the stale query keys. */
export const staleNamesAfter = (events: readonly HoldfastEvent[]): string[] => {
  const names = new Set<string>(events.length > 0 ? ALWAYS : []);
  for (const { aggregateType } of events) for (const name of STALE[aggregateType] ?? []) names.add(name);
  return [...names];
};

/** Every id that the events name. */
export const idsIn = (events: readonly HoldfastEvent[]): string[] =>
  events.flatMap(({ aggregateId, payload }) => [
    aggregateId,
    ...Object.values(payload).filter((value): value is string => typeof value === 'string' && NAMED.test(value)),
  ]);

export type Stale = { readonly name: string; readonly ids: ReadonlySet<string> };

export const isStale = ([first, second]: readonly unknown[], { name, ids }: Stale): boolean =>
  first === name && (typeof second !== 'string' || !NAMED.test(second) || ids.has(second));
