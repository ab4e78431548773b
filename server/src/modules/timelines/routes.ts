// The route of an order's timeline. It always needs a key, because it shows more than the order itself.

import { getTimeline } from '@holdfast/contract/api/timeline.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Route, read } from '../../http/route.ts';
import type { ActorNames } from '../audit/actor-names.ts';
import { presentTimeline } from './present.ts';
import type { TimelineReads } from './queries.ts';

type Parts = {
  readonly timelines: TimelineReads;
  readonly actorNames: ActorNames;
};

export const timelineRoutes = ({ timelines, actorNames }: Parts): Route[] => [
  read(getTimeline, async ({ params, context }) => {
    const history = await timelines.find(context.marketplaceId, params.id);
    if (!history) throw new DomainError('ORDER_NOT_FOUND');
    return presentTimeline(history, await actorNames(context.marketplaceId, history.audits));
  }),
];
