// Wires balances and reservations. It decides nothing.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import type { Route } from '../../http/route.ts';
import { createBalanceReads, createReservationReads } from './queries.ts';
import { balanceRoutes, type OnLedger } from './routes.ts';

type Options = { readonly pool: pg.Pool; readonly baseCurrency: Currency; readonly onLedger: OnLedger };

export const wireBalances = ({ pool, baseCurrency, onLedger }: Options): Route[] =>
  balanceRoutes({
    balances: createBalanceReads(pool),
    reservations: createReservationReads(pool),
    baseCurrency,
    onLedger,
  });
