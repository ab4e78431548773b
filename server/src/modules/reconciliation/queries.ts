// Reads of reconciliation: pages of breaks, and what the books have in escrow contracts.

import { SURPLUS_KIND } from '@holdfast/contract/api/reconciliation.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import type { BreakKind } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import { parseInstant } from '../../base/instant.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import { readAcross } from '../../postgres/answering.ts';
import { ofMarketplace, sendByMarketplace } from '../../postgres/by-marketplace.ts';
import { conditions, type PageOf, type PageRequest } from '../../postgres/page.ts';

export type BreakRecord = {
  readonly id: string;
  readonly kind: BreakKind;
  readonly subject: string;
  readonly expected: string;
  readonly actual: string;
  readonly difference: string;
  readonly reason: string | null;
  readonly owner: 'user' | 'treasury' | 'platform' | null;
  readonly userId: string | null;
  readonly orderId: string | null;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly resolvedAt: string | null;
  /** From the first time it was seen until now, or until it was resolved. */
  readonly ageSeconds: number;
};

type BreakFilter = {
  readonly kind?: string;
  readonly subject?: string;
  readonly open?: boolean;
  readonly from?: string;
  readonly to?: string;
};

const ORDER_OF = `(select max(e.order_id) from escrows e
    where e.marketplace_id = $1 and e.provider_contract_id = t.subject)`;

const IS_ADDRESS = `t.kind in ('wallet-usdc', 'wallet-xlm')`;

const OF_WALLET = `from wallets w where w.marketplace_id = $1 and w.address = t.subject`;

// The subject of a row is all that is stored: whose it is, and which order it concerns, are read from the rows that it names.
const SELECT = `select t.kind || ':' || t.subject as id,
    case when ${IS_ADDRESS} then (select w.owner ${OF_WALLET}) end as owner,
    case when ${IS_ADDRESS} then (select w.user_id ${OF_WALLET})
      when t.kind = 'payout-amount' then (select w.user_id from withdrawals w where w.marketplace_id = $1 and w.id = t.subject)
      when t.kind = 'late-topup' then (select p.user_id from topups p where p.marketplace_id = $1 and p.id = t.subject)
      end as "userId",
    case t.kind when 'short-funding' then t.subject
      when 'escrow-event' then (select v.subject_id from webhook_events v where v.marketplace_id = $1 and v.id = t.subject)
      when 'contract' then ${ORDER_OF} when '${SURPLUS_KIND}' then ${ORDER_OF} end as "orderId",
    t.kind, t.subject, t.expected, t.actual, t.difference, t.reason, t.first_seen_at as "firstSeenAt",
    t.last_seen_at as "lastSeenAt", t.resolved_at as "resolvedAt",
    floor(extract(epoch from coalesce(t.resolved_at, now()) - t.first_seen_at))::integer as "ageSeconds"
  from breaks t`;

const ACCEPTED_AT = 'select a.updated_at as at from accepted_breaks a where a.marketplace_id = $1 and a.id = $2';

export type ContractPlace = { readonly marketplaceId: string; readonly contractId: string };

/** What the books know about a contract at one moment. */
export type ContractPosition = ContractPlace & {
  readonly expected: Amount;
  /** What the books have in it, or what it should have paid out. */
  readonly held: Amount;
  /** Null: no escrow names the contract. */
  readonly currency: Currency | null;
  /** The number of postings: the same number means that nothing moved. */
  readonly postings: bigint;
  /** A call of its escrow is in progress. */
  readonly isBusy: boolean;
};

// Contracts that are not settled hold money. Settled ones are compared for a day, and while they have an open break.
const CONTRACTS = `with places as (
    (select e.marketplace_id, e.provider_contract_id from escrows e where e.provider_contract_id is not null
      and e.status not in ('RELEASED', 'REFUNDED') and (e.marketplace_id, e.provider_contract_id) > ($1, $2)
      order by 1, 2 limit $3)
    union
    select e.marketplace_id, e.provider_contract_id from escrows e where e.status in ('RELEASED', 'REFUNDED')
      and e.updated_at > now() - interval '1 day'
    union
    select b.marketplace_id, b.subject from breaks b where b.kind = 'contract' and b.resolved_at is null
  )
  select p.marketplace_id as "marketplaceId", p.provider_contract_id as "contractId" from places p
  where (p.marketplace_id, p.provider_contract_id) > ($1, $2) order by 1, 2 limit $3`;

const OF_CONTRACT = `e.provider_contract_id = k.contract_id and e.marketplace_id = k.marketplace_id
  and ${ofMarketplace('e.marketplace_id', 3)}`;

// A settled contract has to be empty. A contract that was reported as funded has to hold its amount, whatever the books have there. After
// the settlement of such a contract, money in it is what it should have paid.
const CONTRACT_POSITIONS = `select k.marketplace_id as "marketplaceId", k.contract_id as "contractId",
    case when bool_or(s.ended) then 0 when bool_or(s.reported) then max(s.amount)
      else coalesce(-sum(a.balance), 0) end::bigint as expected,
    case when bool_or(s.ended and s.unfunded) then max(s.amount) else coalesce(-sum(a.balance), 0) end::bigint as held,
    coalesce(sum(a.postings), 0)::bigint as postings,
    (select max(e.currency) from escrows e where ${OF_CONTRACT}) as currency,
    exists (select 1 from escrows e where ${OF_CONTRACT} and e.transaction_id is not null) as "isBusy"
  from unnest($1::text[], $2::text[]) k (marketplace_id, contract_id)
  left join lateral (select e.amount - coalesce((select sum(m.released_amount + m.refunded_amount)::bigint from milestones m
        where m.marketplace_id = k.marketplace_id and ${ofMarketplace('m.marketplace_id', 3)} and m.order_id = e.order_id
          and m.released_amount is not null), 0) as amount,
      e.status in ('RELEASED', 'REFUNDED') as ended,
      not e.calls @> '[{"call": "fund"}]' as unfunded,
      e.status in ('FUNDED', 'DISPUTED') and not e.calls @> '[{"call": "fund"}]' as reported
    from escrows e where ${OF_CONTRACT} and not e.set_aside limit 1) s on true
  left join accounts a on a.marketplace_id = k.marketplace_id and ${ofMarketplace('a.marketplace_id', 3)} and a.id in ('contract:' || k.contract_id || ':USD',
    'contract:' || k.contract_id || ':USDC', 'contract:' || k.contract_id || ':XLM')
  group by 1, 2 order by 1, 2`;

// Our own funding has ended, moved less than the amount, and could neither be completed nor taken back at once.
const SHORT_FUNDINGS = `select e.marketplace_id as "marketplaceId", e.order_id as "orderId", e.amount as expected,
    e.provider_contract_id as "contractId", coalesce(-sum(a.balance), 0)::bigint as actual
  from escrows e join operations o on o.marketplace_id = e.marketplace_id and o.escrow_id = e.id
  left join accounts a on a.marketplace_id = e.marketplace_id and a.id = 'contract:' || e.provider_contract_id || ':' || e.currency
  where e.status = 'FUNDING' and not e.set_aside and e.transaction_id is null and e.calls @> '[{"call": "fund"}]'
    and o.kind = 'fund-escrow' and o.state = 'RUNNING' and o.attempts > 0
  group by 1, 2, 3, 4 having coalesce(-sum(a.balance), 0) < e.amount`;

export type ShortFunding = {
  readonly marketplaceId: string;
  readonly orderId: string;
  readonly contractId: string;
  /** The amount of the order. */
  readonly expected: Amount;
  /** What is in the contract. */
  readonly actual: Amount;
};

type Place = readonly [firstSeenAt: string, kind: string, subject: string];

const formatCursor = ({ firstSeenAt, kind, subject }: BreakRecord): string =>
  Buffer.from(JSON.stringify([firstSeenAt, kind, subject])).toString('base64url');

const parseCursor = (cursor: string): Place | null => {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(place) || place.length !== 3 || place.some((part) => typeof part !== 'string')) return null;
    return parseInstant(place[0]) === null ? null : (place as unknown as Place);
  } catch {
    return null;
  }
};

const pageOf =
  (pool: pg.Pool) =>
  async (request: PageRequest & BreakFilter, own: string): Promise<PageOf<BreakRecord> | null> => {
    const place = request.cursor === null ? null : parseCursor(request.cursor);
    if (request.cursor !== null && place === null) return null;
    const { where, values } = conditions(request.marketplaceId, [
      [own, SURPLUS_KIND],
      ['t.kind = ?', request.kind],
      ['t.subject = ?', request.subject],
      ['(t.resolved_at is null) = ?', request.open],
      ['t.first_seen_at >= ?', request.from],
      ['t.first_seen_at < ?', request.to],
    ]);
    values.push(request.limit + 1);
    const next = values.length;
    const before = place
      ? ` and (t.first_seen_at, t.kind, t.subject) < ($${next + 1}::timestamptz, $${next + 2}, $${next + 3})`
      : '';
    const { rows } = await pool.query<BreakRecord>(
      `${SELECT} where ${where}${before} order by t.first_seen_at desc, t.kind desc, t.subject desc
       limit $${next}`,
      [...values, ...(place ?? [])],
    );
    const page = rows.slice(0, request.limit);
    const last = page.at(-1);
    return { rows: page, nextCursor: rows.length > request.limit && last ? formatCursor(last) : null };
  };

export const createBreakReads = (pool: pg.Pool) => ({
  /** Null when the cursor is invalid. */
  list: (request: PageRequest & BreakFilter): Promise<PageOf<BreakRecord> | null> =>
    pageOf(pool)(request, 't.kind <> ?'),

  /** Null when the cursor is invalid. */
  surpluses: (request: PageRequest & Pick<BreakFilter, 'subject' | 'open'>): Promise<PageOf<BreakRecord> | null> =>
    pageOf(pool)(request, 't.kind = ?'),

  /** When a correction has closed the break for the last time; null when never. */
  async acceptedAt(marketplaceId: string, breakId: string): Promise<string | null> {
    const { rows } = await pool.query<{ at: string }>(ACCEPTED_AT, [marketplaceId, breakId]);
    return rows[0]?.at ?? null;
  },

  /** Orders whose funding is incomplete and could not be ended yet, of all marketplaces. */
  async shortFundings(): Promise<ShortFunding[]> {
    const { rows } = await pool.query<ShortFunding>(SHORT_FUNDINGS);
    return rows.map((row) => ({ ...row, expected: fromUnits(row.expected), actual: fromUnits(row.actual) }));
  },

  /** Escrow contracts that may hold money, of all marketplaces, after the one given. */
  async contracts(after: ContractPlace | null, limit: number): Promise<ContractPlace[]> {
    const values = [after?.marketplaceId ?? '', after?.contractId ?? '', limit];
    return readAcross<ContractPlace>(pool, { text: CONTRACTS, values });
  },

  async contractPositions(places: readonly ContractPlace[]): Promise<ContractPosition[]> {
    const send = async (part: readonly ContractPlace[], one: string | null): Promise<ContractPosition[]> => {
      const values = [part.map(({ marketplaceId }) => marketplaceId), part.map(({ contractId }) => contractId), one];
      return (await pool.query<ContractPosition>(CONTRACT_POSITIONS, values)).rows;
    };
    const rows = await sendByMarketplace(pool, { items: places, send });
    return rows.map((row) => ({ ...row, expected: fromUnits(row.expected), held: fromUnits(row.held) }));
  },
});

export type BreakReads = ReturnType<typeof createBreakReads>;
