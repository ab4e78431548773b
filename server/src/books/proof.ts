// Proof of balances: recomputes the books from every posting in one snapshot and reports whether every check holds. The last result
// per marketplace is stored for health and metrics. A proof never changes the books.

import { ALERT_KINDS, SURPLUS_KIND } from '@holdfast/contract/api/reconciliation.ts';
import type pg from 'pg';
import { createQueues } from '../base/one-at-a-time.ts';
import { inSnapshot } from '../postgres/connection.ts';
import { type Amount, formatExact, fromUnits, negated, plus, ZERO } from './money.ts';

type ProofCheck = { readonly name: string; readonly holds: boolean; readonly detail: string };

type CurrencyProof = {
  readonly currency: string;
  readonly claims: Amount;
  readonly holdings: Amount;
  readonly adjustments: Amount;
  readonly difference: Amount;
};

export type Proof = {
  readonly holds: boolean;
  readonly checkedAt: string;
  readonly currencies: readonly CurrencyProof[];
  readonly checks: readonly ProofCheck[];
};

// Sums are read as text: the driver has no exact parser for numeric, and a sum must not pass through a float.
const ACCOUNTS = `with derived as (
    select marketplace_id, account_id, sum(amount) as sum, count(*) as count, max(seq) as last
    from postings where ($1::text is null or marketplace_id = $1) group by 1, 2
  )
  select a.currency,
    coalesce(sum(a.balance) filter (where a.side = 'claim' and not a.open), 0)::text as claims,
    coalesce(sum(a.balance) filter (where a.side = 'holding'), 0)::text as holdings,
    coalesce(sum(a.balance) filter (where a.open), 0)::text as adjustments,
    coalesce(sum(d.sum), 0)::text as postings,
    count(*)::text as accounts,
    (count(*) filter (where d.sum is distinct from a.balance or d.count <> a.postings or d.last <> a.postings))::text
      as "differing"
  from (select * from accounts where ($1::text is null or marketplace_id = $1)) a
  full join derived d on d.marketplace_id = a.marketplace_id and d.account_id = a.id
  group by a.currency order by a.currency`;

const RESERVATIONS = `select count(*)::text as differing from (
    select marketplace_id, user_id, currency, sum(remaining) as held from reservations
    where ($1::text is null or marketplace_id = $1) group by 1, 2, 3
  ) r
  full join (
    select marketplace_id, user_id, currency, balance from accounts
    where ($1::text is null or marketplace_id = $1) and id = user_id || ':reserved:' || currency
  ) a using (marketplace_id, user_id, currency)
  where coalesce(r.held, 0) <> coalesce(a.balance, 0)`;

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

type Row = {
  currency: string | null;
  claims: string;
  holdings: string;
  adjustments: string;
  postings: string;
  accounts: string;
  differing: string;
};

const amount = (text: string): Amount => fromUnits(BigInt(text));

const ofCurrency = (row: Row): CurrencyProof => {
  const claims = amount(row.claims);
  const holdings = negated(amount(row.holdings));
  const adjustments = negated(amount(row.adjustments));
  return {
    currency: row.currency ?? 'unknown',
    claims,
    holdings,
    adjustments,
    difference: plus(claims, negated(plus(holdings, adjustments))),
  };
};

type Read = {
  readonly rows: readonly Row[];
  /** Reserved balances that differ from their reservations. */
  readonly reserved: string | undefined;
  /** Floats whose promised payouts differ from the open withdrawals. */
  readonly promised: string | undefined;
  readonly openBreaks: string | undefined;
  readonly checkedAt: string;
};

const read = async (client: pg.PoolClient, marketplaceId: string | null): Promise<Read> => {
  const { rows } = await client.query<Row>(ACCOUNTS, [marketplaceId]);
  const reserved = await client.query<{ differing: string }>(RESERVATIONS, [marketplaceId]);
  const promised = await client.query<{ differing: string }>(PROMISED, [marketplaceId]);
  const breaks = await client.query<{ open: string }>(OPEN_BREAKS, [marketplaceId]);
  const time = await client.query<{ now: string }>('select now() as now');
  return {
    rows,
    reserved: reserved.rows[0]?.differing,
    promised: promised.rows[0]?.differing,
    openBreaks: breaks.rows[0]?.open,
    checkedAt: time.rows[0]!.now,
  };
};

const judge = ({ rows, reserved, promised, openBreaks, checkedAt }: Read): Proof => {
  const currencies = rows.filter((row) => row.currency !== null).map(ofCurrency);
  const unbalanced = rows.filter((row) => BigInt(row.postings) !== 0n);
  const differing = rows.reduce((sum, row) => sum + BigInt(row.differing), 0n);
  const accounts = rows.reduce((sum, row) => sum + BigInt(row.accounts), 0n);
  const off = currencies.filter((row) => row.difference !== ZERO);
  const checks: ProofCheck[] = [
    {
      name: 'postings-sum-to-zero',
      holds: unbalanced.length === 0,
      detail:
        unbalanced.length === 0
          ? 'Every currency sums to zero.'
          : unbalanced.map((row) => `${row.currency} sums to ${formatExact(amount(row.postings))}.`).join(' '),
    },
    {
      name: 'accounts-equal-postings',
      holds: differing === 0n,
      detail: `${differing} of ${accounts} accounts differ from their postings.`,
    },
    {
      name: 'claims-equal-holdings-plus-adjustments',
      holds: off.length === 0,
      detail:
        off.length === 0
          ? 'No difference.'
          : off.map((row) => `${row.currency} differs by ${formatExact(row.difference)}.`).join(' '),
    },
    {
      name: 'reserved-equals-reservations',
      holds: reserved === '0',
      detail: `${reserved} reserved balances differ from their reservations.`,
    },
    {
      name: 'float-promises-equal-open-withdrawals',
      holds: promised === '0',
      detail: `${promised} floats promise another amount than the open withdrawals need.`,
    },
    {
      name: 'no-open-breaks',
      holds: openBreaks === '0',
      detail: `Open breaks between the books and the outside systems: ${openBreaks}.`,
    },
  ];
  return { holds: checks.every(({ holds }) => holds), checkedAt, currencies, checks };
};

/** The proof of one marketplace, or of all, for jobs and programs. */
export const proveBooks = (pool: pg.Pool, marketplaceId: string | null): Promise<Proof> =>
  inSnapshot(pool, async (client) => {
    // Every posting is read, which may take longer than the usual statement timeout.
    await client.query("set local statement_timeout = '10min'");
    return judge(await read(client, marketplaceId));
  });

/** Proofs on request, within the time limit of the pool. Requests for one marketplace share the proof that has not begun yet. */
export const createProver = (pool: pg.Pool) => {
  const queues = createQueues();
  const waiting = new Map<string, Promise<Proof>>();

  const prove = (marketplaceId: string): Promise<Proof> =>
    queues.run(marketplaceId, () => {
      // A later request must see later postings, so it gets a new proof.
      waiting.delete(marketplaceId);
      return inSnapshot(pool, async (client) => judge(await read(client, marketplaceId)));
    });

  return (marketplaceId: string): Promise<Proof> => {
    const shared = waiting.get(marketplaceId) ?? prove(marketplaceId);
    waiting.set(marketplaceId, shared);
    return shared;
  };
};

export type ProofSummary = {
  readonly marketplaces: number;
  readonly failing: readonly string[];
  /** The oldest of the stored proofs; null when there is none yet. */
  readonly oldestAt: string | null;
  readonly currencies: readonly { readonly currency: string; readonly difference: string }[];
};

const KEEP = `insert into proofs (marketplace_id, holds, checked_at, differences) values ($1, $2, $3, $4)
  on conflict (marketplace_id) do update
    set holds = excluded.holds, checked_at = excluded.checked_at, differences = excluded.differences
  where proofs.checked_at < excluded.checked_at`;

const SUMMARY = `select count(*)::integer as marketplaces, min(checked_at) as "oldestAt",
    coalesce(array_agg(marketplace_id) filter (where not holds), '{}') as failing from proofs`;

const DIFFERENCES = `select key as currency, sum(value::numeric)::text as difference
  from proofs, jsonb_each_text(differences) group by key order by key`;

/** The last proof of every marketplace, as the job computed it. */
export const createKeptProofs = (pool: pg.Pool) => ({
  async keep(marketplaceId: string, proof: Proof): Promise<void> {
    const differences = Object.fromEntries(proof.currencies.map((row) => [row.currency, formatExact(row.difference)]));
    await pool.query(KEEP, [marketplaceId, proof.holds, proof.checkedAt, JSON.stringify(differences)]);
  },
  async summary(): Promise<ProofSummary> {
    const [summary, differences] = await Promise.all([
      pool.query<Omit<ProofSummary, 'currencies'>>(SUMMARY),
      pool.query<ProofSummary['currencies'][number]>(DIFFERENCES),
    ]);
    return { ...summary.rows[0]!, currencies: differences.rows };
  },
});
