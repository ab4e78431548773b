// Slows down guessing of passwords: after a number of failures per account and per address in a window, each further password waits
// longer before it is checked. No failure locks an account: at an address without failures of its own the right password is accepted
// after a short wait, unless more new addresses than one a second try the same account. All processes share the counts and the waits in the
// database. They are not a part of the books: they are written without a command, and deleted when their time is over.

import { hash } from 'node:crypto';
import type pg from 'pg';
import type { DomainError } from '../../base/domain-error.ts';
import { backOffMs } from '../../base/wait.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { ofMarketplace, sendWhereDue } from '../../postgres/by-marketplace.ts';

// The new row ends a window or a gap from now. A distributed database sends a statement to the machine of the row and refuses `now()`
// where it updates the row or returns it, so both compare with the new row.
const IS_OVER = `excluded.ends_at - a.ends_at >= $3 * interval '1 millisecond'`;

const COUNT = `insert into login_attempts as a (marketplace_id, id, attempts, ends_at)
  values ($1, $2, 1, now() + $3 * interval '1 millisecond')
  on conflict (marketplace_id, id) do update set
    attempts = case when ${IS_OVER} then 1 else least(a.attempts + 1, 1000000) end,
    ends_at = case when ${IS_OVER} then excluded.ends_at else a.ends_at end
  returning attempts`;

const TAKE_BACK = `update login_attempts set attempts = attempts - 1
  where marketplace_id = $1 and id = $2 and attempts > 0`;

const FORGET = 'delete from login_attempts where marketplace_id = $1 and id = $2';

/** The row holds the time of the next free slot. A slot that is too far away is not reserved. */
const RESERVE = `with slot as (
    insert into login_attempts as a (marketplace_id, id, attempts, ends_at)
    values ($1, $2, 1, now() + $3 * interval '1 millisecond')
    on conflict (marketplace_id, id) do update set ends_at = greatest(excluded.ends_at,
      (a.ends_at at time zone 'UTC' + $3 * interval '1 millisecond') at time zone 'UTC')
      where excluded.ends_at - a.ends_at >= ($3 - $4) * interval '1 millisecond'
    returning ends_at
  )
  select ceil(extract(epoch from s.ends_at - now()) * 1000 - $3)::int as "waitMs" from slot s`;

const NEXT_SLOT = `select ceil(extract(epoch from ends_at - now()) * 1000)::int as "waitMs" from login_attempts
  where marketplace_id = $1 and id = $2`;

const REMEMBER = `insert into login_attempts as a (marketplace_id, id, attempts, ends_at)
  values ($1, $2, 0, now() + $3 * interval '1 millisecond')
  on conflict (marketplace_id, id) do update set ends_at = excluded.ends_at`;

const IS_KNOWN = 'select 1 from login_attempts where marketplace_id = $1 and id = $2 and ends_at > now()';

/** A value that may be used once, such as a challenge, until it expires. */
const USE_ONCE = `insert into login_attempts (marketplace_id, id, attempts, ends_at)
  values ($1, $2, 1, now() + $3 * interval '1 millisecond') on conflict (marketplace_id, id) do nothing returning 1`;

const TRIM = `delete from login_attempts where ends_at < now() and ${ofMarketplace('marketplace_id', 1)}`;

const FIND_OVER = `select distinct marketplace_id as "marketplaceId" from login_attempts where ends_at < now() limit $1`;
const MARKETPLACES_MAX = 1_000;

type Waiting = { readonly waitMs: number };

export const createLoginAttempts = (pool: pg.Pool, marketplaceId: string) =>
  ({
    async count(id: string, windowMs: number) {
      const { rows } = await pool.query<{ attempts: number }>(COUNT, [marketplaceId, id, windowMs]);
      return rows[0]?.attempts ?? 1;
    },
    async takeBack(id: string): Promise<void> {
      await pool.query(TAKE_BACK, [marketplaceId, id]);
    },
    async reserve(id: string, { gapMs, waitMaxMs }: Pace) {
      const { rows } = await pool.query<Waiting>(RESERVE, [marketplaceId, id, gapMs, waitMaxMs]);
      if (rows[0]) return { isReserved: true, waitMs: Math.max(0, rows[0].waitMs) };
      const next = await pool.query<Waiting>(NEXT_SLOT, [marketplaceId, id]);
      return { isReserved: false, waitMs: next.rows[0]?.waitMs ?? gapMs };
    },
    async forget(id: string): Promise<void> {
      await pool.query(FORGET, [marketplaceId, id]);
    },
    async remember(id: string, forMs: number): Promise<void> {
      await pool.query(REMEMBER, [marketplaceId, id, forMs]);
    },
    async isKnown(id: string): Promise<boolean> {
      return (await pool.query(IS_KNOWN, [marketplaceId, id])).rows.length > 0;
    },
    /** Returns false when the value was used before. */
    async useOnce(value: string, forMs: number): Promise<boolean> {
      const id = `used:${hashed(value)}`;
      return (await pool.query(USE_ONCE, [marketplaceId, id, forMs])).rows.length > 0;
    },
    async trim(): Promise<void> {
      const send = async (of: { marketplaceId: string | null }): Promise<never[]> =>
        (await pool.query<never>(TRIM, [of.marketplaceId])).rows;
      await sendWhereDue(pool, { find: FIND_OVER, limit: MARKETPLACES_MAX, send });
    },
  }) satisfies GuessStore & { useOnce(value: string, forMs: number): Promise<boolean>; trim(): Promise<void> };

/** Deletes failed logins whose window is over. */
export const clearLoginAttempts = (trim: () => Promise<void>): Job => ({
  ...scheduled('clear-login-attempts'),
  run: trim,
});

/** The time between two slots, and how far away a slot may be. */
type Pace = { readonly gapMs: number; readonly waitMaxMs: number };

type GuessStore = {
  /** The attempts in the window, with this one. */
  count(id: string, windowMs: number): Promise<number>;
  takeBack(id: string): Promise<void>;
  reserve(id: string, pace: Pace): Promise<Waiting & { readonly isReserved: boolean }>;
  forget(id: string): Promise<void>;
  remember(id: string, forMs: number): Promise<void>;
  isKnown(id: string): Promise<boolean>;
};

/** One attempt. Call one of these functions once, or none when the password was wrong. */
export type Guess = Waiting & {
  /** There were too many failures: a wrong password is answered with 429. */
  readonly isBeyond: boolean;
  /** The password was right: the account's failures are forgotten. */
  succeeded(): Promise<void>;
  /** The password was not checked. */
  takeBack(): Promise<void>;
};

export type Guesses = ReturnType<typeof createGuesses>;

type Limits = {
  readonly failuresMax: number;
  readonly windowMs: number;
  readonly delayMaxMs: number;
  /** The refusal of an attempt that comes too early. */
  refuse(retryAfterS: number): DomainError;
};

const DELAY_FIRST_MS = 1_000;
/** Shorter than the delay of an address: attackers at other addresses must not keep the owner of an account waiting. */
const ACCOUNT_DELAY_MAX_MS = 5_000;
/** The gap between the slots of an account for addresses without failures of their own. */
const CLEAN_GAP_MS = 1_000;
/** A request is held at most this long. A longer wait is 429 with Retry-After. */
const HELD_MAX_MS = 5_000;
const DAY_MS = 86_400_000;
/** So long an address stays known from which the account's owner has logged in. */
const KNOWN_MS = 30 * DAY_MS;

// The account may not exist, so the typed e-mail address is stored only as a hash.
const hashed = (text: string): string => hash('sha256', text, 'hex');

type Entered = Waiting & { readonly isBeyond: boolean; readonly attempts: number };

// An attempt is counted before the password is checked, so that parallel attempts are counted too; a success is subtracted again.
export const createGuesses = (store: GuessStore, { failuresMax, windowMs, delayMaxMs, refuse }: Limits) => {
  const nextSlotOf = (id: string): string => `next:${id}`;
  /** The slots that only addresses without failures of their own get, so that guesses at other addresses do not take them. */
  const nextCleanSlotOf = (id: string): string => `next:clean:${id}`;

  /** Counts the attempt. Beyond the limit it also reserves the time of the check, and refuses when that is too far away. */
  const enter = async (id: string, { maxMs, isClean }: { maxMs: number; isClean: boolean }): Promise<Entered> => {
    const attempts = await store.count(id, windowMs);
    const excess = attempts - failuresMax;
    if (excess < 0) return { attempts, waitMs: 0, isBeyond: false };
    const gapMs = isClean ? Math.min(CLEAN_GAP_MS, maxMs) : backOffMs({ firstMs: DELAY_FIRST_MS, maxMs }, excess + 1);
    const slot = isClean ? nextCleanSlotOf(id) : nextSlotOf(id);
    const { isReserved, waitMs } = await store.reserve(slot, { gapMs, waitMaxMs: HELD_MAX_MS });
    if (isReserved) return { attempts, waitMs, isBeyond: excess > 0 };
    await store.takeBack(id);
    throw refuse(Math.max(1, Math.ceil(waitMs / 1_000)));
  };

  return {
    /** The address is counted first: an address that has to wait cannot delay accounts any more. */
    async begin({ emailKey, address }: { emailKey: string; address: string }): Promise<Guess> {
      const account = `account:${hashed(emailKey)}`;
      const known = `known:${hashed(`${emailKey}\n${address}`)}`;
      const byAddress = await enter(address, { maxMs: delayMaxMs, isClean: false });
      const isClean = byAddress.attempts === 1;
      const accountMaxMs = Math.min(ACCOUNT_DELAY_MAX_MS, delayMaxMs);
      // At an address from which the owner has logged in, failures at other addresses cause no delay.
      const isOwners = await store.isKnown(known);
      const byAccount = isOwners
        ? { waitMs: 0, isBeyond: false }
        : await enter(account, { maxMs: accountMaxMs, isClean }).catch(async (error: unknown) => {
            await store.takeBack(address);
            throw error;
          });
      return {
        waitMs: Math.max(byAddress.waitMs, byAccount.waitMs),
        isBeyond: byAddress.isBeyond || byAccount.isBeyond,
        async succeeded() {
          const forgotten = [account, nextSlotOf(account), nextCleanSlotOf(account)].map(store.forget);
          await Promise.all([store.takeBack(address), store.remember(known, KNOWN_MS), ...forgotten]);
        },
        async takeBack() {
          await Promise.all([store.takeBack(address), isOwners ? null : store.takeBack(account)]);
        },
      };
    },
  };
};
