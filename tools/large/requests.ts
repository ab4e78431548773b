// The reads of one marketplace and of its operator, from the table of routes: each GET route without filters, with each of its filters alone and each value of
// an enumeration, and with pairs of filters that are slow together. A route or a filter without a sample is an error, so none is forgotten.

import { readdirSync } from 'node:fs';
import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import type { AllSamples } from './samples.ts';

export type Read = {
  /** `GET /orders`. */
  readonly route: string;
  /** Relative to /api/v1. */
  readonly path: string;
  /** Asked with the master key, as the console's pages for the operator do. */
  readonly isMasters: boolean;
};

const API = new URL('../../contract/src/api/', import.meta.url);

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

const ENDPOINTS: readonly Endpoint[] = (
  await Promise.all(readdirSync(API).map((file) => import(new URL(file, API).href)))
).flatMap((module) => Object.values(module).filter(isEndpoint));

const routeOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** Routes that are not asked, each with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'GET /events': 'is a stream',
  'GET /exports/journal': 'reads every posting of its range by design, a window at a time',
  'GET /reports/closing': 'adds up every posting since the last sealed month by design',
  'GET /orders/:id/receipt': 'reads the timeline of the order, which is asked itself',
  'GET /topups/:id/callback': 'is opened by the payer in a browser, and changes the top-up',
  'GET /users/:userId/wallet': 'asks the ledger',
  'GET /users/:userId/wallet/deposit': 'activates a wallet',
  'GET /users/:userId/wallet/transactions': 'asks the ledger',
  'GET /users/:userId/balance/verify': 'asks the ledger',
  'GET /treasury/deposit': 'needs a treasury on the ledger',
  'GET /sandbox/state': 'exists only with the sandbox',
  'GET /sandbox/faults': 'exists only with the sandbox',
  'GET /marketplaces/:id/payment-provider': 'exists only for a marketplace with an account of its own',
  'GET /reconciliation/float': 'asks the payment provider',
  'GET /wallet-keys': 'counts every sealed secret of the service by design, during a rotation of keys',
};

/** Filters that are slow together when each row that one finds is compared with the other. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['buyerId', 'sellerId'],
  ['buyerId', 'clientOrderRef'],
  ['q', 'buyerId'],
  ['q', 'status'],
  ['buyerId', 'status'],
  ['sellerId', 'status'],
  ['userId', 'status'],
  ['userId', 'action'],
  ['userId', 'resourceType'],
  ['userId', 'from'],
  ['userId', 'to'],
  ['resourceId', 'to'],
  ['action', 'status'],
  ['requestedBy', 'status'],
  ['requestedBy', 'action'],
  ['eventType', 'status'],
  ['status', 'createdBefore'],
  ['type', 'status'],
  ['action', 'to'],
  ['resourceType', 'to'],
  ['kind', 'state'],
  ['createdAfter', 'createdBefore'],
];

type Values = Readonly<Record<string, readonly string[]>>;

/** Documents read what JSON reads, page by page, and draw it in a thread of their own. */
const DOCUMENTS: readonly string[] = ['html', 'pdf'];

const enumOf = (schema: unknown): readonly string[] | undefined => {
  const { enum: values } = schema as { enum?: readonly string[] };
  return values?.filter((value) => !DOCUMENTS.includes(value));
};

const valuesOf = (endpoint: Endpoint, samples: AllSamples): Values => {
  const route = routeOf(endpoint);
  const { properties = {} } = (endpoint.query ?? {}) as { properties?: Record<string, unknown> };
  const own: Values = { q: samples.searches[route] ?? [], cursor: samples.cursors[route] ?? [] };
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const values = own[name] ?? enumOf(schema) ?? samples.parameters[name];
      if (values === undefined) throw new Error(`${route} has a filter without a sample: ${name}`);
      const isDay = (schema as { format?: string }).format === 'date';
      return [name, isDay ? values.map((value) => value.slice(0, 10)) : values];
    }),
  );
};

const queriesOf = (values: Values): string[] => {
  const alone = Object.entries(values).flatMap(([name, all]) =>
    all.map((value) => new URLSearchParams({ [name]: value })),
  );
  const together = PAIRS.flatMap(([one, other]) =>
    (values[one] ?? []).flatMap((a) => (values[other] ?? []).map((b) => new URLSearchParams({ [one]: a, [other]: b }))),
  );
  return ['', ...[...alone, ...together].map((query) => `?${query}`)];
};

const pathsOf = (endpoint: Endpoint, samples: AllSamples): readonly string[] => {
  if (!endpoint.path.includes(':')) return [endpoint.path];
  const found = Object.entries(samples.paths).find(([prefix]) => endpoint.path.startsWith(prefix));
  if (!found) throw new Error(`${routeOf(endpoint)} needs the sample of a path`);
  const [evidenceId = ''] = samples.parameters.evidenceId ?? [];
  return found[1].map((id) => endpoint.path.replace(':evidenceId', evidenceId).replace(/:\w+/, id));
};

/** A key may not read these: they are of the operator who asks, or for an admin. */
const OF_ONESELF: readonly string[] = ['/operators/:id/sessions'];

/** Every read of the API, so every read of the console too. */
export const readsOf = (samples: AllSamples): Read[] =>
  ENDPOINTS.filter((endpoint) => endpoint.method === 'GET' && !(routeOf(endpoint) in LEFT_OUT)).flatMap((endpoint) =>
    pathsOf(endpoint, samples).flatMap((path) =>
      queriesOf(valuesOf(endpoint, samples)).map((query) => ({
        route: routeOf(endpoint),
        path: `${path}${query}`,
        isMasters: endpoint.access === 'master' || OF_ONESELF.includes(endpoint.path),
      })),
    ),
  );
