// Routes of reconciliation: the list of breaks, and the float of all marketplaces for the operator.

import * as api from '@holdfast/contract/api/reconciliation.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { badCursor } from '../../http/checked-values.ts';
import { list, type Route, read } from '../../http/route.ts';
import { type FloatTotal, presentFloatTotal } from '../float/float-balance.ts';
import type { BreakReads, BreakRecord } from './queries.ts';

type Parts = { readonly breaks: BreakReads; floatTotal(): Promise<FloatTotal> };

const presentBreak = (record: BreakRecord) => ({ ...record, isOpen: record.resolvedAt === null });

type SurplusRecord = NonNullable<Awaited<ReturnType<BreakReads['surpluses']>>>['rows'][number];

const presentSurplus = (record: SurplusRecord) => {
  const { subject: contractId, orderId, expected, actual, difference: amount, resolvedAt } = record;
  const { firstSeenAt, lastSeenAt } = record;
  const isOpen = resolvedAt === null;
  return { contractId, orderId, expected, actual, amount, isOpen, firstSeenAt, lastSeenAt, resolvedAt };
};

export const reconciliationRoutes = ({ breaks, floatTotal }: Parts): Route[] => [
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
  list(api.listSurpluses, async ({ query: { contractId, ...query }, context }) => {
    const page = await breaks.surpluses({
      ...query,
      ...(contractId === undefined ? {} : { subject: contractId }),
      marketplaceId: context.marketplaceId,
      limit: query.limit ?? LIMITS.pageSizeDefault,
      cursor: query.cursor ?? null,
    });
    if (!page) throw badCursor();
    return { items: page.rows.map(presentSurplus), nextCursor: page.nextCursor };
  }),
  read(api.getFloatTotal, async () => presentFloatTotal(await floatTotal())),
];
