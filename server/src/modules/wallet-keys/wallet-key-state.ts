// Which key-encryption key seals, and which one is announced: one row for the service, in the default marketplace. Every server reads it
// with its heartbeat.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';
import { selected, table } from '../../commit/tables.ts';

export type WalletKeyState = {
  readonly id: string;
  readonly sealingKeyId: string;
  /** A known text that the key has sealed: a server that opens it has the same key. */
  readonly sealingProbe: string;
  /** The key that seals next, as soon as all running servers have it. */
  readonly announcedKeyId: string | null;
  readonly announcedProbe: string | null;
  /** Null while secrets are resealed. */
  readonly finishedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    walletKeys: WalletKeyState;
  }
  interface Lookups {
    walletKeys: Record<never, string>;
  }
}

export const WALLET_KEYS = table('walletKeys', {
  notFound: 'INTERNAL_ERROR',
  sql: 'wallet_keys',
  columns: [
    'id',
    'sealingKeyId',
    'sealingProbe',
    'announcedKeyId',
    'announcedProbe',
    'finishedAt',
    'createdAt',
    'updatedAt',
  ],
  lookups: {},
});

export const STATE_ID = 'current';

const SELECT = `select ${selected(WALLET_KEYS)} from wallet_keys t where t.marketplace_id = $1 and t.id = $2`;

/** Null: no rotation has begun in this database. */
export const readWalletKeyState = async (pool: pg.Pool): Promise<WalletKeyState | null> =>
  (await pool.query<WalletKeyState>(SELECT, [DEFAULT_MARKETPLACE, STATE_ID])).rows[0] ?? null;
