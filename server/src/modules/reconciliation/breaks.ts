// Breaks: differences between the books and an outside system. They are observations: nothing here moves money. A break whose
// difference is gone stays stored as resolved. Breaks of some kinds are only alerts, which say nothing about the books: an event of the
// escrow provider that was not booked, a payout over another amount, a top-up that was paid late.

import { ALERT_KIND, ALERT_KINDS, SURPLUS_KIND } from '@holdfast/contract/api/reconciliation.ts';
import type { BreakKind } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import { type Amount, formatExact, fromUnits, minus, ZERO } from '../../books/money.ts';
import type { SetAside } from '../../ledger/deposits/set-aside.ts';
import type { PlacedUnexplained } from '../../ledger/holds/unexplained.ts';
import { readAcross } from '../../postgres/answering.ts';
import { ofMarketplace, sendWhereDue } from '../../postgres/by-marketplace.ts';

/** Surpluses are stored in the same table and are no breaks: they are listed apart, and count for no alert and no proof. */
type SeenKind = BreakKind | typeof SURPLUS_KIND;

export type BreakId = { readonly marketplaceId: string; readonly kind: SeenKind; readonly subject: string };

export type OpenBreak = {
  readonly marketplaceId: string;
  readonly kind: BreakKind;
  readonly subject: string;
  readonly reason: string | null;
  readonly firstSeenAt: string;
};

export type Compared = { readonly expected: Amount; readonly actual: Amount };

export type SeenBreak = BreakId & Compared & { readonly reason?: string };

export const keyOf = ({ marketplaceId, kind, subject }: BreakId): string => `${marketplaceId} ${kind} ${subject}`;

const differenceOf = ({ expected, actual }: Compared): Amount => minus(actual, expected);

export const differs = (compared: Compared): boolean => differenceOf(compared) !== ZERO;

/** True when an earlier comparison saw the same difference. Only then does a difference count. */
export const isSeenIn = (earlier: readonly SeenBreak[], seen: SeenBreak): boolean =>
  earlier.some((one) => keyOf(one) === keyOf(seen) && differenceOf(one) === differenceOf(seen));

export type BreakSummary = {
  readonly open: readonly { readonly kind: BreakKind; readonly count: number }[];
  /** Of the breaks that concern the books; null when none is open. */
  readonly oldestAt: string | null;
};

// A resolved break that is seen again starts with a new age.
const SEEN = `insert into breaks as b
    (marketplace_id, kind, subject, expected, actual, difference, reason, first_seen_at, last_seen_at)
  values ($1, $2, $3, $4, $5, $6, $7, now(), now())
  on conflict (marketplace_id, kind, subject) do update
    set expected = excluded.expected, actual = excluded.actual, difference = excluded.difference,
      reason = excluded.reason,
      first_seen_at = case when b.resolved_at is null then b.first_seen_at else excluded.first_seen_at end,
      last_seen_at = excluded.last_seen_at, resolved_at = null`;

const ACCEPTED = `select 1 from accepted_breaks a
  where a.marketplace_id = $1 and a.id = $2::text || ':' || $3::text and a.expected = $4 and a.actual = $5`;

const RESOLVE = `update breaks set resolved_at = now()
  where marketplace_id = $1 and kind = $2 and subject = $3 and resolved_at is null`;

const OPEN = `select marketplace_id as "marketplaceId", kind, subject from breaks where resolved_at is null`;

const OPEN_SINCE = `select t.marketplace_id as "marketplaceId", t.kind, t.subject, t.reason, t.first_seen_at as "firstSeenAt"
  from breaks t where t.resolved_at is null and t.kind <> '${SURPLUS_KIND}' order by t.first_seen_at limit $1`;

const OPEN_OF_KIND = `select marketplace_id as "marketplaceId", kind, subject from breaks
  where kind = $1 and resolved_at is null order by last_seen_at limit $2`;

const OPEN_WITH_REASONS = `select marketplace_id as "marketplaceId", kind, subject from breaks
  where marketplace_id = $1 and kind = $2 and reason = any($3) and resolved_at is null order by last_seen_at limit $4`;

const SUMMARY = `select kind, count(*)::integer as count, min(first_seen_at) as "oldestAt"
  from breaks where resolved_at is null and kind <> '${SURPLUS_KIND}' group by kind order by kind`;

// An alert whose event is no longer set aside is over, however that came about.
const IS_DECIDED = `b.kind = '${ALERT_KIND}' and b.resolved_at is null and not exists (select 1 from webhook_events e
    where e.marketplace_id = b.marketplace_id and e.id = b.subject and e.state = 'SET_ASIDE')`;

const RESOLVE_ALERTS = `update breaks b set resolved_at = now() where ${IS_DECIDED} and ${ofMarketplace('b.marketplace_id', 1)}`;

const FIND_DECIDED = `select b.marketplace_id as "marketplaceId" from breaks b where ${IS_DECIDED} limit $1`;
const DECIDED_MAX = 10_000;

// A process that stopped between a correction and its break leaves the break open.
const IS_ACCEPTED = `b.resolved_at is null and exists (select 1 from accepted_breaks a where a.marketplace_id = b.marketplace_id
    and a.id = b.kind || ':' || b.subject and a.expected = b.expected and a.actual = b.actual)`;

const RESOLVE_ACCEPTED = `update breaks b set resolved_at = now() where ${IS_ACCEPTED} and ${ofMarketplace('b.marketplace_id', 1)}`;

const FIND_ACCEPTED = `select b.marketplace_id as "marketplaceId" from breaks b where ${IS_ACCEPTED} limit $1`;

const idOf = ({ marketplaceId, kind, subject }: BreakId) => [marketplaceId, kind, subject];

export const createBreaks = (pool: pg.Pool) => ({
  async see(seen: SeenBreak): Promise<void> {
    const { expected, actual } = seen;
    const shown = [expected, actual, minus(actual, expected)].map(formatExact);
    const accepted = await pool.query(ACCEPTED, [...idOf(seen), shown[0], shown[1]]);
    if (accepted.rows.length > 0) return;
    await pool.query(SEEN, [...idOf(seen), ...shown, seen.reason ?? null]);
  },

  async resolve(gone: BreakId): Promise<void> {
    await pool.query(RESOLVE, idOf(gone));
  },

  /** Resolves the alerts about events that are no longer set aside. */
  async resolveAlerts(): Promise<void> {
    const send = async ({ marketplaceId }: { marketplaceId: string | null }): Promise<never[]> =>
      (await pool.query<never>(RESOLVE_ALERTS, [marketplaceId])).rows;
    await sendWhereDue(pool, { find: FIND_DECIDED, limit: DECIDED_MAX, send });
  },

  /** Resolves the breaks that a correction has closed with the figures that they show. */
  async resolveAccepted(): Promise<void> {
    const send = async ({ marketplaceId }: { marketplaceId: string | null }): Promise<never[]> =>
      (await pool.query<never>(RESOLVE_ACCEPTED, [marketplaceId])).rows;
    await sendWhereDue(pool, { find: FIND_ACCEPTED, limit: DECIDED_MAX, send });
  },

  /** The open breaks of the kind that were seen longest ago, of all marketplaces. */
  async listOpenOf(kind: BreakKind, limit: number): Promise<BreakId[]> {
    return readAcross<BreakId>(pool, { text: OPEN_OF_KIND, values: [kind, limit] });
  },

  /** The open breaks of the kind in a marketplace that have one of these reasons, those first that were seen longest ago. */
  async listOpenWith(
    wanted: Pick<OpenBreak, 'marketplaceId' | 'kind'> & { reasons: readonly string[]; limit: number },
  ) {
    const { marketplaceId, kind, reasons, limit } = wanted;
    const values = [marketplaceId, kind, reasons, limit];
    return (await pool.query<BreakId>({ name: 'open-breaks-with-reasons', text: OPEN_WITH_REASONS, values })).rows;
  },

  /** Without surpluses, of all marketplaces, oldest first. */
  async listOpenSince(limit: number): Promise<OpenBreak[]> {
    return readAcross<OpenBreak>(pool, { text: OPEN_SINCE, values: [limit] });
  },

  async listOpen(): Promise<BreakId[]> {
    return readAcross<BreakId>(pool, { text: OPEN });
  },

  /** Of all marketplaces. */
  async summary(): Promise<BreakSummary> {
    const { rows } = await pool.query<{ kind: BreakKind; count: number; oldestAt: string }>(SUMMARY);
    const ofBooks = rows.filter(({ kind }) => !ALERT_KINDS.includes(kind));
    const oldestAt = ofBooks.map((row) => row.oldestAt).sort()[0] ?? null;
    return { open: rows.map(({ kind, count }) => ({ kind, count })), oldestAt };
  },
});

export type Breaks = ReturnType<typeof createBreaks>;

const DEPOSIT = 'deposit';

const placeOf = ({ marketplaceId, subject }: BreakId) => ({ marketplaceId, id: subject });

/** Payments that were not credited, each as a break whose subject is the operation of the ledger. */
export const uncreditedDeposits = (
  breaks: Pick<Breaks, 'see' | 'resolve' | 'listOpenOf' | 'listOpenWith'>,
): SetAside => ({
  see: ({ marketplaceId, id, amount, reason }) =>
    breaks.see({ marketplaceId, kind: DEPOSIT, subject: id, expected: ZERO, actual: amount, reason }),
  resolve: ({ marketplaceId, id }) => breaks.resolve({ marketplaceId, kind: DEPOSIT, subject: id }),
  list: async (limit) => (await breaks.listOpenOf(DEPOSIT, limit)).map(placeOf),
  listOf: async (wanted) => (await breaks.listOpenWith({ ...wanted, kind: DEPOSIT })).map(placeOf),
});

const UNEXPLAINED = 'unexplained-payment';

/** Payments of our wallets that nothing in the books explains, each as a break of its own. */
export const unexplainedPayments = (breaks: Pick<Breaks, 'see' | 'resolve'>) => {
  const subjectOf = (hash: string, index: number): string => `${hash}-${index + 1}`;
  return {
    async see({ marketplaceId, source, hash, payments }: PlacedUnexplained): Promise<void> {
      for (const [index, { to, asset, units }] of payments.entries()) {
        const actual = fromUnits(BigInt(units));
        const paid = `The wallet ${source} paid ${formatExact(actual)} ${asset} to ${to} in the transaction ${hash}`;
        const reason = `${paid}, and nothing in the books explains it. The wallet is held.`;
        const subject = subjectOf(hash, index);
        await breaks.see({ marketplaceId, kind: UNEXPLAINED, subject, expected: ZERO, actual, reason });
      }
    },
    /** An operator has accepted the transaction. */
    async accept(of: { marketplaceId: string; hash: string; payments: number }): Promise<void> {
      const { marketplaceId, hash, payments } = of;
      for (let index = 0; index < payments; index++) {
        await breaks.resolve({ marketplaceId, kind: UNEXPLAINED, subject: subjectOf(hash, index) });
      }
    },
  };
};

const LOST = 'lost-payout';
const ACCEPTED_AT_ONCE = 1_000;

/** Payouts of the payment provider whose withdrawal is not in the books. */
export const lostPayouts = (breaks: Pick<Breaks, 'see' | 'resolve' | 'listOpenOf' | 'summary'>) => ({
  see: ({ marketplaceId, payoutId, amount, reason }: LostPayout): Promise<void> =>
    breaks.see({ marketplaceId, kind: LOST, subject: payoutId, expected: ZERO, actual: amount, reason }),
  count: async (): Promise<number> => (await breaks.summary()).open.find(({ kind }) => kind === LOST)?.count ?? 0,
  /** An operator has seen them. */
  async acceptAll(): Promise<void> {
    for (const one of await breaks.listOpenOf(LOST, ACCEPTED_AT_ONCE)) await breaks.resolve(one);
  },
});

export type LostPayout = {
  readonly marketplaceId: string;
  readonly payoutId: string;
  readonly amount: Amount;
  readonly reason: string;
};
