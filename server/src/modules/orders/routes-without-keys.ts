// Serves routes without keys, for callers that move over from a service without keys. A key that is sent is ignored. The routes act in
// the marketplace of the order in the path, as the anonymous caller.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { ANONYMOUS, contextOf } from '../../http/caller.ts';
import type { Route } from '../../http/route.ts';

type PathParams = { readonly id?: string; readonly orderId?: string };

export const withoutKeys = (routes: readonly Route[], find: (orderId: string) => Promise<string | null>): Route[] => {
  /** The default marketplace where the order does not exist: the route refuses it there. */
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
