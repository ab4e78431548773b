// Checks the audit chain of a marketplace. The database computes the hashes of a stretch of entries, so the event loop is free. A stretch
// that the database does not confirm is read and checked here, entry by entry and in slices, and only this check says that it is broken.

import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { auditHash } from '../../commit/audit-hash.ts';
import { AUDIT_COLUMNS, type AuditRecord } from './audit-record.ts';

export type ChainReport = {
  readonly holds: boolean;
  readonly entries: bigint;
  readonly lastHash: string;
  readonly brokenAt: bigint | null;
};

/** The last entry that was checked. */
type Place = { readonly seq: bigint; readonly hash: string };

type Stretch = { readonly marketplaceId: string; readonly after: Place; readonly last: bigint };

/** One statement takes well under a second, so others take turns with it and the time limit never strikes. */
const STRETCH = 20_000n;
const READ_AT_ONCE = 1_000;
/** Entries that are hashed without a pause. Without pauses the check of a long chain would delay every request of the process. */
const SLICE = 100;

const HASHED = [
  'coalesce(lag(t.hash) over w, $4::text)',
  't.seq::text',
  `to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  ...['action', 'resource_type', 'resource_id', 'user_id', 'payload_before', 'payload_after'].map(
    (name) => `t.${name}`,
  ),
  ...['actor_type', 'actor_id', 'result', 'correlation_id'].map((name) => `t.${name}`),
];

/** The text that `auditHash` hashes: an array as JSON, without spaces. */
const TEXT = `'[' || ${HASHED.map((part) => `coalesce(to_json(${part})::text, 'null')`).join(` || ',' || `)} || ']'`;

const CONFIRM = `select count(*) as entries,
    count(*) filter (where e.hash = encode(sha256(convert_to(e.content, 'UTF8')), 'base64')) as confirmed,
    max(e.hash) filter (where e.seq = $3) as "lastHash"
  from (select t.seq, t.hash, ${TEXT} as content from audit_entries t
    where t.marketplace_id = $1 and t.seq > $2 and t.seq <= $3 window w as (order by t.seq)) e`;

type Confirmed = { readonly entries: bigint; readonly confirmed: bigint; readonly lastHash: string | null };

/** The end of the stretch, or null when the database does not confirm every entry of it. */
const confirm = async (pool: pg.Pool, { marketplaceId, after, last }: Stretch): Promise<Place | null> => {
  const { rows } = await pool.query<Confirmed>(CONFIRM, [marketplaceId, after.seq, last, after.hash]);
  const { entries, confirmed, lastHash } = rows[0]!;
  const isWhole = entries === last - after.seq && confirmed === entries;
  return isWhole && lastHash !== null ? { seq: last, hash: lastHash } : null;
};

const READ = `select ${AUDIT_COLUMNS} from audit_entries t where t.marketplace_id = $1 and t.seq > $2 and t.seq <= $3
  order by t.seq limit ${READ_AT_ONCE}`;

/** The last entry of the stretch up to which every hash is right. */
const check = async (pool: pg.Pool, { marketplaceId, after, last }: Stretch): Promise<Place> => {
  let { seq, hash } = after;
  while (seq < last) {
    const { rows } = await pool.query<Omit<AuditRecord, 'id'>>(READ, [marketplaceId, seq, last]);
    for (const [place, row] of rows.entries()) {
      if (place % SLICE === 0) await setImmediate();
      if (row.seq !== seq + 1n || auditHash(hash, row) !== row.hash) break;
      seq = row.seq;
      hash = row.hash;
    }
    if (rows.at(-1)?.seq !== seq) break;
  }
  return { seq, hash };
};

const HEAD = 'select audit_seq as seq, audit_hash as hash from marketplaces where marketplace_id = $1';
const BEGINNING: Place = { seq: 0n, hash: '' };

// The entries up to this one are in archives, whose own verification ends at this hash.
const ARCHIVED = 'select audit_seq as seq, audit_hash as hash from archived_chains where marketplace_id = $1';

type Between = { readonly marketplaceId: string; readonly after: Place; readonly end: Place };

/** Recomputes the chain after one entry up to another, and compares its end. Archived entries are left out. */
export const verifyBetween = async (pool: pg.Pool, { marketplaceId, after, end }: Between): Promise<ChainReport> => {
  const notArchived = async (place: Place): Promise<Place> => {
    const archived = (await pool.query<Place>(ARCHIVED, [marketplaceId])).rows[0] ?? BEGINNING;
    return archived.seq > place.seq ? archived : place;
  };
  let place = await notArchived(after);
  while (place.seq < end.seq) {
    const last = place.seq + STRETCH < end.seq ? place.seq + STRETCH : end.seq;
    const stretch: Stretch = { marketplaceId, after: place, last };
    const reached = (await confirm(pool, stretch)) ?? (await check(pool, stretch));
    // Entries may have been archived since the last stretch.
    place = reached.seq < last ? await notArchived(reached) : reached;
    if (place === reached && place.seq < last) {
      return { holds: false, entries: place.seq - after.seq, lastHash: place.hash, brokenAt: place.seq + 1n };
    }
  }
  const holds = place.hash === end.hash;
  return { holds, entries: place.seq - after.seq, lastHash: place.hash, brokenAt: holds ? null : place.seq };
};

/** Recomputes the chain from its first entry, or after another one that is known, and compares its end with the marketplace's head. */
export const verifyChain = async (
  pool: pg.Pool,
  { marketplaceId, after = BEGINNING }: { marketplaceId: string; after?: Place | undefined },
): Promise<ChainReport> => {
  const end = (await pool.query<Place>(HEAD, [marketplaceId])).rows[0] ?? BEGINNING;
  return verifyBetween(pool, { marketplaceId, after, end });
};
