// Answers to requests with an Idempotency-Key. They are written by the commit of the command that they answer, so after a crash
// either both exist or neither does.

import type pg from 'pg';
import { DomainError } from '../base/domain-error.ts';
import { ofMarketplace, sendWhereDue } from '../postgres/by-marketplace.ts';
import { isAway } from '../postgres/database-errors.ts';
import { bytes } from './columnar.ts';
import { command, type ReplayGuard, type StoredAnswer } from './command.ts';

export type AnswerRow = {
  readonly marketplaceId: string;
  readonly keyHash: Buffer;
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly body: string;
  readonly createdAt: string;
  readonly expiresAt: string;
};

type AnswerKey = Pick<AnswerRow, 'marketplaceId' | 'keyHash'>;

export const answerKey = ({ marketplaceId, keyHash }: AnswerKey): string =>
  `${marketplaceId}/${keyHash.toString('base64')}`;

const LOAD_ANSWERS = `select a.key_hash, a.fingerprint, a.status, a.body, a.created_at, a.expires_at
  from idempotency_answers a where a.marketplace_id = $1 and a.key_hash = any($2)`;

/** The stored answers of one marketplace. */
export const loadAnswers = async (
  client: Pick<pg.Client, 'query'>,
  { marketplaceId, keyHashes }: { marketplaceId: string; keyHashes: readonly Buffer[] },
): Promise<AnswerRow[]> => {
  const { rows } = await client.query({
    name: 'load-answers',
    text: LOAD_ANSWERS,
    values: [marketplaceId, bytes(keyHashes)],
  });
  return rows.map((row) => ({
    marketplaceId,
    keyHash: row.key_hash,
    fingerprint: row.fingerprint,
    status: row.status,
    body: row.body,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
};

type RequestIdentity = Pick<ReplayGuard<unknown>, 'fingerprint'>;

/** The answer to repeat. Null: this is a new request. Refuses when the key was used for another request. */
export const answerToReplay = (
  row: AnswerRow | undefined,
  { fingerprint, now }: RequestIdentity & { now: string },
): StoredAnswer | null => {
  if (!row || row.expiresAt <= now) return null;
  if (!row.fingerprint.equals(fingerprint)) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
  return { status: row.status, body: row.body };
};

export type FindAnswer = (request: AnswerKey & RequestIdentity & { now: string }) => Promise<StoredAnswer | null>;

/** Nothing of the request was done, so its outcome is certain: it may simply be repeated. */
const refuseUnread = (error: unknown): never => {
  throw isAway(error) ? new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 1 } }) : error;
};

/** For requests that are more than one command: they read the stored answer before they begin. */
export const createFindAnswer =
  (pool: pg.Pool): FindAnswer =>
  async ({ marketplaceId, keyHash, fingerprint, now }) => {
    const rows = await loadAnswers(pool as unknown as pg.Client, { marketplaceId, keyHashes: [keyHash] }).catch(
      refuseUnread,
    );
    return answerToReplay(rows[0], { fingerprint, now });
  };

/** Stores the answer to a request that is more than one command. The guard of the submission writes it; the command decides nothing. */
export const keepAnswer = command<StoredAnswer, StoredAnswer>({
  name: 'keep-answer',
  needs: () => ({}),
  decide: (answer) => answer,
});

/** Rows per statement, so that no lock is held for long. */
const TRIM_BATCH = 5_000;

const TRIM_ANSWERS = `delete from idempotency_answers a using (
    select marketplace_id, key_hash from idempotency_answers
    where expires_at < now() and ${ofMarketplace('marketplace_id', 2)} limit $1
  ) old where a.marketplace_id = old.marketplace_id and a.key_hash = old.key_hash and a.expires_at < now()
    and ${ofMarketplace('a.marketplace_id', 2)}`;

const FIND_EXPIRED = `select marketplace_id as "marketplaceId" from idempotency_answers where expires_at < now() limit $1`;

/** Deletes one batch of expired answers and returns their number. */
export const trimAnswers = async (pool: pg.Pool): Promise<number> => {
  const deleted = await sendWhereDue(pool, {
    find: FIND_EXPIRED,
    limit: TRIM_BATCH,
    send: async ({ limit, marketplaceId }) => [(await pool.query(TRIM_ANSWERS, [limit, marketplaceId])).rowCount ?? 0],
  });
  return deleted.reduce((sum, count) => sum + count, 0);
};
