// The refusal of a request that matches no route. It distinguishes an unknown path (404) from a known path with another method (405), and
// names the routes that are close to an unknown path.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { SuggestRoutes } from './suggest-routes.ts';

type Known = { readonly pattern: RegExp; readonly methods: Set<string> };

type Options = {
  readonly prefix: string;
  readonly endpoints: readonly Endpoint[];
  /** Absent: an unknown path is refused without a hint. */
  readonly suggest?: SuggestRoutes;
};

const PATH_SHOWN_MAX = 200;

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')}$`);

const knownRoutes = ({ prefix, endpoints }: Options): Known[] => {
  const known = new Map<string, Known>();
  for (const { method, path, wrapping } of endpoints) {
    const shape = path.replace(/:[^/]+/g, ':');
    const row = known.get(shape) ?? { pattern: patternOf(prefix + path), methods: new Set<string>() };
    row.methods.add(method);
    if (method === 'GET' && wrapping !== 'raw') row.methods.add('HEAD');
    known.set(shape, row);
  }
  return [...known.values()];
};

/** It runs only when routing failed, so it may search the whole list. */
export const missingRoute = (options: Options) => {
  const rows = knownRoutes(options);
  return ({ method, url }: { readonly method: string; readonly url: string }): DomainError => {
    const path = url.split('?', 1)[0]!;
    // A path may match two rows, such as a fixed name and a parameter. The methods of both are allowed.
    const allowed = new Set(rows.filter((row) => row.pattern.test(path)).flatMap((row) => [...row.methods]));
    if (allowed.size > 0) {
      return new DomainError('METHOD_NOT_ALLOWED', { details: { method, allowedMethods: [...allowed].sort() } });
    }
    const didYouMean = options.suggest?.({ method, path }) ?? [];
    const [first] = didYouMean;
    return new DomainError('ROUTE_NOT_FOUND', {
      ...(first ? { message: `There is no such route. Did you mean ${first.method} ${first.path}?` } : {}),
      details: { method, path: path.slice(0, PATH_SHOWN_MAX), ...(first ? { didYouMean } : {}) },
    });
  };
};
