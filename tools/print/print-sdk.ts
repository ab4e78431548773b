// Prints the SDK's types and its table of routes from the contract, one file for each of the contract's, so that the
// published package needs neither the contract nor a schema library. Run it after changing the contract; a tidy test
// compares the files with what would be printed.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Endpoint } from '../../contract/src/api/endpoint.ts';
import { ESCROW_EVENT_TYPES } from '../../contract/src/api/webhooks.ts';
import { DETAIL_KINDS, SOMETIMES_DETAILS } from '../../contract/src/error-details.ts';
import { ERRORS, type ErrorCode } from '../../contract/src/errors.ts';
import { AGGREGATES } from '../../contract/src/event-fields.ts';
import { EVENTS, EventEnvelope } from '../../contract/src/events.ts';
import * as states from '../../contract/src/states.ts';
import type { SurfaceBEndpoint } from '../../contract/src/surface-b/endpoint.ts';
import { type Names, printDoc, printFields, printType, type Shape } from './print-types.ts';

const API = new URL('../../contract/src/api/', import.meta.url);
const SURFACE_B = new URL('../../contract/src/surface-b/', import.meta.url);
const PRINTED = new URL('../../sdk/src/printed/', import.meta.url);

/** Machinery of the contract, and the routes that outside systems call. */
const LEFT_OUT = ['endpoint.ts', 'webhooks.ts', 'payment-webhook.ts'];
/** Building blocks rather than records; only these have a name of their own. */
const NAMED_FIELDS: Readonly<Record<string, readonly string[]>> = { 'fields.ts': ['CurrencyCode'], 'events.ts': [] };
/** What the stream takes is a loop's query in the SDK, and written by hand there. */
const BY_HAND = ['events.ts'];

type Module = {
  readonly file: string;
  readonly schemas: ReadonlyMap<string, Shape>;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
};

const head = (from: string, what: string): string =>
  `// ${what}\n// Printed from ${from} by \`node tools/print/print-sdk.ts\`; do not edit it by hand.\n`;

const pascal = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

const isEndpoint = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

const isSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('anyOf' in value || 'enum' in value || 'type' in value);

const loadModule = async (file: string): Promise<Module> => {
  const found = Object.entries(await import(new URL(file, API).href));
  const only = NAMED_FIELDS[file];
  const schemas = found.filter(([name, value]) => /^[A-Z]/.test(name) && isSchema(value));
  return {
    file,
    schemas: new Map(schemas.filter(([name]) => only?.includes(name) ?? true) as [string, Shape][]),
    endpoints: new Map(found.filter(([, value]) => isEndpoint(value)) as [string, Endpoint][]),
  };
};

/** Two schemas are one type when they look alike; of a choice of words only the words count. */
const looksOf = (shape: Shape): string => {
  if (shape.enum) return `one of ${JSON.stringify(shape.enum)}`;
  if (shape.type === 'object' && shape.properties) return JSON.stringify({ ...shape, description: undefined });
  return '';
};

type Named = readonly [name: string, shape: Shape];

/** What an endpoint takes, named after it. */
const takenBy = (name: string, { body, query }: Endpoint): Named[] => [
  ...(body ? [[`${pascal(name)}Input`, body as Shape] as const] : []),
  ...(query ? [[`${pascal(name)}Query`, query as Shape] as const] : []),
];

/** What it gives, which often has a name already. */
const givenBy = (name: string, { data, wrapping }: Endpoint): Named[] =>
  wrapping === 'raw' || (data as Shape).type !== 'object' ? [] : [[`${pascal(name)}Result`, data as Shape]];

/** The file of the SDK that has the types of amounts. */
const AMOUNTS = '../amounts.ts';

const amountNameOf = ({ decimal }: Shape): string | null => {
  if (decimal === undefined) return null;
  return decimal === 'written' ? 'AmountInput' : 'Amount';
};

/** Without its comments. */
const codeOf = (text: string): string => text.replace(/\/\*\*[\s\S]*?\*\//g, '');

/** The import of the names of amounts that a text uses. */
const amountImportOf = (text: string): string[] => {
  const used = ['Amount', 'AmountInput'].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from '${AMOUNTS}';`];
};

type Known = Map<string, { name: string; file: string }>;

const knownTypes = (modules: readonly Module[]): Known => {
  const known: Known = new Map();
  const learn = (shape: Shape, name: string, file: string): void => {
    const looks = looksOf(shape);
    if (looks !== '' && !known.has(looks)) known.set(looks, { name, file });
  };
  for (const { file, schemas } of modules) for (const [name, shape] of schemas) learn(shape, name, file);
  for (const { file, endpoints } of modules) {
    for (const [name, endpoint] of endpoints) {
      for (const [type, shape] of givenBy(name, endpoint)) learn(shape, type, file);
    }
  }
  return known;
};

const printModule = ({ file, schemas, endpoints }: Module, known: Known): string => {
  const imports = new Map<string, Set<string>>();
  const namesBut = (own: string): Names => ({
    nameOf(shape) {
      const amount = amountNameOf(shape);
      if (amount) return amount;
      const found = known.get(looksOf(shape));
      if (!found || found.name === own) return null;
      if (found.file !== file) imports.set(found.file, (imports.get(found.file) ?? new Set()).add(found.name));
      return found.name;
    },
  });
  const print = (name: string, shape: Shape): string =>
    [...printDoc(shape.description, ''), `export type ${name} = ${printType(shape, namesBut(name))};`].join('\n');
  const types = [...schemas].map(([name, shape]) => print(name, shape));
  for (const [name, endpoint] of endpoints) {
    for (const [type, shape] of takenBy(name, endpoint)) types.push(print(type, shape));
    for (const [type, shape] of givenBy(name, endpoint)) {
      if (known.get(looksOf(shape))?.name === type) types.push(print(type, shape));
    }
  }
  const lines = [
    ...amountImportOf(types.map(codeOf).join('\n')),
    ...[...imports]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([from, names]) => `import type { ${[...names].sort().join(', ')} } from './${from}';`),
  ];
  return [head(`contract/src/api/${file}`, 'What these routes take and give.'), ...lines, '', types.join('\n\n'), '']
    .join('\n')
    .replace('\n\n\n', '\n\n');
};

const printRoutes = (modules: readonly Module[]): string => {
  const rows = modules.flatMap(({ endpoints }) =>
    [...endpoints].map(([name, { method, path, wrapping, idempotent }]) => {
      const row = `method: '${method}', path: '${path}', wrapping: '${wrapping}', idempotent: ${idempotent === true}`;
      return `  ${name}: { ${row} },`;
    }),
  );
  return `${head('contract/src/api', 'Every route that the client can call: where it is, how its answer is wrapped, and whether an Idempotency-Key counts.')}
export const ROUTES = {
${rows.join('\n')}
} as const;

export type RouteName = keyof typeof ROUTES;
`;
};

const DETAIL_TYPES = {
  texts: 'string[]',
  number: 'number',
  textOrNull: 'string | null',
  facts: 'Record<string, unknown>',
} as const;

const printErrors = (): string => {
  const rows = Object.entries(ERRORS).flatMap(([code, { status, message, details }]) => {
    const fields = details.map((name) => `${name}: ${DETAIL_TYPES[DETAIL_KINDS[name]!] ?? 'string'}`);
    const sometimes = SOMETIMES_DETAILS[code as ErrorCode];
    if (sometimes) {
      fields.push(
        `${sometimes.name}?: { ${sometimes.fields.map((name) => `${name}: string`).join('; ')} }${sometimes.isList ? '[]' : ''}`,
      );
    }
    const type = fields.length === 0 ? 'Record<never, never>' : `{ ${fields.join('; ')} }`;
    return [...printDoc(`${status}. ${message}`, '  '), `  ${code}: ${type};`];
  });
  return `${head('contract/src/errors.ts', 'What each refusal of the service promises in its details.')}
export type ServiceErrors = {
${rows.join('\n')}
};
`;
};

const printEvents = (): string => {
  const none: Names = { nameOf: amountNameOf };
  const rows = Object.entries(EVENTS).map(([type, { payload }]) => {
    return `  '${type}': ${printFields(payload as Shape, none, '  ')};`;
  });
  const aggregates = Object.entries(EVENTS).map(([type, { aggregate }]) => `  '${type}': '${aggregate}';`);
  const envelope = EventEnvelope as Shape;
  const { metadata } = envelope.properties as Record<string, Shape>;
  return `${head('contract/src/events.ts', 'Every event of the stream, with its payload.')}
${amountImportOf(rows.join('\n')).join('\n')}

export type EventPayloads = {
${rows.join('\n')}
};

/** The resource that an event belongs to. */
export type EventResources = {
${aggregates.join('\n')}
};

export type EventMetadata = ${printType(metadata!, none)};

export const EVENT_TYPES = [
${Object.keys(EVENTS)
  .map((type) => `  '${type}',`)
  .join('\n')}
] as const satisfies readonly (keyof EventPayloads)[];

export type Resource = ${AGGREGATES.map((name) => `'${name}'`).join(' | ')};
`;
};

/** Lists of words that a form or a check of the user's own wants to go through. */
const printWords = (): string => {
  const lists = Object.entries({ ...states, ESCROW_EVENT_TYPES }).filter(([, words]) => Array.isArray(words));
  const rows = lists.map(([name, words]) => {
    const each = (words as readonly string[]).map((word) => `  '${word}',`);
    return `export const ${name} = [\n${each.join('\n')}\n] as const;`;
  });
  return `${head('contract/src/states.ts', 'Every state, kind and choice, as lists.')}\n${rows.join('\n\n')}\n`;
};

const printSurfaceB = async (): Promise<string> => {
  const none: Names = { nameOf: () => null };
  const types: string[] = [];
  const routes: string[] = [];
  for (const file of readdirSync(SURFACE_B).sort()) {
    for (const [name, value] of Object.entries(await import(new URL(file, SURFACE_B).href))) {
      if (!isEndpoint(value)) continue;
      const { method, path, body, query, data } = value as SurfaceBEndpoint;
      for (const [type, shape] of [
        [`${pascal(name)}Input`, body],
        [`${pascal(name)}Query`, query],
        [`${pascal(name)}Result`, data],
      ] as const) {
        if (shape) types.push(`export type ${type} = ${printType(shape as Shape, none)};`);
      }
      routes.push(`  ${name}: { method: '${method}', path: '${path}' },`);
    }
  }
  return `${head('contract/src/surface-b', 'What the routes of Surface B take and give. Amounts are numbers there; two places at most.')}
${types.join('\n\n')}

export const SURFACE_B_ROUTES = {
${routes.join('\n')}
} as const;
`;
};

type PrintedFile = { readonly url: URL; readonly text: string };

export const printSdk = async (): Promise<PrintedFile[]> => {
  const files = readdirSync(API)
    .filter((file) => !LEFT_OUT.includes(file))
    .sort();
  const modules = await Promise.all(files.map(loadModule));
  const known = knownTypes(modules);
  const printed: Record<string, string> = {
    'routes.ts': printRoutes(modules),
    'errors.ts': printErrors(),
    'event-catalogue.ts': printEvents(),
    'words.ts': printWords(),
    'surface-b.ts': await printSurfaceB(),
  };
  for (const each of modules) if (!BY_HAND.includes(each.file)) printed[each.file] = printModule(each, known);
  return Object.entries(printed).map(([file, text]) => ({ url: new URL(file, PRINTED), text }));
};

/** Files that nothing prints any more. */
export const leftOver = (printed: readonly PrintedFile[]): URL[] =>
  readdirSync(PRINTED)
    .map((file) => new URL(file, PRINTED))
    .filter(({ href }) => !printed.some(({ url }) => url.href === href));

if (import.meta.main) {
  mkdirSync(PRINTED, { recursive: true });
  const printed = await printSdk();
  for (const url of leftOver(printed)) rmSync(url);
  for (const { url, text } of printed) writeFileSync(url, text);
}
