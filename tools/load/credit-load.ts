// Load whose every request can be told apart afterwards: each credit has its own reference and Idempotency-Key. It
// remembers which were acknowledged and which never got an answer.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { post } from '../processes/server-process.ts';
import { inspectBooks } from './check-books.ts';

export type Credit = { userId: string; reference: string; idempotencyKey: string };

export type Load = {
  acknowledged: Credit[];
  unanswered: Credit[];
  /** Answers that are neither: status and body. */
  odd: string[];
};

export const newLoad = (): Load => ({ acknowledged: [], unanswered: [], odd: [] });

const send = (url: string, key: string, { userId, reference, idempotencyKey }: Credit) =>
  post(url, {
    path: `/users/${userId}/balance/credit`,
    key,
    idempotencyKey,
    body: { amount: '0.01', reference },
  });

/** Runs until the server no longer answers; a refusal with 503 counts as unanswered, for it asks to be repeated. */
export const runLoad = async (
  url: string,
  of: { key: string; userIds: readonly string[]; workers: number; load: Load },
): Promise<void> => {
  const { key, userIds, workers, load } = of;
  const work = async (worker: number): Promise<void> => {
    for (let n = 0; ; n++) {
      const userId = userIds[(worker + n) % userIds.length]!;
      const credit = { userId, reference: randomUUID(), idempotencyKey: randomUUID() };
      const answer = await send(url, key, credit);
      if (answer?.status === 200) load.acknowledged.push(credit);
      else if (answer === null || answer.status === 503) {
        load.unanswered.push(credit);
        return;
      } else {
        load.odd.push(`${answer.status} ${answer.text}`);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
};

const COUNTS = `select reference, count(*)::int as n from postings
  where marketplace_id = 'mkt_default' and account_id like 'usr%' group by 1`;
const TRACES = `select
  (select count(*)::int from postings where move = 'credit' and account_id like 'usr%') as postings,
  (select count(*)::int from events where event_type = 'balance.credited') as events,
  (select count(*)::int from audit_entries where action = 'BALANCE_CREDITED') as audits,
  (select count(*)::int from idempotency_answers) as answers,
  (select count(distinct envelope::json -> 'payload' ->> 'sourceId')::int from events
     where event_type = 'balance.credited') as told,
  (select count(distinct payload_after::json ->> 'reference')::int from audit_entries
     where action = 'BALANCE_CREDITED') as audited`;

/** All of each credit or nothing of it: the posting, the event, the audit entry and the stored answer. */
export const checkTraces = async (pool: pg.Pool): Promise<Map<string, number>> => {
  const { rows } = await pool.query<{ reference: string; n: number }>(COUNTS);
  const counts = new Map(rows.map(({ reference, n }) => [reference, n]));
  const traces = (await pool.query<Record<string, number>>(TRACES)).rows[0]!;
  for (const [what, count] of Object.entries(traces)) assert.equal(count, counts.size, `${what} of every credit`);
  await inspectBooks(pool, 'mkt_default');
  return counts;
};

/** What was acknowledged is there once; what was not is there at most once, and exactly once after it is repeated. */
export const settleLoad = async (url: string, of: { key: string; load: Load; pool: pg.Pool }): Promise<void> => {
  const { key, load, pool } = of;
  assert.deepEqual(load.odd, []);
  const before = await checkTraces(pool);
  const lost = load.acknowledged.filter(({ reference }) => before.get(reference) !== 1);
  assert.deepEqual(lost, [], 'every acknowledged credit is there once');
  for (const credit of load.unanswered) {
    const there = before.get(credit.reference) ?? 0;
    assert.ok(there <= 1);
    const answer = await send(url, key, credit);
    assert.equal(answer?.status, 200, answer?.text ?? 'no answer');
    assert.equal(answer?.replayed, there === 1, 'a repeat is a replay exactly when the first had happened');
  }
  const after = await checkTraces(pool);
  assert.equal(after.size, load.acknowledged.length + load.unanswered.length);
  for (const { reference } of load.unanswered) assert.equal(after.get(reference), 1);
};
