// The part of the activity figures whose postings are in archives: payouts of orders, and top-ups of archived days. A month is at least four
// months old when it is archived and the sums are kept for 90 days, so that usually no file is read. It only reads.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import { keptArchives } from '../archives/account-postings.ts';
import type { Archive } from '../archives/archive.ts';
import { eachArchivedPosting } from '../archives/each-posting.ts';
import { createArchiveReads } from '../archives/queries.ts';
import {
  CLOSED_IN_RANGE,
  type FigureRow,
  PAYOUTS,
  type RecordRange,
  slice,
  TOPUPS,
  topupAccounts,
} from './activity-records.ts';
import { createSums } from './figure-sums.ts';

/** Orders whose files are read together. */
const ORDERS_AT_ONCE = 5_000;

// In the order of the files, so that a batch of orders is in few of them.
const PAID_ORDERS = `select o.account, o.at, o.currency, a.postings from (
    select t.id || ':escrow:' || t.currency as account, ${slice('t.updated_at')} as at, t.currency from orders t
    where ${CLOSED_IN_RANGE} and t.final_status <> 'CANCELED'
  ) o cross join lateral (select a.postings from archived_accounts a
    where a.marketplace_id = $1 and a.account_id = o.account and a.postings > 0 offset 0) a
  where o.account collate "C" > $6 order by o.account collate "C" limit ${ORDERS_AT_ONCE}`;

type PaidOrder = {
  readonly account: string;
  readonly at: string;
  readonly currency: Currency;
  readonly postings: bigint;
};

type Reading = { readonly client: pg.PoolClient; readonly dir: string; readonly archives: readonly Archive[] };

const beginningOf = (instant: string, span: 'day' | 'hour'): string =>
  span === 'day' ? `${instant.slice(0, 11)}00:00:00.000000Z` : `${instant.slice(0, 14)}00:00.000000Z`;

const readPaidOut = async ({ client, dir, archives }: Reading, range: RecordRange): Promise<FigureRow[]> => {
  const { marketplaceId, span, from, to, currency } = range;
  const sums = createSums();
  for (let after = ''; ; ) {
    const values = [marketplaceId, span, from, to, currency, after];
    const { rows } = await client.query<PaidOrder>(PAID_ORDERS, values);
    const orders = new Map(rows.map((row) => [row.account, row]));
    const accounts = new Map(rows.map(({ account, postings }) => [account, postings]));
    await eachArchivedPosting({ dir, marketplaceId, archives, accounts }, ({ account_id, move, amount }) => {
      const { at, currency: of } = orders.get(account_id)!;
      const figure = PAYOUTS[move];
      if (figure) sums.add({ at, currency: of, figure }, amount);
    });
    if (rows.length < ORDERS_AT_ONCE) return sums.rows();
    after = rows.at(-1)!.account;
  }
};

const readToppedUp = async ({ client, dir, archives }: Reading, range: RecordRange): Promise<FigureRow[]> => {
  const { marketplaceId, span, from, to } = range;
  // An archive has no posting of its end or later.
  const overlapping = archives.filter(({ endsAt }) => endsAt > from);
  if (overlapping.length === 0) return [];
  const sums = createSums();
  for (const currency of range.currency === null ? CURRENCIES : [range.currency]) {
    const ids = await topupAccounts(client, { marketplaceId, currency });
    const accounts = await createArchiveReads(client).accountBases(marketplaceId, ids);
    await eachArchivedPosting(
      { dir, marketplaceId, archives: overlapping, accounts },
      ({ move, amount, posted_at }) => {
        const at = formatInstant(parseInstant(posted_at) ?? 0);
        if (!TOPUPS.includes(move) || at < from || at >= to) return;
        sums.add({ at: beginningOf(at, span), currency, figure: 'topup' }, amount);
      },
    );
  }
  return sums.rows();
};

/** Reads the archived part of a range. The client is in a snapshot. */
export type ReadArchived = (client: pg.PoolClient, range: RecordRange) => Promise<FigureRow[]>;

export const archivedFigures =
  (dir: string): ReadArchived =>
  async (client, range) => {
    const archives = keptArchives(await createArchiveReads(client).list(range.marketplaceId));
    if (archives.length === 0) return [];
    const reading = { client, dir, archives };
    return [...(await readPaidOut(reading, range)), ...(await readToppedUp(reading, range))];
  };
