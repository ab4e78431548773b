// Routes of reconciliation.

import * as api from '@holdfast/contract/api/reconciliation.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { badCursor } from '../../http/checked-values.ts';
import { list, type Route } from '../../http/route.ts';
import { presentBreak } from './present.ts';
import type { BreakReads } from './queries.ts';

type Parts = { readonly breaks: BreakReads };

export const reconciliationRoutes = ({ breaks }: Parts): Route[] => [
  list(api.listBreaks, async ({ query, context }) => {
    const page = await breaks.list({
      ...query,
      marketplaceId: context.marketplaceId,
      limit: query.limit ?? LIMITS.pageSizeDefault,
      cursor: query.cursor ?? null,
    });
    if (!page) throw badCursor();
    return { items: page.rows.map(presentBreak), nextCursor: page.nextCursor };
  }),
];
