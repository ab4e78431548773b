// Imports point one way: a folder may use the folders before it in this list, and never those after it. Between modules the
// allowed pairs are listed. No circle of imports exists anywhere. Imports of types alone are free: they are gone when the program
// runs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, filesOf, type Import, type Source, sourcesOf } from './sources.ts';

const FASTIFY = ['fastify', '@fastify/cors', '@fastify/swagger', '@scalar/fastify-api-reference'];
/** The library of the ledger network; only adapters and the signer read its format. */
const LEDGER = '@stellar/stellar-sdk';
/** Loaded with the first page of the documentation. */
const DOCS = ['marked', 'minisearch'];
/** Loaded with the first sign-in that needs them. */
const SIGN_IN = ['otpauth', '@simplewebauthn/server', 'openid-client'];
const CONSOLE = ['react', 'react-dom', 'react-router', '@tanstack/react-query', '@base-ui/react', 'uplot', 'lean-qr'];

type Layer = { readonly folders: readonly string[]; readonly packages?: readonly string[] };

/** From the lowest to the highest. Folders of one line do not use each other. */
const SERVER: readonly Layer[] = [
  { folders: ['base'] },
  { folders: ['config'] },
  { folders: ['documents'], packages: ['pdfkit', 'bidi-js'] },
  { folders: ['outgoing'], packages: ['ipaddr.js'] },
  { folders: ['postgres'], packages: ['pg'] },
  { folders: ['books'], packages: ['pg'] },
  { folders: ['commit'], packages: ['pg'] },
  { folders: ['distributed'], packages: ['pg'] },
  { folders: ['observability'], packages: ['pg', 'pino', 'prom-client', '@opentelemetry'] },
  { folders: ['providers'], packages: [LEDGER, '@holdfast/sandbox', 'standardwebhooks'] },
  { folders: ['jobs'], packages: ['pg', 'pg-boss'] },
  { folders: ['ledger'], packages: ['pg', LEDGER] },
  { folders: ['http'], packages: ['typebox', 'ioredis', ...DOCS, ...FASTIFY] },
  { folders: ['stream'], packages: ['pg'] },
  { folders: ['modules'], packages: ['pg', 'jose', 'typebox', 'nodemailer', 'csv-parse', ...SIGN_IN, ...FASTIFY] },
  { folders: ['programs'], packages: ['pg', 'commander'] },
];

/** Which module uses which. A module that is not listed uses no other. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  alerts: ['approvals', 'deadlines', 'operations', 'reconciliation', 'webhook-endpoints', 'withdrawals'],
  balances: ['limits'],
  corrections: [
    'balances',
    'disputes',
    'escrows',
    'operations',
    'orders',
    'reconciliation',
    'topups',
    'webhooks',
    'withdrawals',
  ],
  deadlines: ['disputes', 'escrows', 'orders', 'policies'],
  'dispute-messages': ['notes'],
  evidence: ['notes'],
  disputes: ['escrows', 'operations', 'orders'],
  escrows: ['balances', 'operations', 'orders', 'policies'],
  float: ['provider-credentials'],
  marketplaces: ['float'],
  'operator-sessions': ['operators', 'passwords'],
  orders: ['balances', 'policies'],
  projects: ['api-keys', 'operations', 'orders', 'passwords', 'users', 'wallets'],
  'provider-statements': ['evidence', 'notes'],
  reconciliation: ['float'],
  receipts: ['orders', 'statements', 'users'],
  reports: ['archives', 'closings', 'statements'],
  statements: ['users'],
  audit: ['archives'],
  exports: ['archives', 'audit'],
  timelines: [
    'archives',
    'audit',
    'dispute-messages',
    'escrows',
    'evidence',
    'notes',
    'operations',
    'orders',
    'statements',
  ],
  topups: ['balances', 'float', 'provider-credentials', 'reconciliation', 'webhooks'],
  users: ['balances'],
  'wallet-keys': ['operators', 'provider-credentials', 'webhook-endpoints'],
  'webhook-deliveries': ['webhook-endpoints'],
  webhooks: ['disputes', 'escrows', 'orders', 'reconciliation'],
  withdrawals: ['balances', 'float', 'limits', 'provider-credentials', 'reconciliation', 'users', 'webhooks'],
};

/** The other workspaces, with the packages and workspaces that each may use. */
const WORKSPACES: Readonly<Record<string, readonly string[]>> = {
  contract: ['typebox'],
  sandbox: ['fastify', LEDGER, 'standardwebhooks'],
  sdk: [],
  cli: ['@holdfast/sdk', 'commander', 'csv-parse'],
  console: ['@holdfast/sdk', ...CONSOLE],
};

const sources = sourcesOf('{contract,server,sandbox,sdk,cli,console}/src/**/*.{ts,tsx}');

const folderOf = (file: string): string => (file.split('/').length > 3 ? file.split('/')[2]! : 'root');
const moduleOf = (file: string): string | null => (folderOf(file) === 'modules' ? file.split('/')[3]! : null);
const levelOf = (folder: string): number =>
  folder === 'root' ? SERVER.length : SERVER.findIndex(({ folders }) => folders.includes(folder));

const packageOf = (specifier: string): string => {
  const [scope, name] = specifier.split('/');
  if (scope === '@opentelemetry') return scope;
  return scope!.startsWith('@') ? `${scope}/${name}` : scope!;
};

const isOfServer = ({ path }: Source): boolean => path.startsWith('server/');

const isAllowedInServer = (source: Source, one: Import): boolean => {
  if (one.typeOnly) return true;
  const folder = folderOf(source.path);
  if (folder === 'root' || one.specifier.startsWith('node:')) return true;
  if (one.target === null) return (SERVER[levelOf(folder)]!.packages ?? []).includes(packageOf(one.specifier));
  if (one.target.startsWith('contract/')) return true;
  if (!one.target.startsWith('server/')) return folder === 'providers' && one.target.startsWith('sandbox/');
  const target = folderOf(one.target);
  if (target === folder && folder !== 'modules') return true;
  // An operator starts a program, as main.ts is started: it may use the registry of tables and the version.
  if (folder === 'programs' && target === 'root') return true;
  if (target !== folder) return levelOf(target) < levelOf(folder);
  const own = moduleOf(source.path)!;
  const other = moduleOf(one.target)!;
  return own === other || (MODULES[own] ?? []).includes(other);
};

/** Single files of the contract: the look that the console shares with the documentation, and the rule for names that an import checks. */
const SHARED: Readonly<Record<string, string>> = {
  console: 'contract/src/look/tokens.css',
  cli: 'contract/src/one-line.ts',
};

const isAllowedElsewhere = (source: Source, one: Import): boolean => {
  const workspace = source.path.split('/')[0]!;
  if (one.specifier.startsWith('node:')) return true;
  if (one.target !== null) return one.target.startsWith(`${workspace}/`) || one.target === SHARED[workspace];
  return WORKSPACES[workspace]!.includes(packageOf(one.specifier));
};

test('every folder of the server has a place in the list', () => {
  const homeless = sources.filter(isOfServer).filter(({ path }) => levelOf(folderOf(path)) === -1);
  assert.deepEqual(
    homeless.map(({ path }) => path),
    [],
  );
});

test('every import points down the list, and between modules only where it is listed', () => {
  const wrong = sources.flatMap((source) =>
    source.imports
      .filter((one) => !(isOfServer(source) ? isAllowedInServer : isAllowedElsewhere)(source, one))
      .map(({ specifier }) => `${source.path} imports ${specifier}`),
  );
  assert.deepEqual(wrong, []);
});

test('the list of modules names no pair that is not used, and has no circle', () => {
  const used = new Set(
    sources.filter(isOfServer).flatMap((source) =>
      source.imports
        .filter(({ typeOnly }) => !typeOnly)
        .filter(({ target }) => target?.startsWith('server/src/modules/') && moduleOf(source.path) !== null)
        .map(({ target }) => `${moduleOf(source.path)} ${moduleOf(target!)}`),
    ),
  );
  const listed = Object.entries(MODULES).flatMap(([own, others]) => others.map((other) => `${own} ${other}`));
  assert.deepEqual(
    listed.filter((pair) => !used.has(pair)),
    [],
  );
  const reaches = (from: string, to: string): boolean =>
    (MODULES[from] ?? []).some((next) => next === to || reaches(next, to));
  assert.deepEqual(
    Object.keys(MODULES).filter((own) => reaches(own, own)),
    [],
  );
});

/** The pages of the console are loaded while it runs. A circle through such an import is a circle all the same. */
const isOfConsole = (file: string): boolean => file.startsWith('console/');

/** Tests, benchmarks and scripts do not know each other; what they share is in tools. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  tools: ['tools'],
  scripts: ['scripts', 'tools'],
  bench: ['bench', 'tools'],
  tests: ['tests', 'tools'],
};

test('tests, benchmarks and scripts use tools and never each other', () => {
  const wrong = sourcesOf('{tools,scripts,bench,tests}/**/*.ts').flatMap((source) =>
    source.imports
      .filter(({ target }) => target !== null && target.split('/')[0]! in OUTSIDE)
      .filter(({ target }) => !OUTSIDE[source.path.split('/')[0]!]!.includes(target!.split('/')[0]!))
      .map(({ specifier }) => `${source.path} imports ${specifier}`),
  );
  assert.deepEqual(wrong, []);
});

/** Files that import each other's values, directly or through others. Types are gone when the program runs. */
const circlesOf = (files: readonly Source[]): string[][] => {
  const known = new Map(files.map((source) => [source.path, source]));
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file)!);
    stack.push(file);
    const targets = known
      .get(file)!
      .imports.filter(({ typeOnly, later }) => !typeOnly && (!later || isOfConsole(file)));
    for (const target of targets.map((one) => one.target).filter((one) => one !== null && known.has(one))) {
      if (!order.has(target!)) visit(target!);
      if (stack.includes(target!)) low.set(file, Math.min(low.get(file)!, low.get(target!)!));
    }
    if (low.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle);
  };
  for (const file of known.keys()) if (!order.has(file)) visit(file);
  return circles;
};

test('no files import each other in a circle, the console included', () => {
  assert.deepEqual(circlesOf(sources), []);
});

test('every import of ours names a file that exists', () => {
  const known = new Set([
    ...sources.map(({ path }) => path),
    ...filesOf('{console,contract}/src/**/*.css', 'server/src/http/docs/browser/*.js'),
  ]);
  const lost = sources.flatMap((source) =>
    source.imports
      .filter(({ target }) => target !== null && !known.has(target))
      .map(({ specifier }) => `${source.path} imports ${specifier}`),
  );
  assert.deepEqual(lost, []);
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
