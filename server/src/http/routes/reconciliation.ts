// Routes of reconciliation.

import * as api from '@holdfast/contract/api/reconciliation.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { BreakReads } from '../../store/reads/breaks.ts';
import { list, type Route } from '../door.ts';
import { presentBreak } from '../present/break.ts';
import { badCursor } from './cursor.ts';

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
