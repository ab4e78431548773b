// What a sync credited because a wallet had more on the ledger than in the books. The balance of an account and the lists of payments may
// come from servers that know different ledgers, so the payment behind that money may be found after the sync. It then explains the
// gain and is not credited again: one arrival is credited once, in whichever order the two are seen.

import { type Amount, least, minus, plus, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';
import type { Asset } from '../keys/wallet.ts';
import { endOf, operationOf } from './ledger-cursor.ts';

type SyncGain = {
  readonly id: string;
  /** What no payment has explained yet. */
  readonly amount: Amount;
  /** The end of the newest ledger that a sync has compared. A later payment is other money. */
  readonly comparedTo: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    syncGains: SyncGain;
  }
  interface Lookups {
    syncGains: Record<never, string>;
  }
}

export const SYNC_GAINS = table('syncGains', {
  notFound: 'INTERNAL_ERROR',
  sql: 'sync_gains',
  columns: ['id', 'amount', 'comparedTo', 'createdAt', 'updatedAt'],
  lookups: {},
});

type At = { readonly walletId: string; readonly asset: Asset };

const idOf = ({ walletId, asset }: At): string => `${walletId}:${asset}`;

export const syncGainNeeds = (at: At) => ({ table: 'syncGains', id: idOf(at) }) as const;

/** A sync has credited the amount, from a balance of this ledger. */
export const keepSyncGain = (
  work: UnitOfWork,
  { amount, ledger, ...at }: At & { readonly amount: Amount; readonly ledger: number },
): void => {
  const id = idOf(at);
  const known = work.find('syncGains', id);
  work.put('syncGains', {
    id,
    amount: plus(known?.amount ?? ZERO, amount),
    comparedTo: endOf(ledger),
    createdAt: known?.createdAt ?? work.now,
    updatedAt: work.now,
  });
};

/** How much of the payment a sync has credited before. That part of the gain is explained now. */
export const explainSyncGain = (
  work: UnitOfWork,
  { paymentId, amount, ...at }: At & { readonly paymentId: string; readonly amount: Amount },
): Amount => {
  const known = work.find('syncGains', idOf(at));
  if (known === undefined || operationOf(paymentId) > BigInt(known.comparedTo)) return ZERO;
  const explained = least(known.amount, amount);
  if (explained === ZERO) return ZERO;
  work.put('syncGains', { ...known, amount: minus(known.amount, explained), updatedAt: work.now });
  return explained;
};
