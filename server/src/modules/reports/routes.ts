// Routes of the reports, and their replies.

import * as api from '@holdfast/contract/api/reports.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { presentExact } from '../../http/checked-values.ts';
import { type Route, read } from '../../http/route.ts';
import { type Activity, type ActivityFigures, type ActivityReads, createActivityReads } from './activity.ts';
import { type CurrencyPlaces, createMoneyReads, type MoneyPlaces, type MoneyReads } from './money-places.ts';
import { createOpenWorkReads, type OpenWorkReads } from './open-work.ts';

const presentPlaces = ({ currency, claims, holdings, ...totals }: CurrencyPlaces) => ({
  currency,
  claims: claims.map(({ place, amount }) => ({ place, amount: presentExact(amount) })),
  holdings: holdings.map(({ place, amount }) => ({ place, amount: presentExact(amount) })),
  claimsTotal: presentExact(totals.claimsTotal),
  holdingsTotal: presentExact(totals.holdingsTotal),
  difference: presentExact(totals.difference),
});

const presentMoney = ({ asOf, currencies }: MoneyPlaces) => ({
  asOf,
  currencies: currencies.map(presentPlaces),
});

const presentFigures = (figures: ActivityFigures) => ({
  ordersCreated: figures.ordersCreated,
  ordersSettled: figures.ordersSettled,
  ordersCanceled: figures.ordersCanceled,
  amountCreated: presentExact(figures.amountCreated),
  releasedToSellers: presentExact(figures.releasedToSellers),
  refundedToBuyers: presentExact(figures.refundedToBuyers),
  platformFees: presentExact(figures.platformFees),
  toppedUp: presentExact(figures.toppedUp),
  withdrawn: presentExact(figures.withdrawn),
  settlement: { ...figures.settlement },
});

const presentActivity = ({ from, to, days, totals }: Activity, currency: Currency) => ({
  currency,
  from,
  to,
  days: days.map((day) => ({ date: day.date, ...presentFigures(day) })),
  totals: presentFigures(totals),
});

type Parts = {
  readonly money: MoneyReads;
  readonly activity: ActivityReads;
  readonly openWork: OpenWorkReads;
  readonly baseCurrency: Currency;
};

const reportRoutes = ({ money, activity, openWork, baseCurrency }: Parts): Route[] => [
  read(api.getMoneyReport, async ({ context }) => presentMoney(await money.places(context.marketplaceId))),
  read(api.getActivityReport, async ({ query, context: { marketplaceId } }) => {
    const { currency = baseCurrency, days = api.ACTIVITY_DAYS.usual } = query;
    return presentActivity(await activity.read({ marketplaceId, currency, days }), currency);
  }),
  read(api.getOpenWork, async ({ context }) => {
    const { asOf, items } = await openWork.count(context.marketplaceId);
    return { asOf, countedMax: api.OPEN_WORK_COUNTED_MAX, items: [...items] };
  }),
];

export const wireReports = (pool: pg.Pool, baseCurrency: Currency): Route[] =>
  reportRoutes({
    money: createMoneyReads(pool),
    activity: createActivityReads(pool),
    openWork: createOpenWorkReads(pool),
    baseCurrency,
  });
