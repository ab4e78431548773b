// Routes that are close to a request for which there is none: another spelling, singular or plural, a missing prefix, or a missing or wrong part
// of the path. The table is made once; the work of a request is bounded by the number of its parts and their length.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { distance, isPluralOf, toleranceOf } from './closest.ts';

type RouteTable = { readonly prefix: string; readonly endpoints: readonly Pick<Endpoint, 'method' | 'path'>[] };

type Suggestion = { readonly method: string; readonly path: string };

export type SuggestRoutes = (request: { readonly method: string; readonly path: string }) => Suggestion[];

type Row = { readonly method: string; readonly prefix: string; readonly parts: readonly string[] };

/** A path with its cost: how far the request is from it. */
type Match = { readonly cost: number; readonly path: readonly string[] };

const PATH_MAX = 200;
const PARTS_MAX = 8;
const SUGGESTED_MAX = 3;
const COST_MAX = 2.9;
/** The beginnings of a path that callers write instead of the prefix, or leave out. */
const PREFIXES = /^\/(?:api(?:\/v\d+)?|v\d+)(?=\/|$)/;

const COST = {
  /** The prefix was left out, or is another one. */
  noPrefix: 0.1,
  otherPrefix: 1,
  plural: 0.5,
  letter: 0.8,
  /** A word in the place of an id: perhaps the id, perhaps another path. */
  wordAsId: 1,
  leftOut: 1.6,
  tooMany: 1.5,
  otherWord: 2,
  method: 1,
} as const;

const isParameter = (part: string): boolean => part.startsWith(':');

/** Ids have digits, underscores or capitals; the words of paths do not. A placeholder was copied from the reference. */
const looksLikeId = (part: string): boolean => /[\d_A-Z{:]/.test(part);

const shown = (part: string): string => (isParameter(part) ? `{${part.slice(1)}}` : part);

const costOfPart = (asked: string, part: string): number => {
  if (isParameter(part)) return looksLikeId(asked) ? 0 : COST.wordAsId;
  const word = asked.toLowerCase();
  if (word === part) return asked === part ? 0 : COST.plural;
  if (isPluralOf(word, part)) return COST.plural;
  const apart = distance(word, { b: part, max: toleranceOf(part) });
  if (apart < Infinity) return apart * COST.letter;
  return looksLikeId(asked) ? Infinity : COST.otherWord;
};

/** The costs of one request: each word is compared with each word of the routes once. */
const rememberCosts = (): typeof costOfPart => {
  const known = new Map<string, number>();
  return (asked, part) => {
    const key = `${asked}/${isParameter(part) ? ':' : part}`;
    const cost = known.get(key) ?? costOfPart(asked, part);
    known.set(key, cost);
    return cost;
  };
};

const better = (a: Match, b: Match): Match => (b.cost < a.cost ? b : a);

const longer = ({ cost, path }: Match, { by, part }: { by: number; part: string }): Match => ({
  cost: cost + by,
  path: [...path, part],
});

type Reading = { readonly parts: readonly string[]; readonly costOf: typeof costOfPart };

/** The cheapest way to read the parts of a request as those of a route, with the ids of the request in their places. */
const align = (asked: readonly string[], { parts, costOf }: Reading): Match => {
  let before: Match[] = [{ cost: 0, path: [] }];
  for (const part of parts) before.push(longer(before.at(-1)!, { by: COST.leftOut, part: shown(part) }));
  for (const word of asked) {
    const line: Match[] = [{ cost: before[0]!.cost + COST.tooMany, path: [] }];
    for (const [place, part] of parts.entries()) {
      const here = isParameter(part) && !word.startsWith(':') ? word : shown(part);
      const read = longer(before[place]!, { by: costOf(word, part), part: here });
      const without = { ...before[place + 1]!, cost: before[place + 1]!.cost + COST.tooMany };
      const leftOut = longer(line[place]!, { by: COST.leftOut, part: shown(part) });
      line.push(better(better(read, without), leftOut));
    }
    before = line;
  }
  return before.at(-1)!;
};

const CHANGES = ['POST', 'PUT', 'PATCH'];

const costOfMethod = (asked: string, method: string): number => {
  if (asked === method || (asked === 'HEAD' && method === 'GET')) return 0;
  return CHANGES.includes(asked) && CHANGES.includes(method) ? COST.method : Infinity;
};

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** At least one word of the request is one of the route, or nearly: otherwise short paths would be close to everything. */
const sharesWord = (asked: readonly string[], { parts, costOf }: Reading): boolean =>
  parts.some((part) => !isParameter(part) && asked.some((word) => costOf(word, part) < COST.otherWord));

const costOfPrefix = (asked: string, prefix: string): number => {
  if (asked === prefix) return 0;
  return asked === '' || /^\/(?:api|v1)$/.test(asked) ? COST.noPrefix : COST.otherPrefix;
};

export const createSuggestRoutes = (tables: readonly RouteTable[]): SuggestRoutes => {
  const rows: Row[] = tables.flatMap(({ prefix, endpoints }) =>
    endpoints.map(({ method, path }) => ({ method, prefix, parts: partsOf(path) })),
  );
  return ({ method, path }) => {
    if (path.length > PATH_MAX) return [];
    const prefix = PREFIXES.exec(path)?.[0] ?? '';
    const asked = partsOf(path.slice(prefix.length));
    if (asked.length === 0 || asked.length > PARTS_MAX) return [];
    const costOf = rememberCosts();
    const measured = rows
      .filter(({ parts }) => Math.abs(parts.length - asked.length) <= 1)
      .filter((row) => costOfMethod(method, row.method) < Infinity && sharesWord(asked, { parts: row.parts, costOf }))
      .map((row) => {
        const { cost, path: parts } = align(asked, { parts: row.parts, costOf });
        const more = costOfMethod(method, row.method) + costOfPrefix(prefix, row.prefix);
        return { cost: cost + more, method: row.method, path: [row.prefix, ...parts].join('/') };
      });
    const best = Math.min(...measured.map(({ cost }) => cost));
    return measured
      .filter(({ cost }) => cost <= COST_MAX && cost <= best + 1)
      .sort((a, b) => a.cost - b.cost)
      .slice(0, SUGGESTED_MAX)
      .map(({ method: named, path: meant }) => ({ method: named, path: meant.slice(0, PATH_MAX) }));
  };
};
