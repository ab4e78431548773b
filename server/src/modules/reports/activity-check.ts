// Compares the maintained sums of the activity report with the records, for the full proof. It only reads.

import { ACTIVITY_DAYS } from '@holdfast/contract/api/reports.ts';
import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { checkOfSums, type ProofCheck } from '../../books/proof-checks.ts';
import { inSnapshot, PATIENT } from '../../postgres/connection.ts';
import { BrokenArchive } from '../archives/slices.ts';
import { type FigureRow, readRecords, type WithArchived } from './activity-records.ts';
import { readFigures } from './activity-sums.ts';

const ACTIVITY_CHECK = 'activity-equals-records';

const RANGE = `select date_trunc('day', now()) - make_interval(days => $1) as "from",
  date_trunc('day', now()) + interval '2 days' as "to"`;

/** By currency, figure and day, the number and the sum. */
const totalsOf = (rows: readonly FigureRow[]): Map<string, string> => {
  const totals = new Map<string, { count: number; units: bigint }>();
  for (const { at, currency, figure, bucket, count, units } of rows) {
    const name = `${currency} ${figure}${bucket === 0 ? '' : ` after ${bucket} s`} on ${at.slice(0, 10)}`;
    const before = totals.get(name) ?? { count: 0, units: 0n };
    totals.set(name, { count: before.count + count, units: before.units + BigInt(units) });
  }
  return new Map([...totals].map(([name, { count, units }]) => [name, `${count} of ${units} units`]));
};

type Compared = WithArchived & {
  readonly marketplaceId: string;
  readonly currency: Currency;
  readonly from: string;
  readonly to: string;
};

/** One sentence for each figure that differs. */
const differencesIn = async (client: pg.PoolClient, { to, ...request }: Compared): Promise<string[]> => {
  const kept = totalsOf(await readFigures(client, request));
  const real = totalsOf(await readRecords(client, { ...request, span: 'day', to }));
  const names = new Set([...kept.keys(), ...real.keys()]);
  return [...names]
    .filter((name) => kept.get(name) !== real.get(name))
    .map(
      (name) => `${name}: ${kept.get(name) ?? 'nothing'} in the sums, ${real.get(name) ?? 'nothing'} in the records.`,
    );
};

type Asked = WithArchived & { readonly marketplaceId: string };

const findDifferences = (pool: pg.Pool, asked: Asked): Promise<string[]> =>
  inSnapshot(pool, async (client) => {
    await client.query(PATIENT);
    const range = (await client.query<{ from: string; to: string }>(RANGE, [ACTIVITY_DAYS.max])).rows[0]!;
    const differences: string[] = [];
    for (const currency of CURRENCIES) {
      differences.push(...(await differencesIn(client, { ...asked, currency, ...range })));
    }
    return differences;
  });

/** Days of archived months are compared with the files of the archives. */
export const checkActivity = async (pool: pg.Pool, asked: Asked): Promise<ProofCheck> => {
  const differences = await findDifferences(pool, asked).catch((error: unknown) => {
    if (error instanceof BrokenArchive) return [`The archives cannot be read: ${error.message}`];
    throw error;
  });
  const whenEqual = 'The sums of the activity report are those of the records.';
  return checkOfSums({ name: ACTIVITY_CHECK, differences, whenEqual });
};
