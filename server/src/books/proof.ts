// Proof of balances: recomputes the books in one snapshot and reports whether every check holds. A full proof adds up every posting. A
// proof from a checkpoint adds up the postings since then, on top of the sums of the checkpoint. A proof never changes the books.

import { ALERT_KINDS, SURPLUS_KIND } from '@holdfast/contract/api/reconciliation.ts';
import type pg from 'pg';
import { createQueues } from '../base/one-at-a-time.ts';
import { inSnapshot, PATIENT } from '../postgres/connection.ts';
import { type ChainEnd, type Checkpoint, type CheckpointsRead, readChainEnd, readCheckpoints } from './checkpoints.ts';
import {
  addSums,
  type PlaceSum,
  parseSums,
  readAllPostings,
  readRecentPostings,
  sumsByCurrency,
} from './posting-sums.ts';
import { compareCheckpoint, judge, type Proof, type ProofCheck } from './proof-checks.ts';

/** What the books came to when they were proved: the content of the next checkpoint. */
type BooksAtEnd = {
  readonly end: ChainEnd;
  readonly sums: readonly PlaceSum[];
  readonly postings: bigint;
  readonly accounts: bigint;
};

export type Proved = {
  readonly proof: Proof;
  readonly books: BooksAtEnd;
  /** The checkpoint at which the proof began. */
  readonly from: Checkpoint | null;
  readonly last: Checkpoint | null;
};

const NOW = 'select now() as now';

const LAST_FULL = `select full_checked_at as "checkedAt", full_holds as holds, full_problems as problems from proofs
  where marketplace_id = $1 and full_checked_at is not null`;

type LastFull = { readonly checkedAt: string; readonly holds: boolean; readonly problems: string | null };

/** What both kinds of proof read first. */
type Start = {
  readonly marketplaceId: string;
  readonly end: ChainEnd;
  readonly checkpoints: CheckpointsRead;
  readonly lastFull: LastFull | null;
};

const readStart = async (client: pg.PoolClient, marketplaceId: string): Promise<Start> => {
  const end = await readChainEnd(client, marketplaceId);
  const checkpoints = await readCheckpoints(client, { marketplaceId, end });
  const lastFull = (await client.query<LastFull>(LAST_FULL, [marketplaceId])).rows[0] ?? null;
  return { marketplaceId, end, checkpoints, lastFull };
};

const intactCheck = ({ last, problem }: CheckpointsRead): ProofCheck => {
  const detail = last === null ? 'There is no checkpoint yet.' : `Checkpoint ${last.number} is intact.`;
  return { name: 'checkpoint-is-intact', holds: problem === null, detail: problem ?? detail };
};

const lastFullCheck = (lastFull: LastFull | null): ProofCheck => ({
  name: 'last-full-proof-held',
  holds: lastFull?.holds !== false,
  detail:
    lastFull === null ? 'There is no full proof yet.' : (lastFull.problems ?? `It held at ${lastFull.checkedAt}.`),
});

const shownFull = (lastFull: LastFull | null): Proof['lastFull'] =>
  lastFull && { checkedAt: lastFull.checkedAt, holds: lastFull.holds };

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
const readReserved = async (client: pg.PoolClient, marketplaceId: string | null): Promise<string | undefined> =>
  (await client.query<Differing>(RESERVATIONS, [marketplaceId])).rows[0]?.differing;

/** The same of some reserved balances, and of all that have an open reservation. */
const readReservedOf = async (
  client: pg.PoolClient,
  { marketplaceId, accounts }: { marketplaceId: string; accounts: readonly string[] },
): Promise<string | undefined> =>
  (await client.query<Differing>(OPEN_RESERVATIONS, [marketplaceId, accounts])).rows[0]?.differing;

const readPromises = async (client: pg.PoolClient, marketplaceId: string | null) => ({
  promised: (await client.query<Differing>(PROMISED, [marketplaceId])).rows[0]?.differing,
  openBreaks: (await client.query<{ open: string }>(OPEN_BREAKS, [marketplaceId])).rows[0]?.open,
});

/** Adds up every posting of a marketplace, and compares its last checkpoint with them. */
const proveAll = async (client: pg.PoolClient, start: Start): Promise<Proved> => {
  const { marketplaceId, checkpoints, end } = start;
  const last = checkpoints.problem === null ? checkpoints.last : null;
  const found = await readAllPostings(client, { marketplaceId, until: last?.auditSeq ?? 0n });
  const proof = judge({
    ...found,
    reserved: await readReserved(client, marketplaceId),
    ...(await readPromises(client, marketplaceId)),
    checkpoint: null,
    lastFull: shownFull(start.lastFull),
    further: [intactCheck(checkpoints), compareCheckpoint(last, found.until)],
  });
  return { proof, books: { end, ...found.now }, from: null, last: checkpoints.last };
};

const proveSince = async (client: pg.PoolClient, start: Start & { from: Checkpoint }): Promise<Proved> => {
  const { marketplaceId, from, end } = start;
  const recent = await readRecentPostings(client, { marketplaceId, after: from.auditSeq, end });
  const sums = addSums(parseSums(from.sums), recent.sums);
  const proof = judge({
    checkedAt: (await client.query<{ now: string }>(NOW)).rows[0]!.now,
    sums,
    postings: sumsByCurrency(sums),
    accounts: { differing: recent.differing, read: recent.touched },
    reserved: await readReservedOf(client, { marketplaceId, accounts: recent.reserved }),
    ...(await readPromises(client, marketplaceId)),
    checkpoint: { number: from.number, auditSeq: from.auditSeq, madeAt: from.madeAt },
    lastFull: shownFull(start.lastFull),
    further: [intactCheck(start.checkpoints), lastFullCheck(start.lastFull)],
  });
  const postings = from.postings + recent.postings;
  return { proof, books: { end, sums, postings, accounts: from.accounts + recent.opened }, from, last: from };
};

/** The sums by place at this moment, from the last checkpoint; null without a checkpoint that is intact. */
export const readMaintainedSums = async (client: pg.PoolClient, marketplaceId: string): Promise<PlaceSum[] | null> => {
  const end = await readChainEnd(client, marketplaceId);
  const { last, problem } = await readCheckpoints(client, { marketplaceId, end });
  if (last === null || problem !== null) return null;
  const recent = await readRecentPostings(client, { marketplaceId, after: last.auditSeq, end });
  return addSums(parseSums(last.sums), recent.sums);
};

type Asked = { readonly marketplaceId: string; readonly full: boolean };

/** From the last checkpoint if it is intact and no full proof was asked for; otherwise from every posting. */
const prove = async (client: pg.PoolClient, { marketplaceId, full }: Asked): Promise<Proved> => {
  const start = await readStart(client, marketplaceId);
  const { last, problem } = start.checkpoints;
  return full || last === null || problem !== null
    ? proveAll(client, start)
    : proveSince(client, { ...start, from: last });
};

/** For jobs, which may take long. */
export const proveMarketplace = (pool: pg.Pool, asked: Asked): Promise<Proved> =>
  inSnapshot(pool, async (client) => {
    await client.query(PATIENT);
    return prove(client, asked);
  });

/** The full proof of one marketplace, or of all without their checkpoints, for programs. */
export const proveBooks = (pool: pg.Pool, marketplaceId: string | null): Promise<Proof> =>
  inSnapshot(pool, async (client) => {
    await client.query(PATIENT);
    if (marketplaceId !== null) return (await prove(client, { marketplaceId, full: true })).proof;
    return judge({
      ...(await readAllPostings(client, { marketplaceId: null, until: 0n })),
      reserved: await readReserved(client, null),
      ...(await readPromises(client, null)),
      checkpoint: null,
      lastFull: null,
      further: [],
    });
  });

/** Proofs on request, within the time limit of the pool. Requests of one kind share the proof that has not begun yet. */
export const createProver = (pool: pg.Pool) => {
  const queues = createQueues();
  const waiting = new Map<string, Promise<Proof>>();

  const begin = (asked: Asked, key: string): Promise<Proof> =>
    queues.run(key, async () => {
      // A later request must see later postings, so it gets a new proof.
      waiting.delete(key);
      return (await inSnapshot(pool, (client) => prove(client, asked))).proof;
    });

  return (asked: Asked): Promise<Proof> => {
    const key = `${asked.full ? 'full' : 'recent'} ${asked.marketplaceId}`;
    const shared = waiting.get(key) ?? begin(asked, key);
    waiting.set(key, shared);
    return shared;
  };
};
