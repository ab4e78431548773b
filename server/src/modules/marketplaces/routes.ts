// Routes of marketplaces. Only the master key may call them.

import { listMarketplaces } from '@holdfast/contract/api/marketplaces.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { badCursor } from '../../http/checked-values.ts';
import { list, type Route } from '../../http/route.ts';
import type { MarketplaceReads } from './queries.ts';

type Parts = { readonly marketplaces: MarketplaceReads };

export const marketplaceRoutes = ({ marketplaces }: Parts): Route[] => [
  list(listMarketplaces, async ({ query }) => {
    const limit = query.limit ?? LIMITS.pageSizeDefault;
    const page = await marketplaces.list({ limit, cursor: query.cursor ?? null });
    if (!page) throw badCursor();
    return { items: page.rows, nextCursor: page.nextCursor };
  }),
];
