// Routes of operations.

import { listOperations } from '@holdfast/contract/api/operations.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { checkedCursor } from '../../http/checked-values.ts';
import { list, type Route } from '../../http/route.ts';
import { presentOperationRecord } from './present.ts';
import type { OperationReads } from './queries.ts';

type Parts = { readonly operations: Pick<OperationReads, 'list'> };

export const operationRoutes = ({ operations }: Parts): Route[] => [
  list(listOperations, async ({ query, context }) => {
    const page = await operations.list({
      ...query,
      marketplaceId: context.marketplaceId,
      limit: query.limit ?? LIMITS.pageSizeDefault,
      cursor: checkedCursor('operation', query.cursor),
    });
    return { items: page.rows.map(presentOperationRecord), nextCursor: page.nextCursor };
  }),
];
