// Surface B as the HTTP layer sees it: every path that is not under a prefix of another surface.

import type { Authenticator, Caller } from '../../../http/caller.ts';
import type { CompanionSurface } from '../../../http/companion.ts';
import { missingRoute } from '../../../http/missing/missing-route.ts';
import type { PeopleTokens } from '../people/people-tokens.ts';
import { surfaceBDocument } from './document.ts';
import { sendRefusal } from './envelope.ts';
import { admissionRow, mountSurfaceB } from './mount.ts';
import type { SurfaceBRoute } from './route.ts';

type Parts = {
  readonly routes: readonly SurfaceBRoute[];
  readonly tokens: Pick<PeopleTokens, 'verify'>;
  readonly marketplaceId: string;
};

const OTHERS = ['/api', '/docs', '/console', '/metrics'];

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const isUnder = (url: string, prefix: string): boolean =>
  url.startsWith(prefix) && (url.length === prefix.length || '/?'.includes(url[prefix.length]!));

export const createSurfaceB = ({ routes, tokens, marketplaceId }: Parts): CompanionSurface => {
  const endpoints = routes.map(({ endpoint }) => endpoint);

  // The callers here are people: they hold no key and no scope, and only the routes of this surface admit them.
  const callerOf = (userId: string): Caller => ({
    type: 'token',
    keyId: userId,
    keyName: userId,
    scopes: [],
    marketplaceId,
  });

  const authenticate: Authenticator = async (bearer) => {
    const found = JWT.test(bearer) ? await tokens.verify(bearer) : null;
    // A token of another marketplace was issued before the setting was changed.
    return found?.marketplaceId === marketplaceId ? callerOf(found.userId) : null;
  };

  return {
    owns: (url) => !OTHERS.some((prefix) => isUnder(url, prefix)),
    authenticate,
    endpoints,
    missing: missingRoute({ prefix: '', endpoints: endpoints.map(admissionRow) }),
    refuse: sendRefusal,
    mount: (app) => mountSurfaceB(app, { routes, marketplaceId }),
    document: {
      title: 'Surface B',
      paths: ['/docs/surface-b.json', '/openapi.json'],
      print: () => JSON.stringify(surfaceBDocument(endpoints)),
    },
  };
};
