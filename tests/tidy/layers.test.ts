// Who may know whom. Data comes in at the front door and walks one hallway; an import that turns round fails here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, filesOf, type Import, type Source, sourcesOf } from './sources.ts';

type Room = {
  /** Rooms and packages it may use. */
  readonly imports: readonly string[];
  /** Those of which it may name types only: what it gets is handed in by compose.ts. */
  readonly types?: readonly string[];
};

const FASTIFY = ['fastify', '@fastify/cors', '@fastify/swagger', '@scalar/fastify-api-reference'];
/** How transactions of the ledger network are written; only adapters and the signer read them. */
const LEDGER = '@stellar/stellar-sdk';
/** What the operator's page is made with. It knows the service through the client and in no other way. */
const PAGE = ['react', 'react-dom', 'react-router', '@tanstack/react-query', '@base-ui/react', 'uplot'];
const INWARD = ['commands', 'domain', 'contract'];

const ROOMS: Readonly<Record<string, Room>> = {
  contract: { imports: ['typebox'] },
  domain: { imports: ['contract'] },
  commands: { imports: ['domain', 'contract'] },
  operations: { imports: INWARD, types: ['providers', 'custody', 'store'] },
  custody: { imports: [...INWARD, LEDGER], types: ['providers', 'store'] },
  config: { imports: ['contract'] },
  doctor: { imports: ['config'], types: ['pg'] },
  keys: { imports: [...INWARD, 'jose'] },
  observe: {
    imports: ['domain', 'contract', 'config', 'pino', 'prom-client', '@opentelemetry'],
    types: ['store', 'jobs', 'pg'],
  },
  store: { imports: [...INWARD, 'pg'], types: ['keys'] },
  providers: { imports: ['domain', 'contract', LEDGER], types: ['config'] },
  http: {
    imports: [...INWARD, 'observe', 'typebox', 'ioredis', ...FASTIFY],
    types: ['store', 'keys', 'config', 'operations'],
  },
  stream: { imports: ['domain', 'contract'] },
  jobs: { imports: [...INWARD, 'pg-boss'], types: ['store', 'operations'] },
  postgres: { imports: ['pg'] },
  sandbox: { imports: ['fastify', LEDGER, 'standardwebhooks'] },
  sdk: { imports: [] },
  cli: { imports: ['@holdfast/sdk', 'commander'] },
  console: { imports: ['@holdfast/sdk', ...PAGE] },
};

/** Files that put the rooms together or start them; they know everybody and nobody knows them. */
const OUTSIDE = [
  'compose.ts',
  'compose-custody.ts',
  'compose-ground.ts',
  'compose-orders.ts',
  'compose-payments.ts',
  'compose-surface-b.ts',
  'console-build.ts',
  'development-key.ts',
  'doctor.ts',
  'main.ts',
  'migrate.ts',
  'rotate-wallets.ts',
  'sandbox.ts',
  'secrets.ts',
  'verify-audit.ts',
  'version.ts',
  'welcome.ts',
];

const sources = sourcesOf('{contract,server,sandbox,sdk,cli,console}/src/**/*.{ts,tsx}');

const roomOf = (file: string): string => {
  const [workspace, , first = '', second] = file.split('/');
  if (workspace !== 'server') return workspace!;
  if (second !== undefined) return first;
  return first === 'config.ts' ? 'config' : 'outside';
};

const packageOf = (specifier: string): string => {
  const [scope, name] = specifier.split('/');
  if (scope === '@opentelemetry') return scope;
  return scope!.startsWith('@') ? `${scope}/${name}` : scope!;
};

const nameOf = ({ target, specifier }: Import): string => (target === null ? packageOf(specifier) : roomOf(target));

const strangersOf = (source: Source): string[] => {
  const room = roomOf(source.path);
  if (room === 'outside') return [];
  const { imports, types = [] } = ROOMS[room]!;
  return source.imports
    .filter((one) => !one.specifier.startsWith('node:') && nameOf(one) !== room)
    .filter((one) => ![...imports, ...(one.typeOnly ? types : [])].includes(nameOf(one)))
    .map((one) => `${source.path} imports ${one.typeOnly ? 'a type of ' : ''}${one.specifier}`);
};

test('every source file is in a room of the table, or is one of the few that stand outside', () => {
  const homeless = sources.filter(({ path }) => {
    const room = roomOf(path);
    return room === 'outside' ? !OUTSIDE.includes(path.split('/').at(-1)!) : !(room in ROOMS);
  });
  assert.deepEqual(
    homeless.map((source) => source.path),
    [],
  );
});

test('every import follows the table', () => {
  assert.deepEqual(sources.flatMap(strangersOf), []);
});

test('every import of ours names a file that is there', () => {
  const known = new Set([...sources.map((source) => source.path), ...filesOf('console/src/**/*.css')]);
  const lost = sources.flatMap((source) =>
    source.imports
      .filter(({ target }) => target !== null && !known.has(target))
      .map(({ specifier }) => `${source.path} imports ${specifier}`),
  );
  assert.deepEqual(lost, []);
});

test('the rooms of the table form no circle, not even with types', () => {
  const open = new Set(Object.keys(ROOMS));
  const nextOf = (room: string) => [...ROOMS[room]!.imports, ...(ROOMS[room]!.types ?? [])];
  while (open.size > 0) {
    const free = [...open].filter((room) => !nextOf(room).some((next) => open.has(next)));
    assert.ok(free.length > 0, `a circle among ${[...open].join(', ')}`);
    for (const room of free) open.delete(room);
  }
});

test('no file imports itself by way of others', () => {
  const graph = new Map(
    sources.map((source) => [
      source.path,
      source.imports.filter((one) => !one.typeOnly && !one.later && one.target !== null).map((one) => one.target!),
    ]),
  );
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    assert.ok(!way.includes(file), [...way, file].join(' -> '));
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
});

test('the SDK imports nothing but itself, and knows no global that some runtime lacks', () => {
  const own = sources.filter(({ path }) => path.startsWith('sdk/'));
  assert.ok(own.length > 30);
  const foreign = own.flatMap(({ path, imports }) =>
    imports.filter(({ specifier }) => !specifier.startsWith('.')).map(({ specifier }) => `${path}: ${specifier}`),
  );
  assert.deepEqual(foreign, []);
  // Of Node.js, of browsers, and of neither everywhere. That it runs with the rest is tests/sdk/package.test.ts.
  const missing =
    /(?<![.'\w])(process|Buffer|require|__dirname|window|document|navigator|localStorage|XMLHttpRequest|EventSource|setImmediate|setInterval|structuredClone|queueMicrotask|console)\b(?!['?]?:)|import\.meta/;
  assert.deepEqual(
    own.filter(({ text }) => missing.test(codeOf(text))).map(({ path }) => path),
    [],
  );
});
