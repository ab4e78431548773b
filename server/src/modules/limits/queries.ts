// Reads of limits, and of what marketplaces have used today. One read serves all marketplaces of a page.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { type Amount, ZERO } from '../../books/money.ts';
import { selected } from '../../commit/tables.ts';
import { type Counted, DAY_COUNTS, type DayCount, dayCountId } from './day-counts.ts';
import { MARKETPLACE_LIMITS, type MarketplaceLimits } from './marketplace-limits.ts';
import type { UsedToday } from './present.ts';

const LIST = `select t.marketplace_id as "marketplaceId", ${selected(MARKETPLACE_LIMITS)} from marketplace_limits t
  where t.marketplace_id = any($1)`;

const COUNTS = `select t.marketplace_id as "marketplaceId", ${selected(DAY_COUNTS)} from day_counts t
  where t.marketplace_id = any($1) and t.id = any($2)`;

const COUNT_IDS = CURRENCIES.flatMap((currency) => [
  dayCountId({ counted: 'manualCredit', currency }),
  dayCountId({ counted: 'withdrawal', currency }),
]);

type Placed<Row> = Row & { readonly marketplaceId: string };

type Place = { readonly marketplaceId: string; readonly currency: Currency };

type Used = (place: Place) => UsedToday;

export const createLimitReads = (pool: pg.Pool) => ({
  /** The limits of these marketplaces, in the order of the currencies. */
  async list(marketplaceIds: readonly string[]): Promise<Placed<MarketplaceLimits>[]> {
    const { rows } = await pool.query<Placed<MarketplaceLimits>>(LIST, [marketplaceIds]);
    return rows.sort((one, other) => CURRENCIES.indexOf(one.id) - CURRENCIES.indexOf(other.id));
  },

  /** What each of these marketplaces has used on this day. */
  async usedOn(marketplaceIds: readonly string[], today: string): Promise<Used> {
    const { rows: all } = await pool.query<Placed<DayCount>>(COUNTS, [marketplaceIds, COUNT_IDS]);
    return ({ marketplaceId, currency }) => {
      const rows = all.filter((row) => row.marketplaceId === marketplaceId);
      const day = rows.reduce((latest, row) => (row.day > latest ? row.day : latest), today);
      const usedOf = (counted: Counted): Amount => {
        const id = dayCountId({ counted, currency });
        return rows.find((row) => row.id === id && row.day === day)?.amount ?? ZERO;
      };
      return { day, manualCredit: usedOf('manualCredit'), withdrawal: usedOf('withdrawal') };
    };
  },
});

export type LimitReads = ReturnType<typeof createLimitReads>;
