// The pages of this server that a caller means by a usual address: the documentation, the reference, its file and the console. Every other path
// gets the routes that are close to it.

import type { SuggestRoutes } from './suggest-routes.ts';

const PAGES: Readonly<Record<string, string>> = {
  doc: '/docs/',
  documentation: '/docs/',
  help: '/docs/',
  reference: '/docs/reference/',
  'api-docs': '/docs/reference/',
  swagger: '/docs/reference/',
  'openapi.json': '/docs/openapi.json',
  'swagger.json': '/docs/openapi.json',
  admin: '/console',
  dashboard: '/console',
};

const READS = ['GET', 'HEAD'];

/** `hasConsole`: without one, no address leads to it. */
export const withPages =
  (routes: SuggestRoutes, { hasConsole }: { readonly hasConsole: boolean }): SuggestRoutes =>
  (request) => {
    const [, name = ''] = /^\/([a-z.-]{1,20})\/?$/i.exec(request.path) ?? [];
    const page = Object.hasOwn(PAGES, name.toLowerCase()) ? PAGES[name.toLowerCase()] : undefined;
    const isServed = page !== undefined && (hasConsole || page !== '/console');
    return isServed && READS.includes(request.method) ? [{ method: 'GET', path: page }] : routes(request);
  };
