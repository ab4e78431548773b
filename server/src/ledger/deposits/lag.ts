// How far the search for deposits is behind the ledger, for metrics, health and the doctor. The process that reads the ledger notes it in
// the database, so every process can show it, also when no process reads. On a quiet network the last payment is old; what counts is
// that there was no further one.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';
import type { LedgerNetwork } from '../../providers/ports.ts';

export type DepositLag = {
  /** Ledgers of the network that have not been read. */
  readonly ledgers: number;
  /** Age of the newest moment of the ledger up to which everything has been read. Null before the end was reached once. */
  readonly seconds: number | null;
};

const PLACE = [DEFAULT_MARKETPLACE, 'payments'];

const NOTE = `update ledger_cursors t set latest_ledger = $3, reached_ledger = greatest(t.reached_ledger, t.cursor >> 32)
  where t.marketplace_id = $1 and t.id = $2`;

const NOTE_END = `update ledger_cursors t set latest_ledger = $3, reached_ledger = $3, reached_at = now() - make_interval(secs => $4)
  where t.marketplace_id = $1 and t.id = $2`;

const READ = `select greatest(t.latest_ledger - t.reached_ledger, 0)::int as ledgers,
    floor(extract(epoch from now() - t.reached_at))::int as seconds
  from ledger_cursors t where t.marketplace_id = $1 and t.id = $2 and t.latest_ledger is not null`;

/** Null before the ledger was read. */
export const readDepositLag = async (pool: pg.Pool): Promise<DepositLag | null> =>
  (await pool.query<DepositLag>({ name: 'deposit-lag', text: READ, values: PLACE })).rows[0] ?? null;

type Latest = { readonly ledger: number; readonly ageSeconds: number };

/** The newest ledger is read this often: a request a minute, however much there is to read. */
const LOOK_MS = 60_000;

export type LagNotes = {
  /** Before a page is read. */
  look(): Promise<void>;
  /** After the page. `isEnd`: there was no further payment. */
  note(isEnd: boolean): Promise<void>;
};

export const createLagNotes = (options: {
  readonly pool: pg.Pool;
  readonly network: Pick<LedgerNetwork, 'latestLedger'>;
}): LagNotes => {
  const { pool, network } = options;
  let latest: Latest | null = null;
  let lookAt = 0;
  return {
    async look() {
      if (performance.now() < lookAt) return;
      lookAt = performance.now() + LOOK_MS;
      const answer = await network.latestLedger();
      if (answer.kind !== 'yes') return;
      const { sequence, closedAt } = answer.value;
      // A server of the ledger may itself be behind.
      latest = { ledger: sequence, ageSeconds: Math.max(0, (Date.now() - Date.parse(closedAt)) / 1_000) };
    },
    async note(isEnd) {
      if (latest === null) return;
      const values = [...PLACE, latest.ledger];
      if (isEnd) await pool.query({ name: 'note-ledger-end', text: NOTE_END, values: [...values, latest.ageSeconds] });
      else await pool.query({ name: 'note-deposit-lag', text: NOTE, values });
    },
  };
};
