// Distinguishes an unknown path (404) from a known path with another method (405). It runs only when routing failed, so it may search
// the whole list.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { DomainError } from '../base/domain-error.ts';

type Known = { readonly pattern: RegExp; readonly methods: Set<string> };

const PATH_SHOWN_MAX = 200;

export const missingRoute = (options: { prefix: string; endpoints: readonly Endpoint[] }) => {
  const known = new Map<string, Known>();
  for (const { method, path, wrapping } of options.endpoints) {
    const shape = path.replace(/:[^/]+/g, ':');
    const row = known.get(shape) ?? { pattern: patternOf(options.prefix + path), methods: new Set<string>() };
    row.methods.add(method);
    if (method === 'GET' && wrapping !== 'raw') row.methods.add('HEAD');
    known.set(shape, row);
  }
  const rows = [...known.values()];

  return ({ method, url }: { method: string; url: string }): DomainError => {
    const path = url.split('?', 1)[0]!;
    // A path may match two rows, such as a fixed name and a parameter. The methods of both are allowed.
    const allowed = new Set(rows.filter((row) => row.pattern.test(path)).flatMap((row) => [...row.methods]));
    if (allowed.size === 0) {
      return new DomainError('ROUTE_NOT_FOUND', { details: { method, path: path.slice(0, PATH_SHOWN_MAX) } });
    }
    return new DomainError('METHOD_NOT_ALLOWED', { details: { method, allowedMethods: [...allowed].sort() } });
  };
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')}$`);
