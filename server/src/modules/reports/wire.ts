// Wires the reports. It decides nothing.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import type { Route } from '../../http/route.ts';
import { createActivityReads } from './activity.ts';
import { createMoneyReads } from './money-places.ts';
import { createOpenWorkReads } from './open-work.ts';
import { reportRoutes } from './routes.ts';

export const wireReports = (pool: pg.Pool, baseCurrency: Currency): Route[] =>
  reportRoutes({
    money: createMoneyReads(pool),
    activity: createActivityReads(pool),
    openWork: createOpenWorkReads(pool),
    baseCurrency,
  });
