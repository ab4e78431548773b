// Reads of the payment float: the amounts that the books have at the payment provider, and the payments that are open there. It only
// reads.

import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import { type Amount, fromUnits, plus, sumOf } from '../../books/money.ts';
import { selected } from '../../commit/tables.ts';
import { readAcross } from '../../postgres/answering.ts';
import { FLOAT_CURRENCY, type FloatFigures, floatAccounts } from './float.ts';
import { FLOAT_OPENING, type FloatPlace } from './open-float.ts';
import { FLOAT_TRANSFERS, type FloatTransfer } from './transfer-float.ts';

/** Only payments of this account at the provider. Null: the account that all marketplaces share. */
const atAccount = (table: string, parameter: number): string =>
  `${table}.provider_account is not distinct from $${parameter}::text`;

const OPENED = 'select 1 from float_openings t where t.marketplace_id = $1 and t.id = $2';

const BOOKINGS = `select count(*)::integer as count from float_openings t where t.marketplace_id = $1 and t.id like $2 || ':%'`;

// The provider pays a withdrawal only after it has named its payout.
const OPEN_PAYMENTS = `select exists (select 1 from topups t
    where t.status in ('TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING') and ${atAccount('t', 1)})
  or exists (select 1 from withdrawals w where w.provider_payout_id is not null and ${atAccount('w', 1)}
    and w.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')) as some`;

// Given by one marketplace and not yet received by the other. It is still at the provider. Two parts, because the two rows of a transfer
// may be on different machines.
const TRANSIT = `given as materialized (
    select t.id, t.counterpart, t.amount from float_transfers t where t.direction = 'given' and t.arrived_at is null
  ), received as materialized (
    select r.marketplace_id, r.id from given g join float_transfers r on r.marketplace_id = g.counterpart and r.id = g.id
  ), transit as materialized (
    select g.id, g.amount from given g
    where not exists (select 1 from received r where r.marketplace_id = g.counterpart and r.id = g.id)
  )`;

// One statement, so that no transfer is both in transit and booked. Where marketplaces are distributed, each machine shows its own moment;
// the comparisons are repeated before a difference counts.
const TOTAL = `with ${TRANSIT}, books as materialized (
    select -coalesce(sum(a.balance), 0)::bigint as held
    from marketplaces m join accounts a on a.marketplace_id = m.marketplace_id and a.id = any($1)
  ), moving as materialized (
    select coalesce(sum(t.amount), 0)::bigint as "inTransit" from transit t where $2::text is null
  )
  select b.held, m."inTransit" from books b cross join moving m`;

const IN_TRANSIT = `select t.marketplace_id as "marketplaceId", ${selected(FLOAT_TRANSFERS)}
  from float_transfers t where t.direction = 'given' and t.arrived_at is null order by t.created_at limit $1`;

const OVERDRAWN = `select m.marketplace_id as "marketplaceId", -sum(a.balance)::bigint as held,
    coalesce(max(f.credit_line), 0) as "creditLine"
  from marketplaces m join accounts a on a.marketplace_id = m.marketplace_id and a.id = any($1)
  left join floats f on f.marketplace_id = m.marketplace_id and f.id = '${FLOAT_CURRENCY}'
  group by 1 having -sum(a.balance) < -coalesce(max(f.credit_line), 0) order by 1`;

// Also without a credit line: what was paid beyond the float stays owed when the line is lowered.
const CREDIT = `select (count(*) filter (where f.credit_line > 0))::integer as lines, coalesce(sum(f.credit_line), 0)::bigint as granted,
    coalesce(sum(greatest(f.pending_payouts - f.held, 0)), 0)::bigint as used
  from (select f.credit_line, f.pending_payouts, -coalesce((select sum(a.balance) from accounts a
      where a.marketplace_id = f.marketplace_id and a.id = any($1)), 0) as held
    from floats f) f`;

const FIGURES = `select m.marketplace_id as "marketplaceId", -coalesce(sum(a.balance), 0)::bigint as held,
    coalesce(max(f.allotted), 0) as allotted, coalesce(max(f.pending_payouts), 0) as "pendingPayouts",
    coalesce(max(f.credit_line), 0) as "creditLine"
  from marketplaces m
  left join floats f on f.marketplace_id = m.marketplace_id and f.id = '${FLOAT_CURRENCY}'
  left join accounts a on a.marketplace_id = m.marketplace_id and a.id = any($2)
  where m.marketplace_id = any($1) group by 1`;

/**
 * A payment that may be completed at the provider before it is in the books. `fee`: only the provider's fee is missing in the books.
 * `late`: a top-up that has ended, and that may be paid nevertheless.
 */
export type OpenPayment = {
  readonly kind: 'payin' | 'late' | 'fee' | 'payout';
  readonly id: string;
  readonly providerId: string | null;
  readonly amount: Amount;
};

/** The payment provider's balance in the books, and the open payments, at one moment. */
export type FloatPosition = {
  readonly floats: readonly { readonly marketplaceId: string; readonly amount: Amount }[];
  /** The number of postings: the same number means that nothing moved. */
  readonly postings: bigint;
  readonly open: readonly OpenPayment[];
  /** On its way from one marketplace to another, so in the books of neither. */
  readonly inTransit: Amount;
};

/** A marketplace whose float is below what its credit line allows. */
export type OverdrawnFloat = Pick<FloatFigures, 'held' | 'creditLine'> & { readonly marketplaceId: string };

/** The credit lines of all marketplaces together. */
export type CreditSummary = { readonly lines: number; readonly granted: Amount; readonly used: Amount };

/** A transfer and the marketplace that gave it. */
export type PlacedTransfer = { readonly marketplaceId: string; readonly transfer: FloatTransfer };

/** Ended top-ups that are read when the balances differ: those that are polled next, so the youngest among them. */
const LATE_MAX = 500;

// One statement, so that no payment is both open and booked. The fee of a top-up is polled within six hours of its success, so only
// the fees of younger top-ups are still missing. The provider pays only payouts whose id it has returned to us.
const FLOAT_POSITION = `with ${TRANSIT}
  select 'books' as kind, a.marketplace_id as id, null as "providerId",
    -sum(a.balance)::bigint as amount, sum(a.postings)::bigint as postings
  from marketplaces m join accounts a on a.marketplace_id = m.marketplace_id and a.id = any($1) group by 2
  union all
  select 'payin', t.id, t.provider_payin_id, t.amount, 0 from topups t
    where t.status in ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING')
      and ${atAccount('t', 3)}
  union all
  (select 'late', t.id, t.provider_payin_id, t.amount, 0 from topups t where t.status in ('TOPUP_FAILED', 'TOPUP_CANCELED')
    and t.late_amount is null and t.next_look_at < 'infinity' and ${atAccount('t', 3)}
    order by t.next_look_at limit ${LATE_MAX})
  union all
  select 'fee', t.id, t.provider_payin_id, t.amount, 0 from topups t
    where t.status = 'TOPUP_SUCCEEDED' and t.fee is null and t.updated_at > $2::timestamptz - interval '7 hours'
      and ${atAccount('t', 3)}
  union all
  select 'payout', w.id, w.provider_payout_id, w.amount, 0 from withdrawals w
    where w.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')
      and w.provider_payout_id is not null and ${atAccount('w', 3)}
  union all
  select 'transit', t.id, null, t.amount, 0 from transit t where $3::text is null
  order by 1, 2`;

type FloatRow = {
  kind: OpenPayment['kind'] | 'books' | 'transit';
  id: string;
  providerId: string | null;
  amount: bigint;
  postings: bigint;
};

const idsAt = (account: string | null): string[] => floatAccounts(account).map(({ id }) => id);

const ACCOUNTS = idsAt(null);

export const createFloatReads = (pool: pg.Pool) => ({
  /** True when the balance that the provider held before our first payment is in the books. */
  async isOpened({ marketplaceId, id }: FloatPlace = FLOAT_OPENING): Promise<boolean> {
    const values = [marketplaceId, id];
    return (await pool.query({ name: 'float-opened', text: OPENED, values })).rows.length > 0;
  },

  /** How often the operator has booked money that was added or taken out at the provider after the opening. */
  async countBookings(): Promise<number> {
    const { marketplaceId, id } = FLOAT_OPENING;
    return (await pool.query<{ count: number }>(BOOKINGS, [marketplaceId, id])).rows[0]!.count;
  },

  /** True when the provider may complete a payment at any moment. */
  async hasOpenPayments(account: string | null = null): Promise<boolean> {
    return (await pool.query<{ some: boolean }>(OPEN_PAYMENTS, [account])).rows[0]!.some;
  },

  /** What the books of all marketplaces have at this account, with what is in transit between them. */
  async total(account: string | null = null): Promise<Amount> {
    const { rows } = await pool.query<{ held: bigint; inTransit: bigint }>(TOTAL, [idsAt(account), account]);
    return plus(fromUnits(rows[0]!.held), fromUnits(rows[0]!.inTransit));
  },

  /** Transfers of all marketplaces that may not have arrived, the oldest first. */
  async listInTransit(limit: number): Promise<PlacedTransfer[]> {
    const rows = await readAcross<FloatTransfer & { marketplaceId: string }>(pool, {
      text: IN_TRANSIT,
      values: [limit],
    });
    return rows.map(({ marketplaceId, ...transfer }) => ({ marketplaceId, transfer }));
  },

  listOverdrawn: async (): Promise<OverdrawnFloat[]> => (await pool.query<OverdrawnFloat>(OVERDRAWN, [ACCOUNTS])).rows,

  credit: async (): Promise<CreditSummary> => (await pool.query<CreditSummary>(CREDIT, [ACCOUNTS])).rows[0]!,

  /** The float of each of these marketplaces. */
  async figures(marketplaceIds: readonly string[]): Promise<ReadonlyMap<string, FloatFigures>> {
    const { rows } = await pool.query<FloatFigures & { marketplaceId: string }>(FIGURES, [marketplaceIds, ACCOUNTS]);
    return new Map(rows.map(({ marketplaceId, ...figures }) => [marketplaceId, figures]));
  },

  /** The float of each marketplace that has ever had money at the provider, with the payments that may be completed there already. */
  async floatPosition(account: string | null = null): Promise<FloatPosition> {
    const values = [idsAt(account), formatInstant(systemClock()), account];
    const { rows } = await pool.query<FloatRow>(FLOAT_POSITION, values);
    const books = rows.filter(({ kind }) => kind === 'books');
    return {
      floats: books.map(({ id, amount }) => ({ marketplaceId: id, amount: fromUnits(amount) })),
      postings: books.reduce((sum, { postings }) => sum + postings, 0n),
      open: rows.flatMap(({ kind, id, providerId, amount }) =>
        kind === 'books' || kind === 'transit' ? [] : [{ kind, id, providerId, amount: fromUnits(amount) }],
      ),
      inTransit: sumOf(rows.flatMap(({ kind, amount }) => (kind === 'transit' ? [fromUnits(amount)] : []))),
    };
  },
});

export type FloatReads = ReturnType<typeof createFloatReads>;
