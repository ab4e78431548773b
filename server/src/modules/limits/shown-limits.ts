// The limits of marketplaces with what they have used today, as the API shows them. It only reads.

import { type Clock, formatInstant } from '../../base/instant.ts';
import { dayOf } from './day-counts.ts';
import { presentLimits } from './present.ts';
import type { LimitReads } from './queries.ts';

type Parts = { readonly limits: LimitReads; readonly clock: Clock };

type Shown = ReturnType<typeof presentLimits>;

export type ShownLimits = ReturnType<typeof createShownLimits>;

export const createShownLimits = ({ limits: reads, clock }: Parts) => {
  const usedToday = (marketplaceIds: readonly string[]) => reads.usedOn(marketplaceIds, dayOf(formatInstant(clock())));

  return {
    usedToday,

    /** Two reads for any number of marketplaces. */
    async list(marketplaceIds: readonly string[]): Promise<(marketplaceId: string) => Shown[]> {
      const used = await usedToday(marketplaceIds);
      const all = await reads.list(marketplaceIds);
      return (marketplaceId) =>
        all
          .filter((limits) => limits.marketplaceId === marketplaceId)
          .map((limits) =>
            presentLimits({ marketplaceId, limits, used: used({ marketplaceId, currency: limits.id }) }),
          );
    },
  };
};
