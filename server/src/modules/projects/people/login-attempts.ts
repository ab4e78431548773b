// Slows down guessing of passwords: after a number of failures per account and per address in a window, both have to wait. All processes
// share the counts in the database. The counts are not a part of the books: they are written without a command, and deleted when their
// window is over.

import { hash } from 'node:crypto';
import type pg from 'pg';
import { scheduled } from '../../../jobs/schedule.ts';
import type { Job } from '../../../jobs/scheduler.ts';
import { refusal } from '../surface/envelope.ts';

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

type GuessStore = {
  count(id: string, windowMs: number): Promise<{ attempts: number; secondsLeft: number }>;
  takeBack(id: string): Promise<void>;
  forget(id: string): Promise<void>;
};

/** One attempt. Call one of these functions once, or none when the password was wrong. */
type Guess = {
  /** The password was right: the account's failures are forgotten. */
  succeeded(): Promise<void>;
  /** The password was not checked. */
  takeBack(): Promise<void>;
};

export type Guesses = ReturnType<typeof createGuesses>;

type Limits = { readonly failuresMax: number; readonly windowMs: number };

// The account may not exist, so the typed e-mail address is stored only as a hash.
const accountId = (emailKey: string): string => `account:${hash('sha256', emailKey, 'hex')}`;

// An attempt is counted before the password is checked, so that parallel attempts are counted too; a success is subtracted again.
export const createGuesses = (store: GuessStore, { failuresMax, windowMs }: Limits) => {
  /** Refuses when there were too many. */
  const count = async (id: string): Promise<void> => {
    const { attempts, secondsLeft } = await store.count(id, windowMs);
    if (attempts > failuresMax) throw refusal('tooManyGuesses', { retryAfter: Math.max(1, secondsLeft) });
  };

  return {
    /** The address is counted first: an address that has to wait cannot lock accounts any more. */
    async begin({ emailKey, address }: { emailKey: string; address: string }): Promise<Guess> {
      const account = accountId(emailKey);
      await count(address);
      await count(account);
      return {
        async succeeded() {
          await Promise.all([store.takeBack(address), store.forget(account)]);
        },
        async takeBack() {
          await Promise.all([store.takeBack(address), store.takeBack(account)]);
        },
      };
    },
  };
};
