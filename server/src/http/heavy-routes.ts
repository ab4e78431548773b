// Routes whose reads may take long. Each of their requests needs a place among the heavy reads of its marketplace before it reads
// anything.

import type { HeavyReads } from '../postgres/heavy-reads.ts';
import type { AnyRouteRequest, Route, Wire } from './route.ts';

const heavyRoute = (route: Route, run: HeavyReads['run']): Route => {
  const inPlace = <Data>({ context, left }: AnyRouteRequest, read: () => Data | Promise<Data>): Promise<Data> =>
    run({ key: context.marketplaceId, left }, async () => read());
  const { method, path, heavy } = route.endpoint;
  if (!heavy) throw new Error(`${method} ${path} is not marked as heavy`);
  switch (route.kind) {
    case 'read':
    case 'list':
      return {
        ...route,
        answer: (routeRequest: AnyRouteRequest) => inPlace(routeRequest, () => route.answer(routeRequest)),
      } as Route;
    case 'raw':
      return {
        ...route,
        answer: (routeRequest: AnyRouteRequest, wire: Wire) =>
          inPlace(routeRequest, () => route.answer(routeRequest, wire)),
      };
    default:
      throw new Error(`${method} ${path} does more than read`);
  }
};

export const heavyRoutes = (routes: readonly Route[], run: HeavyReads['run']): Route[] =>
  routes.map((route) => heavyRoute(route, run));
