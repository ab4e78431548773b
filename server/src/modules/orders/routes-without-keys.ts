// Routes that ask for no key and take no notice of one that is sent, for whoever has to move over from a service that
// never asked. They act in the marketplace of the order that the path names, and as nobody in particular.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { ANONYMOUS, contextOf } from '../../http/caller.ts';
import type { Route } from '../../http/route.ts';

type PathParams = { readonly id?: string; readonly orderId?: string };

export const withoutKeys = (routes: readonly Route[], find: (orderId: string) => Promise<string | null>): Route[] => {
  /** What names nothing that exists takes place anywhere: the route itself refuses it. */
  const marketplaceOf = async ({ id, orderId = id }: PathParams): Promise<string> =>
    orderId === undefined ? DEFAULT_MARKETPLACE : ((await find(orderId)) ?? DEFAULT_MARKETPLACE);

  return routes.map((route) => ({
    ...route,
    endpoint: { ...route.endpoint, access: 'public' },
    async place(asked) {
      const caller = { ...ANONYMOUS, marketplaceId: await marketplaceOf(asked.params) };
      return { ...asked, caller, context: contextOf(caller, asked.requestId) };
    },
  }));
};
