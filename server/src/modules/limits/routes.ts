// Routes of the limits of a marketplace. Only the master key may call them.

import * as api from '@holdfast/contract/api/marketplaces.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Amount } from '../../books/money.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { RequireMarketplace } from '../../commit/require-marketplace.ts';
import { amountOrZero, validField } from '../../http/checked-values.ts';
import { act, type Route, read } from '../../http/route.ts';
import { type MarketplaceLimits, setLimits } from './marketplace-limits.ts';
import { presentLimits } from './present.ts';
import type { ShownLimits } from './shown-limits.ts';

type Parts = {
  readonly submit: Submit;
  readonly limits: ShownLimits;
  readonly requireMarketplace: RequireMarketplace;
};

/** The schema has checked the form. */
const limitOf = (text: string | null | undefined): Amount | null =>
  text === null || text === undefined ? null : validField(text, amountOrZero);

type Body = Partial<Record<keyof MarketplaceLimits, string | null>> & { readonly currency: Currency };
type Setting = { readonly body: Body; readonly context: Context };

export const limitRoutes = ({ submit, limits: shown, requireMarketplace }: Parts): Route[] => {
  const set = async (to: Submit, { body, context }: Setting) => {
    const { currency } = body;
    const { marketplaceId } = context;
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
    const limits = await runCommand(to, { command: setLimits, input, context });
    const used = await shown.usedToday([marketplaceId]);
    return presentLimits({ marketplaceId, limits, used: used({ marketplaceId, currency }) });
  };

  return [
    read(api.getMarketplaceLimits, async ({ params: { id } }) => {
      await requireMarketplace(id);
      return { limits: (await shown.list([id]))(id) };
    }),
    act(api.setMarketplaceLimits, {
      answer: ({ params: { id }, body, context }) => set(submit, { body, context: { ...context, marketplaceId: id } }),
      preview: ({ params: { id }, body, context }, preview) =>
        set(preview.submit, { body, context: { ...context, marketplaceId: id } }),
    }),
  ];
};
