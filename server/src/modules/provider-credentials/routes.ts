// Routes of the payment account of a marketplace. Only the master key may call them, for any marketplace.

import * as api from '@holdfast/contract/api/payment-accounts.ts';
import type { RequireMarketplace } from '../../commit/require-marketplace.ts';
import { act, type Route, read } from '../../http/route.ts';
import type { AccountChanges } from './change-account.ts';
import { presentAccount } from './present.ts';
import type { CredentialReads } from './queries.ts';

type Parts = {
  readonly changes: AccountChanges;
  readonly reads: Pick<CredentialReads, 'list'>;
  readonly requireMarketplace: RequireMarketplace;
  readonly overlapMs: number;
};

export const credentialRoutes = ({ changes, reads, requireMarketplace, overlapMs }: Parts): Route[] => {
  const show = async (marketplaceId: string) =>
    presentAccount({ marketplaceId, all: await reads.list(marketplaceId), overlapMs });

  return [
    act(api.setPaymentProvider, async ({ params: { id }, body, context }) => {
      await requireMarketplace(id);
      await changes.set({ ...context, marketplaceId: id }, body);
      return show(id);
    }),
    read(api.getPaymentProvider, async ({ params: { id } }) => {
      await requireMarketplace(id);
      return show(id);
    }),
    act(api.removePaymentProvider, async ({ params: { id }, context }) => {
      await requireMarketplace(id);
      await changes.remove({ ...context, marketplaceId: id });
      return show(id);
    }),
  ];
};
