// The limits of a marketplace for one day, one row for each currency. No row: no limit, and nothing is counted.

import type { DayLimitName } from '@holdfast/contract/api/marketplaces.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Amount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';
import { auditedLimits } from './present.ts';

/** Null: no limit. */
export type Limits = Readonly<Record<DayLimitName, Amount | null>>;

export type MarketplaceLimits = Limits & { readonly id: Currency; readonly updatedAt: string };

declare module '../../commit/tables.ts' {
  interface Tables {
    marketplaceLimits: MarketplaceLimits;
  }
  interface Lookups {
    marketplaceLimits: Record<never, string>;
  }
}

export const MARKETPLACE_LIMITS = table('marketplaceLimits', {
  notFound: 'INTERNAL_ERROR',
  sql: 'marketplace_limits',
  columns: [
    'id',
    'manualCreditPerUserDay',
    'manualCreditPerDay',
    'withdrawalPerUserDay',
    'withdrawalPerDay',
    'updatedAt',
  ],
  lookups: {},
});

type SetLimitsInput = { readonly currency: Currency; readonly limits: Limits };

/** Replaces the limits of one currency. It also begins the count, when these are the first limits. */
export const setLimits = command<SetLimitsInput, MarketplaceLimits>({
  name: 'set-limits',
  needs: ({ currency }) => ({ rows: [{ table: 'marketplaceLimits', id: currency }] }),
  decide({ currency, limits }, work) {
    const before = work.find('marketplaceLimits', currency);
    const after: MarketplaceLimits = { ...limits, id: currency, updatedAt: work.now };
    work.put('marketplaceLimits', after);
    work.audit({
      action: 'MARKETPLACE_LIMITS_SET',
      resourceType: 'Marketplace',
      resourceId: work.context.marketplaceId,
      ...(before ? { before: auditedLimits(before) } : {}),
      after: auditedLimits(after),
    });
    return after;
  },
});
