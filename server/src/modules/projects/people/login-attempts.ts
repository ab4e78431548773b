// Counts login attempts by account and by address, over all processes. The counts are not a part of the books: they are written without a
// command, and deleted when their window is over.

import type pg from 'pg';
import { scheduled } from '../../../jobs/schedule.ts';
import type { Job } from '../../../jobs/scheduler.ts';
import type { GuessStore } from './guesses.ts';

const COUNT = `insert into login_attempts as a (marketplace_id, id, attempts, ends_at)
  values ($1, $2, 1, now() + $3 * interval '1 millisecond')
  on conflict (marketplace_id, id) do update set
    attempts = case when a.ends_at <= now() then 1 else least(a.attempts + 1, 1000000) end,
    ends_at = case when a.ends_at <= now() then excluded.ends_at else a.ends_at end
  returning attempts, ceil(extract(epoch from ends_at - now()))::int as "secondsLeft"`;

const TAKE_BACK = `update login_attempts set attempts = attempts - 1
  where marketplace_id = $1 and id = $2 and attempts > 0`;

const FORGET = 'delete from login_attempts where marketplace_id = $1 and id = $2';

const TRIM = 'delete from login_attempts where ends_at < now()';

export const createLoginAttempts = (pool: pg.Pool, marketplaceId: string) =>
  ({
    async count(id: string, windowMs: number) {
      const values = [marketplaceId, id, windowMs];
      const { rows } = await pool.query<{ attempts: number; secondsLeft: number }>(COUNT, values);
      return rows[0] ?? { attempts: 1, secondsLeft: 1 };
    },
    async takeBack(id: string): Promise<void> {
      await pool.query(TAKE_BACK, [marketplaceId, id]);
    },
    async forget(id: string): Promise<void> {
      await pool.query(FORGET, [marketplaceId, id]);
    },
    async trim(): Promise<void> {
      await pool.query(TRIM);
    },
  }) satisfies GuessStore & { trim(): Promise<void> };

/** Deletes failed logins whose window is over. */
export const clearLoginAttempts = (trim: () => Promise<void>): Job => ({
  ...scheduled('clear-login-attempts'),
  run: trim,
});
