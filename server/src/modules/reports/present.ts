// Reports in replies.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { presentExact } from '../../http/checked-values.ts';
import type { Activity, ActivityFigures } from './activity.ts';
import type { CurrencyPlaces, MoneyPlaces } from './money-places.ts';

const presentPlaces = ({ currency, claims, holdings, ...totals }: CurrencyPlaces) => ({
  currency,
  claims: claims.map(({ place, amount }) => ({ place, amount: presentExact(amount) })),
  holdings: holdings.map(({ place, amount }) => ({ place, amount: presentExact(amount) })),
  claimsTotal: presentExact(totals.claimsTotal),
  holdingsTotal: presentExact(totals.holdingsTotal),
  difference: presentExact(totals.difference),
});

export const presentMoney = ({ asOf, currencies }: MoneyPlaces) => ({
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

export const presentActivity = ({ from, to, days, totals }: Activity, currency: Currency) => ({
  ...{ currency, from, to },
  days: days.map((day) => ({ date: day.date, ...presentFigures(day) })),
  totals: presentFigures(totals),
});
