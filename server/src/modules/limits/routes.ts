// Routes of the limits of a marketplace. Only the master key may call them.

import * as api from '@holdfast/contract/api/marketplaces.ts';
import { type Clock, formatInstant } from '../../base/instant.ts';
import type { Amount } from '../../books/money.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { RequireMarketplace } from '../../commit/require-marketplace.ts';
import { amountOrZero, validField } from '../../http/checked-values.ts';
import { act, type Route, read } from '../../http/route.ts';
import { dayOf } from './day-counts.ts';
import { setLimits } from './marketplace-limits.ts';
import { presentLimits } from './present.ts';
import type { LimitReads } from './queries.ts';

type Parts = {
  readonly submit: Submit;
  readonly limits: LimitReads;
  readonly requireMarketplace: RequireMarketplace;
  readonly clock: Clock;
};

/** The schema has checked the form. */
const limitOf = (text: string | null | undefined): Amount | null =>
  text === null || text === undefined ? null : validField(text, amountOrZero);

export const limitRoutes = ({ submit, limits: reads, requireMarketplace, clock }: Parts): Route[] => {
  const usedToday = (marketplaceId: string) => reads.usedOn(marketplaceId, dayOf(formatInstant(clock())));

  return [
    read(api.getMarketplaceLimits, async ({ params: { id: marketplaceId } }) => {
      await requireMarketplace(marketplaceId);
      const used = await usedToday(marketplaceId);
      const all = await reads.list(marketplaceId);
      return { limits: all.map((limits) => presentLimits({ marketplaceId, limits, used: used(limits.id) })) };
    }),
    act(api.setMarketplaceLimits, async ({ params: { id: marketplaceId }, body, context }) => {
      const { currency } = body;
      const input = {
        currency,
        limits: {
          manualCreditPerUserDay: limitOf(body.manualCreditPerUserDay),
          manualCreditPerDay: limitOf(body.manualCreditPerDay),
          withdrawalPerUserDay: limitOf(body.withdrawalPerUserDay),
          withdrawalPerDay: limitOf(body.withdrawalPerDay),
        },
      };
      await requireMarketplace(marketplaceId);
      const limits = await runCommand(submit, { command: setLimits, input, context: { ...context, marketplaceId } });
      return presentLimits({ marketplaceId, limits, used: (await usedToday(marketplaceId))(currency) });
    }),
  ];
};
