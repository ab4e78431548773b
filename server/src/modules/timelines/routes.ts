// The route of an order's timeline. It always needs a key, because it shows more than the order itself.

import { getTimeline } from '@holdfast/contract/api/timeline.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Route, read } from '../../http/route.ts';
import { presentTimeline } from './present.ts';
import type { TimelineReads } from './queries.ts';

type Parts = {
  readonly timelines: TimelineReads;
  /** The names of operators by id. */
  operatorNames(marketplaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

export const timelineRoutes = ({ timelines, operatorNames }: Parts): Route[] => [
  read(getTimeline, async ({ params, context }) => {
    const history = await timelines.find(context.marketplaceId, params.id);
    if (!history) throw new DomainError('ORDER_NOT_FOUND');
    const operators = history.audits.filter(({ actorType }) => actorType === 'operator').map(({ actorId }) => actorId);
    return presentTimeline(history, await operatorNames(context.marketplaceId, [...new Set(operators)]));
  }),
];
