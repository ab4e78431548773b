// What balances were promised for: reservations, open withdrawals, and open breaks between the books and the outside systems. It only
// reads.

import { ALERT_KINDS, SURPLUS_KIND } from '@holdfast/contract/api/reconciliation.ts';
import type pg from 'pg';

const RESERVATIONS = `select count(*)::text as differing from (
    select marketplace_id, user_id, currency, sum(remaining) as held from reservations
    where ($1::text is null or marketplace_id = $1) group by 1, 2, 3
  ) r
  full join (
    select marketplace_id, user_id, currency, balance from accounts
    where ($1::text is null or marketplace_id = $1) and id = user_id || ':reserved:' || currency
  ) a using (marketplace_id, user_id, currency)
  where coalesce(r.held, 0) <> coalesce(a.balance, 0)`;

// Open reservations are found by their index, so those of the past cost nothing.
const OPEN_RESERVATIONS = `with open as (
    select r.user_id || ':reserved:' || r.currency as id, sum(r.remaining) as held from reservations r
    where r.marketplace_id = $1 and r.remaining > 0 group by 1
  )
  select count(*)::text as differing
  from (select o.id from open o union select u.id from unnest($2::text[]) u (id)) c
  left join open o on o.id = c.id
  left join lateral (select a.balance from accounts a where a.marketplace_id = $1 and a.id = c.id offset 0) a on true
  where coalesce(o.held, 0) <> coalesce(a.balance, 0)`;

// What the open withdrawals through the shared account at the payment provider will take from the float, beside what the float has
// promised. Withdrawals through an own account take nothing from it.
const PROMISED = `select count(*)::text as differing from (
    select marketplace_id, sum(amount - paid) as open from withdrawals
    where ($1::text is null or marketplace_id = $1) and address is null
      and provider_account is null and status in ('WITHDRAWAL_CREATED',
      'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION') group by 1
  ) w
  full join (
    select marketplace_id, pending_payouts from floats where ($1::text is null or marketplace_id = $1)
  ) f using (marketplace_id)
  where coalesce(w.open, 0) <> coalesce(f.pending_payouts, 0)`;

// An alert is about something that is not booked, or that is booked as it happened: the books hold with it and without it.
const OPEN_BREAKS = `select count(*)::text as open from breaks
  where ($1::text is null or marketplace_id = $1) and resolved_at is null
    and not (kind = any('{${[...ALERT_KINDS, SURPLUS_KIND].join()}}'))`;

type Differing = { readonly differing: string };

/** Reserved balances that differ from all their reservations. */
export const readReserved = async (client: pg.PoolClient, marketplaceId: string | null): Promise<string | undefined> =>
  (await client.query<Differing>(RESERVATIONS, [marketplaceId])).rows[0]?.differing;

/** The same of some reserved balances, and of all that have an open reservation. */
export const readReservedOf = async (
  client: pg.PoolClient,
  { marketplaceId, accounts }: { marketplaceId: string; accounts: readonly string[] },
): Promise<string | undefined> =>
  (await client.query<Differing>(OPEN_RESERVATIONS, [marketplaceId, accounts])).rows[0]?.differing;

export const readPromises = async (client: pg.PoolClient, marketplaceId: string | null) => ({
  promised: (await client.query<Differing>(PROMISED, [marketplaceId])).rows[0]?.differing,
  openBreaks: (await client.query<{ open: string }>(OPEN_BREAKS, [marketplaceId])).rows[0]?.open,
});
