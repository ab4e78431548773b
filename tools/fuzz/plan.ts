// One request of the campaign, as an arbitrary: which operation, by whom, with what. The same seed gives the same
// plans; only the ids of records, which the server makes, differ.

import fc from 'fast-check';
import type { Field, Operation } from './document.ts';
import { mutated, ODD_QUERIES, oddBody, oddHeader, oddText } from './hostile.ts';
import { fitting, type Json, openId } from './values.ts';

const CALLERS = ['everything', 'read', 'other', 'master', 'person', 'anonymous', 'forged'] as const;
export type CallerName = (typeof CALLERS)[number];

export type Kind = 'valid' | 'mutated' | 'hostile';

export type Plan = {
  readonly kind: Kind;
  readonly operation: Operation;
  readonly method: string;
  /** With its query, and with open ids. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
  readonly caller: CallerName;
  /** Whether a webhook carries its right signature. */
  readonly signed: boolean;
};

const KIND_OF_PATH: readonly (readonly [RegExp, string])[] = [
  [/\/users\/\{/, 'usr'],
  [/\/orders\/\{/, 'ord'],
  [/\/disputes\/\{/, 'dsp'],
  [/\/(topups|payins)\/\{/, 'top'],
  [/\/(withdrawals|payouts)\/\{/, 'wdr'],
  [/\/api-keys\/\{/, 'key'],
  [/\/operations\/\{/, 'opn'],
  [/\/policies\/\{/, 'pol'],
  [/\/operators\/\{/, 'opr'],
  [/\/approvals\/\{/, 'apr'],
  [/\/corrections\/\{/, 'cor'],
  [/\/provider-statements\/\{/, 'pst'],
  [/\/webhook-endpoints\/\{/, 'whe'],
  [/\/webhook-deliveries\/\{/, 'whd'],
];

const paramOf = ({ path }: Operation, field: Field): fc.Arbitrary<string> => {
  // The deadlines that the orders of the stock have.
  if (path.includes('/deadlines/') && field.name === 'kind') {
    return fc.constantFrom('cancel_unfunded', 'cancel_unfunded', 'cancel_unfunded', 'auto_release');
  }
  if (path.startsWith('/api/v1/jobs/')) return fc.constantFrom('clear-out', 'check-proof', 'nothing');
  if (field.name === 'evidenceId') return openId('evd');
  if (field.name === 'ref') return fc.constantFrom('m1', 'm2', 'nothing');
  if (path.startsWith('/api/v1/marketplaces/')) {
    return fc.constantFrom('mkt_default', 'mkt_other');
  }
  if (field.schema.enum) return fc.constantFrom(...(field.schema.enum as string[]));
  const [, kind = 'usr'] = KIND_OF_PATH.find(([pattern]) => pattern.test(path)) ?? [];
  return openId(kind);
};

/** An open id keeps its signs; it is no longer open when the path is sent. */
const inPath = (text: string): string => (text.startsWith('@{') ? text : encodeURIComponent(text.toWellFormed()));

const pathOf = (operation: Operation, odd: boolean): fc.Arbitrary<string> =>
  fc
    .record(
      Object.fromEntries(
        operation.params.map((field) => [
          field.name,
          odd ? fc.oneof(paramOf(operation, field), oddText) : paramOf(operation, field),
        ]),
      ),
    )
    .map((values) => operation.path.replace(/\{(\w+)\}/g, (_, name: string) => inPath(values[name]!)));

const queryText = (values: Record<string, Json | undefined>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => [value ?? []].flat().map((each) => `${name}=${inPath(String(each))}`))
    .join('&');

const queryOf = ({ query }: Operation): fc.Arbitrary<string> =>
  fc
    .record(Object.fromEntries(query.map(({ name, schema }) => [name, fitting(schema, name)])), { requiredKeys: [] })
    // All filters at once find nothing; a few find something.
    .chain((values) => fc.subarray(Object.entries(values), { maxLength: Math.min(2, Object.keys(values).length) }))
    .map((chosen) => queryText(Object.fromEntries(chosen)));

const oddQueryOf = ({ query }: Operation): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...ODD_QUERIES),
    fc
      .tuple(fc.constantFrom('x', ...query.map(({ name }) => name)), oddText)
      .map(([name, text]) => `${name}=${inPath(text)}`),
  );

const callerOf = ({ surface, path }: Operation): fc.Arbitrary<CallerName> => {
  const usual: CallerName = surface === 'B' ? 'person' : 'everything';
  const master = /api-keys|marketplaces|jobs|operators/.test(path) ? 4 : 1;
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant<CallerName>(usual) },
    { weight: master, arbitrary: fc.constant<CallerName>('master') },
    { weight: 2, arbitrary: fc.constantFrom(...CALLERS) },
  );
};

const textOf = (body: Json): string => JSON.stringify(body);

const JSON_TYPE = ['content-type', 'application/json'] as const;

const headersFor = (operation: Operation, odd: boolean): fc.Arbitrary<Plan['headers']> => {
  const repeatable = operation.isIdempotent
    ? fc.option(fc.uuid({ version: 4 }), { freq: 3 }).map((key) => (key ? [['idempotency-key', key] as const] : []))
    : fc.constant([]);
  const strange = odd ? fc.array(oddHeader, { maxLength: 3 }) : fc.constant([]);
  return fc
    .tuple(repeatable, strange)
    .map(([own, more]) => [...(operation.body ? [JSON_TYPE] : []), ...own, ...more] as Plan['headers']);
};

const bodyFor = (operation: Operation, kind: Kind): fc.Arbitrary<string | null> => {
  if (!operation.body) return kind === 'hostile' ? fc.option(oddBody, { freq: 3 }) : fc.constant(null);
  const valid = fitting(operation.body);
  if (kind === 'valid') return valid.map(textOf);
  if (kind === 'mutated') return mutated(valid).map(textOf);
  return fc.oneof(oddBody, valid.map(textOf), mutated(valid).map(textOf));
};

const planOf = (operation: Operation, kind: Kind): fc.Arbitrary<Plan> => {
  const odd = kind === 'hostile';
  const query = odd || (kind === 'mutated' && !operation.body) ? oddQueryOf(operation) : queryOf(operation);
  const methods = odd
    ? fc.constantFrom(operation.method, operation.method, operation.method, 'PUT', 'HEAD', 'OPTIONS')
    : fc.constant(operation.method);
  return fc
    .record({
      method: methods,
      path: pathOf(operation, odd || kind === 'mutated'),
      query,
      headers: headersFor(operation, odd),
      body: bodyFor(operation, kind),
      caller: callerOf(operation),
      signed: fc.boolean(),
    })
    .map(({ path, query: asked, ...rest }) => ({
      kind,
      operation,
      ...rest,
      target: asked === '' ? path : `${path}?${asked}`,
    }));
};

/** How often an operation is chosen: what costs seconds of the simulators' patience or of hashing is asked less often. */
const weightOf = ({ path, method }: Operation): number => {
  if (path.includes('/sandbox/')) return 2;
  if (path === '/auth/register' || path.endsWith('/suspend')) return 2;
  return method === 'GET' ? 5 : 10;
};

const KINDS: readonly (readonly [Kind, number])[] = [
  ['valid', 5],
  ['mutated', 3],
  ['hostile', 2],
];

export const anyPlan = (operations: readonly Operation[]): fc.Arbitrary<Plan> =>
  fc.oneof(
    ...operations.flatMap((operation) =>
      KINDS.map(([kind, share]) => ({ weight: weightOf(operation) * share, arbitrary: planOf(operation, kind) })),
    ),
  );

/** So many plans from one place of the seed's sequence on; asked for in chunks, so that a long run needs no memory. */
export const plansFrom = (
  from: fc.Arbitrary<Plan>,
  { seed, chunk, count }: { seed: number; chunk: number; count: number },
): Plan[] => fc.sample(from, { seed: seed * 100_003 + chunk, numRuns: count });
