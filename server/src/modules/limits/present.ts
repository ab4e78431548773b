// Limits as the API and the audit trail show them.

import { type Amount, formatAmount } from '../../books/money.ts';
import { nextDayOf } from './day-counts.ts';
import type { MarketplaceLimits } from './marketplace-limits.ts';

const shown = (limit: Amount | null): string | null => (limit === null ? null : formatAmount(limit));

export const auditedLimits = (limits: MarketplaceLimits) => ({
  currency: limits.id,
  manualCreditPerUserDay: shown(limits.manualCreditPerUserDay),
  manualCreditPerDay: shown(limits.manualCreditPerDay),
  withdrawalPerUserDay: shown(limits.withdrawalPerUserDay),
  withdrawalPerDay: shown(limits.withdrawalPerDay),
});

/** What the marketplace has used of its limits on one day. */
export type UsedToday = { readonly day: string; readonly manualCredit: Amount; readonly withdrawal: Amount };

type Shown = { readonly marketplaceId: string; readonly limits: MarketplaceLimits; readonly used: UsedToday };

export const presentLimits = ({ marketplaceId, limits, used }: Shown) => ({
  marketplaceId,
  ...auditedLimits(limits),
  usedToday: {
    manualCredit: formatAmount(used.manualCredit),
    withdrawal: formatAmount(used.withdrawal),
    resetsAt: nextDayOf(used.day),
  },
  updatedAt: limits.updatedAt,
});
