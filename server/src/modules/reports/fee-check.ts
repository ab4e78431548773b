// Compares the maintained sums of the fee report with the postings that they contain, for the full proof. It only reads.

import type pg from 'pg';
import { checkOfSums, type ProofCheck } from '../../books/proof-checks.ts';
import { inSnapshot, PATIENT } from '../../postgres/connection.ts';
import { addUpPostings, type FeeDay, type FeeFigures } from './fee-postings.ts';
import { type Place, readPlaces, readStored } from './fee-sums.ts';

const FEE_CHECK = 'fees-equal-postings';

// The first midnight after archived time. A report of an earlier day reads closings or files, and no sums.
const FIRST_DAY = `select to_char(max(r.ends_at) at time zone 'UTC' + interval '1 day' - interval '1 microsecond', 'YYYY-MM-DD') as day
  from archives r where r.marketplace_id = $1`;

const firstTime = async (client: pg.PoolClient, marketplaceId: string): Promise<string> => {
  const { day } = (await client.query<{ day: string | null }>(FIRST_DAY, [marketplaceId])).rows[0]!;
  return day === null ? '-infinity' : `${day}T00:00:00.000000Z`;
};

const FIGURES: readonly (keyof FeeFigures)[] = ['earned', 'reversed', 'network', 'provider'];

/** By currency, figure and day. */
const figuresOf = (days: readonly FeeDay[]): Map<string, bigint> =>
  new Map(
    days.flatMap((day) => FIGURES.map((figure) => [`${day.currency} ${figure} on ${day.date}`, day[figure]] as const)),
  );

type Compared = Place & { readonly marketplaceId: string; readonly from: string };

/** One sentence for each figure that differs. */
const differencesIn = async (client: pg.PoolClient, { mark, ...place }: Compared): Promise<string[]> => {
  if (mark === null) return [];
  const range = { ...place, to: 'infinity' };
  const kept = figuresOf(await readStored(client, range));
  const real = figuresOf(await addUpPostings(client, { ...range, after: 0n, last: mark }));
  return [...new Set([...kept.keys(), ...real.keys()])]
    .filter((name) => (kept.get(name) ?? 0n) !== (real.get(name) ?? 0n))
    .map((name) => `${name}: ${kept.get(name) ?? 0n} units in the sums, ${real.get(name) ?? 0n} in the postings.`);
};

/** The days since the end of the last archive; only for them a report reads the sums. */
export const checkFees = (pool: pg.Pool, marketplaceId: string): Promise<ProofCheck> =>
  inSnapshot(pool, async (client) => {
    await client.query(PATIENT);
    const from = await firstTime(client, marketplaceId);
    const differences: string[] = [];
    for (const place of await readPlaces(client, marketplaceId)) {
      differences.push(...(await differencesIn(client, { ...place, marketplaceId, from })));
    }
    const whenEqual = 'The sums of the fee report are those of the postings.';
    return checkOfSums({ name: FEE_CHECK, differences, whenEqual });
  });
