// Routes whose reads may take long. Each of their requests needs a place among the heavy reads of its marketplace before it reads
// anything.

import type { HeavyReads } from '../postgres/heavy-reads.ts';
import type { AnyRouteRequest, Route, Wire } from './route.ts';

const heavyRoute = (route: Route, run: HeavyReads['run']): Route => {
  const inPlace = <Data>({ context }: AnyRouteRequest, read: () => Data | Promise<Data>): Promise<Data> =>
    run(context.marketplaceId, async () => read());
  switch (route.kind) {
    case 'read':
      return {
        ...route,
        answer: (routeRequest: AnyRouteRequest) => inPlace(routeRequest, () => route.answer(routeRequest)),
      };
    case 'list':
      return {
        ...route,
        answer: (routeRequest: AnyRouteRequest) => inPlace(routeRequest, () => route.answer(routeRequest)),
      };
    case 'raw':
      return {
        ...route,
        answer: (routeRequest: AnyRouteRequest, wire: Wire) =>
          inPlace(routeRequest, () => route.answer(routeRequest, wire)),
      };
    default:
      throw new Error(`${route.endpoint.method} ${route.endpoint.path} does more than read`);
  }
};

export const heavyRoutes = (routes: readonly Route[], run: HeavyReads['run']): Route[] =>
  routes.map((route) => heavyRoute(route, run));
