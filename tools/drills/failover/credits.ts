// Credits with a journal: each has a reference and an Idempotency-Key of its own, and is repeated with the same key until an answer decides it.
// The journal remembers when it was first sent and acknowledged, whether an attempt left the outcome unknown, and whether the
// answer was that of an earlier attempt.

import { randomUUID } from 'node:crypto';
import { Holdfast } from '@holdfast/sdk';
import type pg from 'pg';
import { type Answer, post } from '../../processes/server-process.ts';
import { forSeconds, type Stage, until } from '../stage.ts';

type Credit = {
  readonly reference: string;
  readonly sentAt: number;
  /** Attempts that were refused for a passing reason, or had no answer. */
  repeats: number;
  /** At least one attempt had no answer, or one that leaves the outcome open. */
  wasUnknown: boolean;
  /** Null while no answer has decided it. */
  acknowledgedAt: number | null;
  isReplay: boolean;
};

export type Credits = {
  readonly all: readonly Credit[];
  /** Waits until so many more were sent and acknowledged. */
  progress(count: number): Promise<void>;
  /** Sends nothing new, and waits until every credit is decided. */
  finish(): Promise<void>;
};

export type Figures = {
  readonly acknowledged: number;
  /** Not decided in the end. */
  readonly open: number;
  /** Refused for a passing reason or unknown, so sent again. */
  readonly repeated: number;
  readonly unknown: number;
  /** Found by a repeat: an earlier attempt had written them. */
  readonly replays: number;
  readonly lost: number;
  readonly twice: number;
  readonly outageS: number;
};

const WORKERS = 6;
const PACE_S = 0.05;
const AGAIN_S = 0.1;
/** The server is busy, or the database is away, or an earlier attempt is still being carried out. */
const PASSING = [409, 500, 502, 503, 504];

/** A 503 that does not say otherwise was refused before anything was written. */
const leavesOpen = (answer: Answer | null): boolean =>
  answer?.status !== 503 || answer.text.includes('"outcome":"unknown"');

type Sender = { readonly url: string; readonly key: string; readonly userId: string; isOver(): boolean };

const sendUntilDecided = async ({ url, key, userId, isOver }: Sender, credit: Credit): Promise<void> => {
  const idempotencyKey = randomUUID();
  const body = { amount: '0.01', reference: credit.reference };
  for (;;) {
    const answer = await post(url, { path: `/users/${userId}/balance/credit`, key, idempotencyKey, body });
    if (answer?.status === 200) {
      credit.acknowledgedAt = performance.now();
      credit.isReplay = answer.replayed;
      return;
    }
    if (answer !== null && !PASSING.includes(answer.status)) throw new Error(`${answer.status} ${answer.text}`);
    if (isOver()) throw new Error('the drill is over');
    credit.repeats++;
    credit.wasUnknown ||= leavesOpen(answer);
    await forSeconds(AGAIN_S);
  }
};

export const beginCredits = async (stage: Stage, of: { url: string; masterKey: string }): Promise<Credits> => {
  const client = new Holdfast({ url: of.url, apiKey: of.masterKey });
  const { id: userId } = await client.users.create({ externalUserId: 'journal' });
  const all: Credit[] = [];
  let isOpen = true;
  let isOver = false;
  stage.afterwards(() => {
    isOpen = false;
    isOver = true;
  });
  const sender: Sender = { url: of.url, key: of.masterKey, userId, isOver: () => isOver };
  const work = async (): Promise<void> => {
    while (isOpen) {
      const credit: Credit = {
        reference: randomUUID(),
        sentAt: performance.now(),
        repeats: 0,
        wasUnknown: false,
        acknowledgedAt: null,
        isReplay: false,
      };
      all.push(credit);
      await sendUntilDecided(sender, credit);
      await forSeconds(PACE_S);
    }
  };
  const working = Promise.all(Array.from({ length: WORKERS }, work));
  // `finish` throws the error of a worker. Until then the error must not end the drill.
  working.catch(() => {});
  const acknowledged = (): number => all.filter(({ acknowledgedAt }) => acknowledgedAt !== null).length;
  return {
    all,
    progress(count) {
      const wanted = acknowledged() + count;
      return until(() => acknowledged() >= wanted, `${count} more credits were acknowledged`);
    },
    async finish() {
      isOpen = false;
      await working;
    },
  };
};

const COUNTS = `select reference, count(*)::int as n from postings
  where marketplace_id = 'mkt_default' and account_id like 'usr%' and reference = any($1) group by 1`;

/** The longest time without any acknowledgement, in seconds. */
const outageOf = (credits: readonly Credit[]): number => {
  const times = credits.flatMap(({ acknowledgedAt }) => acknowledgedAt ?? []).sort((one, other) => one - other);
  const gaps = times.slice(1).map((time, at) => time - times[at]!);
  return Math.max(0, ...gaps) / 1_000;
};

/** Figures of the credits that were sent in this time, compared with the postings of the database. */
export const figuresOf = async (
  { all }: Credits,
  { from, to, pool }: { from: number; to: number; pool: pg.Pool },
): Promise<Figures> => {
  const credits = all.filter(({ sentAt }) => sentAt >= from && sentAt < to);
  const decided = credits.filter(({ acknowledgedAt }) => acknowledgedAt !== null);
  const { rows } = await pool.query<{ reference: string; n: number }>(COUNTS, [decided.map((each) => each.reference)]);
  return {
    acknowledged: decided.length,
    open: credits.length - decided.length,
    repeated: credits.filter(({ repeats }) => repeats > 0).length,
    unknown: credits.filter(({ wasUnknown }) => wasUnknown).length,
    replays: credits.filter(({ isReplay }) => isReplay).length,
    lost: decided.length - rows.length,
    twice: rows.filter(({ n }) => n > 1).length,
    outageS: outageOf(credits),
  };
};
