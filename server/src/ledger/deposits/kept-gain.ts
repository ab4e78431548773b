// What the books gained at a wallet because the ledger had more there: a sync credited it to the user, or a settlement booked it as the
// operator's. The balance of an account, its transactions and the lists of payments may come from servers that know different ledgers, so
// the payment behind that money may be found later. It then explains the gain: the books count one arrival once, in whichever order they see it.

import { type Amount, least, minus, plus, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';
import type { Asset } from '../keys/wallet.ts';
import { endOf, laterOf, operationOf } from './ledger-cursor.ts';

type KeptGain = {
  readonly id: string;
  /** What no payment has explained yet. */
  readonly amount: Amount;
  /** The end of the newest ledger that the books were compared with. A later payment is other money. */
  readonly comparedTo: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    syncGains: KeptGain;
    settlementGains: KeptGain;
  }
  interface Lookups {
    syncGains: Record<never, string>;
    settlementGains: Record<never, string>;
  }
}

export const SYNC_GAINS = table('syncGains', {
  notFound: 'INTERNAL_ERROR',
  sql: 'sync_gains',
  columns: ['id', 'amount', 'comparedTo', 'createdAt', 'updatedAt'],
  lookups: {},
});

export const SETTLEMENT_GAINS = table('settlementGains', {
  notFound: 'INTERNAL_ERROR',
  sql: 'settlement_gains',
  columns: ['id', 'amount', 'comparedTo', 'createdAt', 'updatedAt'],
  lookups: {},
});

type OfSync = { readonly walletId: string; readonly asset: Asset };
/** A settlement knows the address and not the wallet. */
type OfSettlement = { readonly address: string; readonly asset: Asset };

export const syncGainNeeds = ({ walletId, asset }: OfSync) =>
  ({ table: 'syncGains', id: `${walletId}:${asset}` }) as const;

export const settlementGainNeeds = ({ address, asset }: OfSettlement) =>
  ({ table: 'settlementGains', id: `${address}:${asset}` }) as const;

type Place = ReturnType<typeof syncGainNeeds> | ReturnType<typeof settlementGainNeeds>;

/** The amount, and the ledger that the books were compared with. */
type Gained = { readonly amount: Amount; readonly ledger: number };

const keep = (work: UnitOfWork, { at: { table: of, id }, amount, ledger }: Gained & { readonly at: Place }): void => {
  const known = work.find(of, id);
  const comparedTo = endOf(ledger);
  work.put(of, {
    id,
    amount: plus(known?.amount ?? ZERO, amount),
    comparedTo: known ? laterOf(known.comparedTo, comparedTo) : comparedTo,
    createdAt: known?.createdAt ?? work.now,
    updatedAt: work.now,
  });
};

/** A sync has credited the amount, from a balance of this ledger. */
export const keepSyncGain = (work: UnitOfWork, gain: OfSync & Gained): void =>
  keep(work, { ...gain, at: syncGainNeeds(gain) });

/** A settlement has booked the amount as the operator's gain: a transaction of this ledger had spent it. */
export const keepSettlementGain = (work: UnitOfWork, gain: OfSettlement & Gained): void =>
  keep(work, { ...gain, at: settlementGainNeeds(gain) });

const compareCursors = (one: string, other: string): number => {
  if (one === other) return 0;
  return laterOf(one, other) === one ? 1 : -1;
};

type Payment = OfSync & OfSettlement & { readonly paymentId: string; readonly amount: Amount };

/** How much of the payment the books gained before, in each way. Those parts of the gains are explained now. */
export const explainGains = (
  work: UnitOfWork,
  { paymentId, amount, ...at }: Payment,
): { readonly bySync: Amount; readonly bySettlement: Amount } => {
  const explained = { syncGains: ZERO, settlementGains: ZERO };
  const open = [syncGainNeeds(at), settlementGainNeeds(at)].flatMap(({ table: of, id }) => {
    const known = work.find(of, id);
    return known && operationOf(paymentId) <= BigInt(known.comparedTo) ? [{ of, known }] : [];
  });
  // Fewer payments can explain the gain of the earlier ledger, so it comes first. Otherwise a later payment would find only that gain, which
  // it cannot explain, and would be booked as new money. Of gains of the same ledger the sync's comes first: the sort is stable.
  open.sort((one, other) => compareCursors(one.known.comparedTo, other.known.comparedTo));
  let rest = amount;
  for (const { of, known } of open) {
    const part = least(known.amount, rest);
    if (part === ZERO) continue;
    work.put(of, { ...known, amount: minus(known.amount, part), updatedAt: work.now });
    explained[of] = part;
    rest = minus(rest, part);
  }
  return { bySync: explained.syncGains, bySettlement: explained.settlementGains };
};
