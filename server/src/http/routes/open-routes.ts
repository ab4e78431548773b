// Routes that ask for no key and take no notice of one that is sent, for whoever has to move over from a service that
// never asked. They act in the marketplace of the order or dispute that the path names, and as nobody in particular.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { ANONYMOUS, contextOf } from '../caller.ts';
import type { Route } from '../door.ts';

export type Marketplaces = {
  marketplaceOfOrder(orderId: string): Promise<string | null>;
  marketplaceOfDispute(disputeId: string): Promise<string | null>;
};

type PathParams = { readonly id?: string; readonly orderId?: string };

export const withoutKeys = (routes: readonly Route[], places: Marketplaces): Route[] => {
  /** What names nothing that exists takes place anywhere: the route itself refuses it. */
  const marketplaceOf = async (path: string, { id, orderId = id }: PathParams): Promise<string> => {
    if (orderId === undefined) return DEFAULT_MARKETPLACE;
    const find = path.startsWith('/disputes/') ? places.marketplaceOfDispute : places.marketplaceOfOrder;
    return (await find(orderId)) ?? DEFAULT_MARKETPLACE;
  };

  return routes.map((route) => ({
    ...route,
    endpoint: { ...route.endpoint, access: 'public' },
    async place(asked) {
      const caller = { ...ANONYMOUS, marketplaceId: await marketplaceOf(route.endpoint.path, asked.params) };
      return { ...asked, caller, context: contextOf(caller, asked.requestId) };
    },
  }));
};
