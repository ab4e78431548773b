// Counts what a day has brought, for each user and for the marketplace, and refuses what exceeds a limit. The command that moves the
// money counts in its own commit, so requests at once never exceed a limit together.

import type { DayLimitName } from '@holdfast/contract/api/marketplaces.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { formatInstant } from '../../base/instant.ts';
import { type Amount, formatAmount, least, minus, plus, ZERO } from '../../books/money.ts';
import type { Need, UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';

export type DayCount = {
  readonly id: string;
  /** The day in UTC. Another day begins at zero. */
  readonly day: string;
  readonly amount: Amount;
  readonly countedSince: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    dayCounts: DayCount;
  }
  interface Lookups {
    dayCounts: Record<never, string>;
  }
}

export const DAY_COUNTS = table('dayCounts', {
  notFound: 'INTERNAL_ERROR',
  sql: 'day_counts',
  columns: ['id', 'day', 'amount', 'countedSince'],
  lookups: {},
});

export type Counted = 'manualCredit' | 'withdrawal';

/** Without a user: of the whole marketplace. */
export const dayCountId = (of: { counted: Counted; currency: Currency; userId?: string }): string =>
  [of.counted, of.currency, ...(of.userId === undefined ? [] : [of.userId])].join(':');

export const dayOf = (instant: string): string => instant.slice(0, 10);

export const nextDayOf = (day: string): string => formatInstant((Date.parse(`${day}T00:00:00Z`) + 86_400_000) * 1_000);

type Counting = {
  readonly counted: Counted;
  readonly userId: string;
  readonly currency: Currency;
  readonly amount: Amount;
};

/** The limits of the currency; part of a command's first needs. */
export const limitNeed = (currency: Currency): Need => ({ table: 'marketplaceLimits', id: currency });

type Place = Omit<Counting, 'amount'>;

/** The ids of the two counts: of the user, and of the whole marketplace. */
const idsOf = ({ counted, userId, currency }: Place): string[] => [
  dayCountId({ counted, currency, userId }),
  dayCountId({ counted, currency }),
];

/** For a command that gives back what was counted. */
export const giveBackNeeds = (place: Place): Need[] => idsOf(place).map((id) => ({ table: 'dayCounts', id }));

/** The counts; none while the marketplace has no limits for the currency. */
export const countNeeds = (work: UnitOfWork, place: Place): Need[] =>
  work.find('marketplaceLimits', place.currency) ? giveBackNeeds(place) : [];

/** The count of this day. A day never begins twice, also when the clock is set back. */
const todays = (work: UnitOfWork, id: string): DayCount => {
  const known = work.find('dayCounts', id);
  const day = dayOf(work.now);
  return known && known.day >= day ? known : { id, day, amount: ZERO, countedSince: work.now };
};

const SUBJECTS: Readonly<Record<Counted, string>> = { manualCredit: 'credited by hand', withdrawal: 'withdrawn' };

type Exceeded = Counting & { readonly limitName: DayLimitName; readonly limit: Amount; readonly today: DayCount };

const exceeded = ({ counted, limitName, limit, today, amount, currency }: Exceeded): DomainError => {
  const left = formatAmount(minus(limit, least(limit, today.amount)));
  const whose = limitName.endsWith('PerUserDay') ? 'for this user' : 'in this marketplace';
  return new DomainError('DAILY_LIMIT_EXCEEDED', {
    message: `At most ${left} ${currency} more can be ${SUBJECTS[counted]} ${whose} today. Send a smaller amount, wait until details.resetsAt, or let the operator raise the limit. A repeat needs a new Idempotency-Key.`,
    details: {
      limitName,
      limitAmount: formatAmount(limit),
      used: formatAmount(today.amount),
      requested: formatAmount(amount),
      currency,
      resetsAt: nextDayOf(today.day),
    },
  });
};

/** Adds the amount to the counts of the day, or refuses with the first limit that it would exceed. */
export const countTowardsLimits = (work: UnitOfWork, counting: Counting): void => {
  const { counted, userId, currency, amount } = counting;
  const limits = work.find('marketplaceLimits', currency);
  if (!limits) return;
  const counts = [
    { limitName: `${counted}PerUserDay`, id: dayCountId({ counted, currency, userId }) },
    { limitName: `${counted}PerDay`, id: dayCountId({ counted, currency }) },
  ] as const;
  for (const { limitName, id } of counts) {
    const today = todays(work, id);
    const sum = plus(today.amount, amount);
    const limit = limits[limitName];
    if (limit !== null && sum > limit) throw exceeded({ ...counting, limitName, limit, today });
    work.put('dayCounts', { ...today, amount: sum });
  }
};

/** The money has returned, so it no longer counts. An amount of another day, or from before the count began, was not counted. */
export const giveBackCount = (work: UnitOfWork, { countedAt, ...counting }: Counting & { countedAt: string }): void => {
  for (const id of idsOf(counting)) {
    const known = work.find('dayCounts', id);
    if (!known || known.day !== dayOf(countedAt) || known.countedSince > countedAt) continue;
    work.put('dayCounts', { ...known, amount: minus(known.amount, least(known.amount, counting.amount)) });
  }
};
