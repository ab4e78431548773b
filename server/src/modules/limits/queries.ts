// Reads of limits, and of what a marketplace has used today.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { type Amount, ZERO } from '../../books/money.ts';
import { selected } from '../../commit/tables.ts';
import { type Counted, DAY_COUNTS, type DayCount, dayCountId } from './day-counts.ts';
import { MARKETPLACE_LIMITS, type MarketplaceLimits } from './marketplace-limits.ts';
import type { UsedToday } from './present.ts';

const LIST = `select ${selected(MARKETPLACE_LIMITS)} from marketplace_limits t where t.marketplace_id = $1`;

const COUNTS = `select ${selected(DAY_COUNTS)} from day_counts t where t.marketplace_id = $1 and t.id = any($2)`;

type Used = (currency: Currency) => UsedToday;

export const createLimitReads = (pool: pg.Pool) => ({
  /** In the order of the currencies. */
  async list(marketplaceId: string): Promise<MarketplaceLimits[]> {
    const { rows } = await pool.query<MarketplaceLimits>(LIST, [marketplaceId]);
    return rows.sort((one, other) => CURRENCIES.indexOf(one.id) - CURRENCIES.indexOf(other.id));
  },

  /** What the marketplace has used on this day, by currency. */
  async usedOn(marketplaceId: string, today: string): Promise<Used> {
    const ids = CURRENCIES.flatMap((currency) => [
      dayCountId({ counted: 'manualCredit', currency }),
      dayCountId({ counted: 'withdrawal', currency }),
    ]);
    const { rows } = await pool.query<DayCount>(COUNTS, [marketplaceId, ids]);
    const day = rows.reduce((latest, row) => (row.day > latest ? row.day : latest), today);
    const usedOf = (counted: Counted, currency: Currency): Amount => {
      const id = dayCountId({ counted, currency });
      return rows.find((row) => row.id === id && row.day === day)?.amount ?? ZERO;
    };
    return (currency) => ({
      day,
      manualCredit: usedOf('manualCredit', currency),
      withdrawal: usedOf('withdrawal', currency),
    });
  },
});

export type LimitReads = ReturnType<typeof createLimitReads>;
