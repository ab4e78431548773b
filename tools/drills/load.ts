// Load with a journal: every credit is written down before it is sent, with its own reference and Idempotency-Key, and
// repeated through the SDK until it is acknowledged. What was acknowledged is never sent again, so a lost one stays lost
// and is found.

import { randomUUID } from 'node:crypto';
import { Holdfast, HoldfastError } from '@holdfast/sdk';
import type pg from 'pg';
import { checkTraces } from '../load/credit-load.ts';
import { type Stage, until } from './stage.ts';

type Entry = { readonly userId: string; readonly reference: string; readonly idempotencyKey: string };

export type Load = {
  readonly acknowledged: readonly Entry[];
  /** Attempts that were answered with "not now", by code. */
  readonly refusals: ReadonlyMap<string, number>;
  /** The longest time without any acknowledgement, in milliseconds. */
  standstillMs(): number;
  /** Begins nothing new, and waits until everything in the journal is acknowledged. */
  finish(): Promise<void>;
};

const WORKERS = 8;
const USERS = 3;
const AGAIN_MS = 50;
/** Some two hundred a second: always something under way, and the processors are left to what is drilled. */
const PACE_MS = 40;
/** What passes by itself: 500 is what a read says while the database is away. Any other refusal ends the drill. */
export const PASSING: readonly string[] = [
  'INTERNAL_ERROR',
  'CONNECTION_FAILED',
  'TIMED_OUT',
  'SERVICE_UNAVAILABLE',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
  'UNEXPECTED_ANSWER',
];

const post = async (url: string, ask: { path: string; key: string; body: unknown }) => {
  const response = await fetch(`${url}/api/v1${ask.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ask.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(ask.body),
  });
  if (!response.ok) throw new Error(`${ask.path}: ${await response.text()}`);
  return (await response.json()) as { data: { id: string; key: string } };
};

/** Without Idempotency-Keys, so that the kept answers are those of the credits. */
const prepare = async (url: string, masterKey: string): Promise<{ key: string; userIds: string[] }> => {
  const { key } = (await post(url, { path: '/auth/api-keys', key: masterKey, body: { name: 'drill', scopes: ['*'] } }))
    .data;
  const userIds: string[] = [];
  for (let n = 1; n <= USERS; n++) {
    userIds.push((await post(url, { path: '/users', key, body: { externalUserId: `drill-${n}` } })).data.id);
  }
  return { key, userIds };
};

export const beginLoad = async (stage: Stage, of: { url: string; masterKey: string }): Promise<Load> => {
  const { key, userIds } = await prepare(of.url, of.masterKey);
  const client = new Holdfast({ url: of.url, apiKey: key, maxRetries: 0 });
  const acknowledged: Entry[] = [];
  const refusals = new Map<string, number>();
  let lastAt = performance.now();
  let longestMs = 0;
  let finishing = false;

  const send = async ({ userId, reference, idempotencyKey }: Entry): Promise<void> => {
    for (;;) {
      try {
        await client.balances.credit(userId, { amount: '0.01', reference }, { idempotencyKey });
        return;
      } catch (error) {
        if (!(error instanceof HoldfastError) || !PASSING.includes(error.code)) throw error;
        refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  };
  const work = async (worker: number): Promise<void> => {
    for (let n = worker; !finishing; n++) {
      const entry = { userId: userIds[n % USERS]!, reference: randomUUID(), idempotencyKey: randomUUID() };
      await send(entry);
      acknowledged.push(entry);
      const now = performance.now();
      longestMs = Math.max(longestMs, now - lastAt);
      lastAt = now;
      await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
  };
  const working = Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  // Told when it is waited for; until then it must not end the drill.
  working.catch(() => {});
  stage.afterwards(() => {
    finishing = true;
  });
  return {
    acknowledged,
    refusals,
    standstillMs: () => longestMs,
    async finish() {
      finishing = true;
      await working;
    },
  };
};

/** When so many more were acknowledged: the service works, and under load. */
export const progress = (load: Load, count: number): Promise<void> => {
  const wanted = load.acknowledged.length + count;
  return until(() => load.acknowledged.length >= wanted, `${count} more were acknowledged`);
};

/** What every drill promises in the end. */
export const settle = async (stage: Stage, { load, pool }: { load: Load; pool: pg.Pool }): Promise<void> => {
  await load.finish();
  const total = load.acknowledged.length;
  const counts = await checkTraces(pool);
  const lost = load.acknowledged.filter(({ reference }) => !counts.has(reference)).length;
  const twice = [...counts.values()].filter((count) => count > 1).length;
  stage.found('nothing that was acknowledged is lost', { holds: lost === 0, detail: `${total} credits, ${lost} lost` });
  stage.found('nothing happened twice', {
    holds: twice === 0 && counts.size === total,
    detail: `${counts.size} in the books, ${twice} twice`,
  });
  stage.found('postings, events, audit entries, stored answers and the proof agree', {
    holds: true,
    detail: 'every row read again',
  });
  const refused = [...load.refusals].map(([code, count]) => `${count} ${code}`).join(', ') || 'none';
  stage.found('the server works again without an operator', {
    holds: true,
    detail: `longest standstill ${Math.round(load.standstillMs())} ms; refusals: ${refused}`,
  });
};
