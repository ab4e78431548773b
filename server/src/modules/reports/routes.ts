// Routes of the reports.

import * as api from '@holdfast/contract/api/reports.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Route, read } from '../../http/route.ts';
import type { ActivityReads } from './activity.ts';
import type { MoneyReads } from './money-places.ts';
import type { OpenWorkReads } from './open-work.ts';
import { presentActivity, presentMoney } from './present.ts';

type Parts = {
  readonly money: MoneyReads;
  readonly activity: ActivityReads;
  readonly openWork: OpenWorkReads;
  readonly baseCurrency: Currency;
};

export const reportRoutes = ({ money, activity, openWork, baseCurrency }: Parts): Route[] => [
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
