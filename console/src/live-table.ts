// Which answers an event makes stale. One row for each resource that events tell of; a page that shows something new adds
// the first part of its query key here.

import type { HoldfastEvent } from '@holdfast/sdk';

type Resource = HoldfastEvent['aggregateType'];

const STALE: Readonly<Record<Resource, readonly string[]>> = {
  User: ['users'],
  Balance: ['users', 'proof', 'reports'],
  TopUp: ['topups', 'users', 'reports'],
  Withdrawal: ['withdrawals', 'users', 'reports'],
  Order: ['orders', 'users', 'disputes', 'reports'],
  Escrow: ['orders', 'operations', 'proof', 'reports'],
  Dispute: ['disputes', 'orders', 'reports'],
};

/** Everything an event could have changed besides what it is about. */
const ALWAYS = ['audit', 'breaks', 'operations', 'sandbox'] as const;

/** The first parts of the query keys. */
export const staleAfter = (events: readonly HoldfastEvent[]): string[] => {
  const names = new Set<string>(events.length > 0 ? ALWAYS : []);
  for (const { aggregateType } of events) for (const name of STALE[aggregateType] ?? []) names.add(name);
  return [...names];
};
