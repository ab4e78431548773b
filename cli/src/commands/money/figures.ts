// The figures of the console's first page: where the money is, what happened each day, and what needs attention.

import type { ActivityReport, CurrencyCode, MoneyReport, OpenWork } from '@holdfast/sdk';
import type { Command } from 'commander';
import { atLeastOne, define } from '../../define.ts';
import { action } from '../../run.ts';
import { clockOf } from '../../times.ts';
import type { Column } from '../../view/table.ts';

const right = { align: 'right' } as const;

type PlaceRow = { readonly side: string; readonly place: string; readonly amount: string; readonly currency: string };

const PLACES: readonly Column<PlaceRow>[] = [
  { title: 'side', of: ({ side }) => side },
  { title: 'place', of: ({ place }) => place.replaceAll('_', ' ') },
  { title: 'amount', ...right, of: ({ amount }) => amount },
  { title: 'currency', of: ({ currency }) => currency },
];

const placeRows = ({ currencies }: MoneyReport): PlaceRow[] =>
  currencies.flatMap(({ currency, claims, holdings, claimsTotal, holdingsTotal }) => [
    ...claims.map((each) => ({ side: 'liability', currency, ...each })),
    { side: 'liability', place: 'total', amount: claimsTotal, currency },
    ...holdings.map((each) => ({ side: 'asset', currency, ...each })),
    { side: 'asset', place: 'total', amount: holdingsTotal, currency },
  ]);

const addMoney = (report: Command): void => {
  define(report, {
    name: 'money',
    what: 'liabilities by owner and assets by place, as the books have them now',
    examples: ['holdfast report money'],
  }).action(
    action(async ({ client, out }) => {
      const money = await client.reports.money();
      if (out.isJson) return out.json(money);
      if (money.currencies.length === 0) return out.note('No money has moved yet.');
      out.table(placeRows(money), PLACES);
      for (const { currency, difference } of money.currencies) out.line(`Difference ${difference} ${currency}.`);
    }),
  );
};

type Day = ActivityReport['days'][number];

const DAYS: readonly Column<Day>[] = [
  { title: 'day', of: ({ date }) => date },
  { title: 'created', ...right, of: ({ ordersCreated }) => String(ordersCreated) },
  { title: 'settled', ...right, of: ({ ordersSettled }) => String(ordersSettled) },
  { title: 'canceled', ...right, minor: true, of: ({ ordersCanceled }) => String(ordersCanceled) },
  { title: 'to sellers', ...right, of: ({ releasedToSellers }) => releasedToSellers },
  { title: 'to buyers', ...right, of: ({ refundedToBuyers }) => refundedToBuyers },
  { title: 'fees', ...right, of: ({ platformFees }) => platformFees },
  { title: 'paid in', ...right, minor: true, of: ({ toppedUp }) => toppedUp },
  { title: 'withdrawn', ...right, minor: true, of: ({ withdrawn }) => withdrawn },
];

type ActivityOptions = { readonly days?: number; readonly currency?: CurrencyCode };

const addActivity = (report: Command): void => {
  define(report, {
    name: 'activity',
    what: 'orders, payments and fees of each day',
    examples: ['holdfast report activity --days 7'],
  })
    .option('--days <count>', 'number of days, including today', atLeastOne)
    .option('--currency <code>', 'currency; the base currency when left out')
    .action(
      action<ActivityOptions>(async ({ client, out, options: { days, currency } }) => {
        const query = { ...(days === undefined ? {} : { days }), ...(currency === undefined ? {} : { currency }) };
        const activity = await client.reports.activity(query);
        if (out.isJson) return out.json(activity);
        out.table([...activity.days, { ...activity.totals, date: 'total' }], DAYS);
      }),
    );
};

const WORK: readonly Column<OpenWork['items'][number]>[] = [
  { title: 'kind', of: ({ kind }) => kind.replaceAll('_', ' ') },
  { title: 'count', ...right, of: ({ count }) => String(count) },
  { title: 'oldest', of: ({ oldestAt }) => (oldestAt === null ? '' : clockOf(oldestAt)) },
];

const addOpenWork = (report: Command): void => {
  define(report, {
    name: 'open-work',
    what: 'disputes, breaks, operations and payments that wait, with the oldest of each kind',
    examples: ['holdfast report open-work'],
  }).action(
    action(async ({ client, out }) => {
      const work = await client.reports.openWork();
      if (out.isJson) return out.json(work);
      out.table(work.items, WORK);
    }),
  );
};

export const addFigures = (report: Command): void => {
  addMoney(report);
  addActivity(report);
  addOpenWork(report);
};
