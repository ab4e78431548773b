// Which stretches of the audit chain have a balance move of which action. Balance moves are most of all entries, and no index has their
// actions: a search by such an action reads only the stretches that have it. The job that proves the books notes them; entries since then
// are read from the chain.

import type pg from 'pg';
import type { ProofCheck } from '../../books/proof-checks.ts';
import { inSnapshot, PATIENT } from '../../postgres/connection.ts';
import { UNINDEXED_ACTIONS } from './unindexed-actions.ts';

/** A page reads at most so many entries for each of its own. */
export const STRETCH = 256;
/** Entries that one statement notes, so that none takes long after an update. */
const NOTE_BATCH = 200_000n;

const MARK = 'select m.audit_seq as seq from audit_stretch_marks m where m.marketplace_id = $1';
const HEAD = 'select m.audit_seq as seq from marketplaces m where m.marketplace_id = $1';

// A process that has noted the same entries in the meantime has moved the mark. Noting them twice changes nothing.
const NOTE = `with noted as (
    insert into audit_stretches (marketplace_id, action, stretch)
    select distinct $1, e.action, e.seq / ${STRETCH} from audit_entries e
    where e.marketplace_id = $1 and e.seq > $2 and e.seq <= $3 and e.action = any($4)
    on conflict (marketplace_id, action, stretch) do nothing
  )
  insert into audit_stretch_marks as m (marketplace_id, audit_seq) values ($1, $3)
  on conflict (marketplace_id) do update set audit_seq = greatest(m.audit_seq, excluded.audit_seq)`;

type Reads = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** The last entry whose stretch is noted; 0 when there is none. */
export const notedUntil = async (client: Reads, marketplaceId: string): Promise<bigint> =>
  (await client.query<{ seq: bigint }>(MARK, [marketplaceId])).rows[0]?.seq ?? 0n;

/** Notes the stretches of the entries since the last time. */
export const noteStretches = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  const last = (await pool.query<{ seq: bigint }>(HEAD, [marketplaceId])).rows[0]?.seq ?? 0n;
  for (let after = await notedUntil(pool, marketplaceId); after < last; ) {
    const until = after + NOTE_BATCH < last ? after + NOTE_BATCH : last;
    await pool.query(NOTE, [marketplaceId, after, until, UNINDEXED_ACTIONS]);
    after = until;
  }
};

// Stretches that only the notes have are those of archived entries, or of an entry that left. They cost a search little.
const MISSING = `select count(*)::integer as missing from (
    select distinct e.action, e.seq / ${STRETCH} as stretch from audit_entries e
    where e.marketplace_id = $1 and e.seq <= $2 and e.action = any($3)
  ) e where not exists (select 1 from audit_stretches s
    where s.marketplace_id = $1 and s.action = e.action and s.stretch = e.stretch)`;

/** A search would not find the entries of a stretch that was not noted. */
export const checkStretches = (pool: pg.Pool, marketplaceId: string): Promise<ProofCheck> =>
  inSnapshot(pool, async (client) => {
    await client.query(PATIENT);
    const values = [marketplaceId, await notedUntil(client, marketplaceId), UNINDEXED_ACTIONS];
    const { missing } = (await client.query<{ missing: number }>(MISSING, values)).rows[0]!;
    return {
      name: 'audit-actions-are-noted',
      holds: missing === 0,
      detail:
        missing === 0
          ? 'Searches by action find every balance move.'
          : `${missing} stretches of the audit trail are not noted, so searches by action do not find their entries.`,
    };
  });
