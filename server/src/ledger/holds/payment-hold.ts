// A hold of outgoing payments: of the whole deployment, or of one wallet. While it lasts nothing is signed that leaves a wallet, no payout
// is made, and what was requested waits. The hold of the deployment is a row of the default marketplace. It also says which outside
// systems were compared with the books since it began: the database may be older than they are. The other marketplaces have a copy of that
// (begin-hold.ts).

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { command, runCommand, type Submit } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';

/** A transaction of the ledger with payments that nothing in the books explains. Units of 10^-7 as text. */
type HeldTransaction = {
  readonly hash: string;
  readonly at: string;
  readonly payments: readonly { readonly to: string; readonly asset: 'USDC' | 'XLM'; readonly units: string }[];
};

export type PaymentHold = {
  /** The id of the wallet, or `all`. */
  readonly id: string;
  readonly held: boolean;
  readonly reason: string;
  /** The actor, such as `master`, or `restore` after a restored backup. */
  readonly heldBy: string | null;
  readonly transactions: readonly HeldTransaction[];
  /** The hashes that an operator has accepted with a release. */
  readonly accepted: readonly string[];
  readonly since: string;
  /** Of a restored backup: when it was taken. The books know nothing after it. */
  readonly booksUntil: string | null;
  /** Of the deployment: what was compared with the books since the hold began, also after its release. */
  readonly compared: readonly string[];
  readonly updatedAt: string;
};

/** The id of the hold of all payments. */
export const ALL_PAYMENTS = 'all';

/** What a hold of the deployment compares with the books: all wallets, and the payouts of all accounts at the payment provider. */
export const COMPARISONS = ['ledger', 'payouts'] as const;

export type Comparison = (typeof COMPARISONS)[number];

/** The accounts at the payment provider are compared one by one. Null: the account that all marketplaces share. */
export const payoutsOf = (providerAccount: string | null): string => `payouts:${providerAccount ?? 'shared'}`;

export const isCompared = ({ compared }: Pick<PaymentHold, 'compared'>, what: string): boolean =>
  compared.includes(what);

declare module '../../commit/tables.ts' {
  interface Tables {
    paymentHolds: PaymentHold;
  }
  interface Lookups {
    paymentHolds: Record<never, string>;
  }
}

export const PAYMENT_HOLDS = table('paymentHolds', {
  notFound: 'INTERNAL_ERROR',
  sql: 'payment_holds',
  columns: [
    'id',
    'held',
    'reason',
    'heldBy',
    'transactions',
    'accepted',
    'since',
    'booksUntil',
    'compared',
    'updatedAt',
  ],
  lookups: {},
});

type HoldInput = {
  readonly id: string;
  readonly reason: string;
  readonly transactions?: readonly HeldTransaction[];
  /** The database was restored from a backup of this time; null when the time is not known. */
  readonly restored?: { readonly takenAt: string | null };
  /** What a new hold does not have to compare. */
  readonly compared?: readonly string[];
};

/** What an earlier hold has not compared to its end, the new one compares too. */
const booksUntilOf = (before: PaymentHold | undefined, { restored }: HoldInput): string | null => {
  const isOpen = before !== undefined && !COMPARISONS.every((what) => isCompared(before, what));
  const times = [restored?.takenAt ?? null, isOpen ? before.booksUntil : null].filter((time) => time !== null);
  return times.sort()[0] ?? null;
};

/**
 * Holds payments. A hold that exists keeps its reason and its time, and learns of more transactions; a restore begins a new one. A
 * transaction that an operator has accepted since it was read holds nothing.
 */
export const holdPayments = command<HoldInput, PaymentHold>({
  name: 'hold-payments',
  needs: ({ id }) => ({ rows: [{ table: 'paymentHolds', id }] }),
  decide(input, work) {
    const { id, reason, transactions = [], restored, compared = [] } = input;
    const before = work.find('paymentHolds', id) ?? undefined;
    const kept = before?.held && !restored ? before : undefined;
    const known = before?.held ? before.transactions : [];
    const open = transactions.filter(({ hash }) => !before?.accepted.includes(hash));
    const added = open.filter(({ hash }) => !known.some((other) => other.hash === hash));
    if (kept && added.length === 0) return kept;
    if (before && transactions.length > 0 && open.length === 0) return before;
    const hold: PaymentHold = {
      id,
      held: true,
      reason: kept?.reason ?? reason,
      heldBy: kept ? kept.heldBy : work.context.actor.id,
      transactions: [...known, ...added],
      accepted: before?.accepted ?? [],
      since: kept?.since ?? work.now,
      booksUntil: kept ? kept.booksUntil : booksUntilOf(before, input),
      compared: kept?.compared ?? compared,
      updatedAt: work.now,
    };
    work.put('paymentHolds', hold);
    work.audit({
      action: 'PAYMENTS_HELD',
      resourceType: 'PaymentHold',
      resourceId: id,
      after: { reason: hold.reason, ...(added.length > 0 ? { transactions: added } : {}) },
    });
    return hold;
  },
});

/** Records that an outside system was compared with the books, unless another hold has begun since. */
const recordComparison = command<{ readonly since: string; readonly what: string }, null>({
  name: 'record-comparison',
  needs: () => ({ rows: [{ table: 'paymentHolds', id: ALL_PAYMENTS }] }),
  decide({ since, what }, work) {
    const before = work.find('paymentHolds', ALL_PAYMENTS);
    if (!before || before.since !== since || isCompared(before, what)) return null;
    work.put('paymentHolds', { ...before, compared: [...before.compared, what], updatedAt: work.now });
    work.audit({
      action: 'PAYMENTS_COMPARED',
      resourceType: 'PaymentHold',
      resourceId: ALL_PAYMENTS,
      after: { compared: what },
    });
    return null;
  },
});

/** A hold of the deployment. Each marketplace has a row of it, which its own commands read. */
export type OpenComparison = Pick<PaymentHold, 'since'> & { readonly marketplaceId?: string };

export type RecordComparison = (hold: OpenComparison, what: string) => Promise<void>;

export const comparisonRecorder =
  (submit: Submit): RecordComparison =>
  async ({ since, marketplaceId = DEFAULT_MARKETPLACE }, what) => {
    const actor = { type: 'system', id: 'comparison' } as const;
    const context = { marketplaceId, actor, requestId: `compared-${what}` };
    await runCommand(submit, { command: recordComparison, input: { since, what }, context });
  };

/** Ends a hold and accepts its transactions. Null: there is none. */
export const releasePayments = command<{ readonly id: string }, PaymentHold | null>({
  name: 'release-payments',
  needs: ({ id }) => ({ rows: [{ table: 'paymentHolds', id }] }),
  decide({ id }, work) {
    const before = work.find('paymentHolds', id);
    if (!before?.held) return null;
    const fresh = before.transactions.map(({ hash }) => hash).filter((hash) => !before.accepted.includes(hash));
    const hold = { ...before, held: false, accepted: [...before.accepted, ...fresh], updatedAt: work.now };
    work.put('paymentHolds', hold);
    work.audit({
      action: 'PAYMENTS_RELEASED',
      resourceType: 'PaymentHold',
      resourceId: id,
      before: { reason: before.reason, since: before.since },
      after: { accepted: fresh },
    });
    return hold;
  },
});
