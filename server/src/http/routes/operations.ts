// Routes of operations.

import { listOperations } from '@holdfast/contract/api/operations.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { OperationReads } from '../../store/reads/operations.ts';
import { list, type Route } from '../door.ts';
import { presentOperationRecord } from '../present/operation.ts';
import { checkedCursor } from './cursor.ts';

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
