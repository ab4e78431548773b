// The running servers and the key-encryption keys that each of them has. A heartbeat in the database, written without a command: it
// decides nothing about money.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';

export type KeyHolder = {
  readonly id: string;
  readonly host: string;
  readonly keyIds: readonly string[];
  readonly sealingKeyId: string;
  /** The announced key that this server has proved to have. */
  readonly confirmedKeyId: string | null;
};

export type SeenHolder = KeyHolder & { readonly seenAt: string };

const BEAT = `insert into wallet_key_holders as h
    (marketplace_id, id, host, key_ids, sealing_key_id, confirmed_key_id, started_at, seen_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, now(), now(), now() + make_interval(secs => $7))
  on conflict (marketplace_id, id) do update set key_ids = excluded.key_ids, sealing_key_id = excluded.sealing_key_id,
    confirmed_key_id = excluded.confirmed_key_id, seen_at = excluded.seen_at, expires_at = excluded.expires_at`;

const LIVE = `select h.id, h.host, h.key_ids as "keyIds", h.sealing_key_id as "sealingKeyId",
    h.confirmed_key_id as "confirmedKeyId", h.seen_at as "seenAt"
  from wallet_key_holders h where h.marketplace_id = $1 and h.expires_at > now() order by h.started_at, h.id`;

// A row of a server that was killed stays for a day, so that an operator can see it.
const CLEAR = `delete from wallet_key_holders h where h.marketplace_id = $1
  and (h.id = $2 or h.expires_at < now() - interval '1 day')`;

export const createKeyHolders = (pool: pg.Pool) => ({
  async beat(holder: KeyHolder, livesMs: number): Promise<void> {
    const { id, host, keyIds, sealingKeyId, confirmedKeyId } = holder;
    await pool.query(BEAT, [DEFAULT_MARKETPLACE, id, host, keyIds, sealingKeyId, confirmedKeyId, livesMs / 1_000]);
  },

  /** Servers whose heartbeat has not expired, by the clock of the database. */
  live: async (): Promise<SeenHolder[]> => (await pool.query<SeenHolder>(LIVE, [DEFAULT_MARKETPLACE])).rows,

  async leave(id: string): Promise<void> {
    await pool.query(CLEAR, [DEFAULT_MARKETPLACE, id]);
  },
});

export type KeyHolders = ReturnType<typeof createKeyHolders>;
