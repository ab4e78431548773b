// What the books gained at a wallet because the ledger had more there: a sync credited it to the user, or a settlement or a correction booked
// it as the operator's. The balance of an account, its transactions and the lists of payments may come from servers that know different ledgers, so
// the payment behind that money may be found later. It then explains the gain: the books count one arrival once, in whichever order they see it.
// The payment is a deposit, or one of our own transactions that is settled later.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Amount, least, minus, plus, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';
import { type Asset, assetOf } from '../keys/wallet.ts';
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

/** Of an address that is paid by a transaction of ours: nearly always there is none, and then no query is needed. */
export const receiverGainNeeds = ({ address, currency }: { readonly address: string; readonly currency: Currency }) =>
  ({ ...settlementGainNeeds({ address, asset: assetOf(currency) }), isNew: true }) as const;

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

/**
 * The amount was booked as the operator's gain: by a settlement, because a transaction of this ledger had spent it, or by a correction, because
 * the balance of this ledger had it.
 */
export const keepSettlementGain = (work: UnitOfWork, gain: OfSettlement & Gained): void =>
  keep(work, { ...gain, at: settlementGainNeeds(gain) });

const compareCursors = (one: string, other: string): number => {
  if (one === other) return 0;
  return laterOf(one, other) === one ? 1 : -1;
};

/** Money that the ledger shows: `cursor` is its operation, or the end of its ledger. */
type Arrived = { readonly at: readonly Place[]; readonly cursor: bigint; readonly amount: Amount };

/** The parts of the open gains at these places that the money explains. They are explained from now on. */
const explain = (work: UnitOfWork, { at, cursor, amount }: Arrived) => {
  const explained = { syncGains: ZERO, settlementGains: ZERO };
  const open = at.flatMap(({ table: of, id }) => {
    const known = work.find(of, id);
    return known && cursor <= BigInt(known.comparedTo) ? [{ of, known }] : [];
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
  return explained;
};

type Deposited = OfSync & OfSettlement & { readonly paymentId: string; readonly amount: Amount };

/** How much of a deposit the books gained before, in each way. */
export const explainByDeposit = (
  work: UnitOfWork,
  { paymentId, amount, ...at }: Deposited,
): { readonly bySync: Amount; readonly bySettlement: Amount } => {
  const cursor = operationOf(paymentId);
  const explained = explain(work, { at: [syncGainNeeds(at), settlementGainNeeds(at)], cursor, amount });
  return { bySync: explained.syncGains, bySettlement: explained.settlementGains };
};

type OwnPayment = {
  readonly address: string;
  readonly currency: Currency;
  readonly amount: Amount;
  /** The transaction, and the ledger that it is in. */
  readonly reference: string;
  readonly ledger: number;
};

/**
 * A transaction of ours has paid one of our addresses, and the payment is in the books. Where a settlement booked that money as the operator's
 * gain before, it is taken out of the gain again. Returns how much that is. No sync has credited it: a sync refuses while a payment of ours
 * is not in the books.
 */
export const explainByOwnPayment = (work: UnitOfWork, { address, currency, amount, ...of }: OwnPayment): Amount => {
  const { reference, ledger } = of;
  const at = [settlementGainNeeds({ address, asset: assetOf(currency) })];
  const { settlementGains: part } = explain(work, { at, cursor: BigInt(endOf(ledger)), amount });
  if (part > ZERO) work.move('unexplained_reversal', { address, currency, amount: part, reference });
  return part;
};
