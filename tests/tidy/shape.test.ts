// How a file looks: its name, its first lines, its length, and the words it must not hold.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { codeOf, filesOf, readText, sourcesOf } from './sources.ts';

const SOURCE = '{contract,server,sandbox,sdk,cli,console}/src/**/*.{ts,tsx}';
const EVERY = '{contract,server,sandbox,sdk,cli,console,scripts,tools,tests,bench}/**/!(*.d).{ts,tsx}';

// How a benchmark is called is part of what it is for.
const documented = sourcesOf('{contract,server,sandbox,sdk,cli,console,scripts,tools,tests}/**/!(*.d).{ts,tsx}');

const LINES_WANTED = 250;
const LINES_MAX = 300;
const HEADER_LINES_MAX = 4;

const sources = sourcesOf(EVERY);
const pathsWhere = (matches: (source: { path: string; text: string }) => boolean, among = sources): string[] =>
  among.filter(matches).map((source) => source.path);

test('every file starts with one to four lines that say what it is for', () => {
  const headless = pathsWhere(({ text }) => {
    const lines = text.split('\n');
    const end = lines.findIndex((line) => !line.startsWith('// '));
    return end < 1 || end > HEADER_LINES_MAX || lines[end] !== '' || lines[0]!.length < 12;
  }, documented);
  assert.deepEqual(headless, []);
});

test('file names are kebab-case, and none is called by a word that means nothing', () => {
  const named = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.long\.test|\.config)?\.tsx?$/;
  const empty = /^(utils?|helpers?|misc|common|types|index)\.tsx?$|-(utils|helpers)\.tsx?$/;
  const bad = pathsWhere(({ path: file }) => !named.test(path.basename(file)) || empty.test(path.basename(file)));
  // Where a published package begins.
  assert.deepEqual(bad, ['sdk/src/index.ts']);
});

test(`no source file is longer than ${LINES_MAX} lines, and those above ${LINES_WANTED} are named`, (t) => {
  // A printed table is as long as what it is printed from.
  const written = sourcesOf(SOURCE).filter(({ path: file }) => !file.startsWith('sdk/src/printed/'));
  const longer = (max: number) => pathsWhere(({ text }) => text.split('\n').length > max + 1, written);
  for (const path of longer(LINES_WANTED)) t.diagnostic(`${path} has more than ${LINES_WANTED} lines`);
  assert.deepEqual(longer(LINES_MAX), []);
});

test('nothing is put off: no TODO and no FIXME', () => {
  const later = new RegExp(['TO', 'DO|FIX', 'ME|X', 'XX'].join(''));
  const texts = filesOf(EVERY, 'server/src/**/*.sql', '*.md', 'docs/**/*.md');
  assert.deepEqual(
    texts.filter((file) => later.test(readText(file)) && !file.endsWith('tidy/shape.test.ts')),
    [],
  );
});

test('no enums, and no namespaces', () => {
  assert.deepEqual(
    pathsWhere(({ text }) => /^\s*(export\s+)?(declare\s+)?(const\s+)?(enum|namespace)\s+\w/m.test(codeOf(text))),
    [],
  );
});

/** `...{ a, b }`, and `const [a, b] = [x, y];`: they save a line and cost the reader a moment. */
const LITERAL_SPREAD = /\.\.\.\{ ?\w/;
const LITERAL_DESTRUCTURED = /^\s*(?:const|let) \[[^\]]*\](?::[^=]*)? = \[.*\];$/m;

test('no spread and no destructuring of a literal to save a line', () => {
  assert.match('a = { ...{ b, c }, d };', LITERAL_SPREAD);
  assert.match('  let [count, isOver]: [number, boolean] = [0, false];', LITERAL_DESTRUCTURED);
  assert.doesNotMatch('const [a, b] = [1, 2].map(String);', LITERAL_DESTRUCTURED);
  const own = 'tests/tidy/shape.test.ts';
  const tricky = pathsWhere(({ text, path: file }) => {
    return file !== own && (LITERAL_SPREAD.test(codeOf(text)) || LITERAL_DESTRUCTURED.test(codeOf(text)));
  });
  assert.deepEqual(tricky, []);
});

test('the server speaks through its log and never through the console', () => {
  assert.deepEqual(
    pathsWhere(({ text }) => /\bconsole\./.test(codeOf(text)), sourcesOf('{contract,server}/src/**/*.ts')),
    [],
  );
});

test('no float comes near money', () => {
  const rooms = sourcesOf(
    'contract/src/**/*.ts',
    'server/src/{base,books,commit,ledger,modules}/**/*.ts',
    'console/src/**/*.{ts,tsx}',
  );
  const rounding = /\bparseFloat\b|\.toFixed\(|\bMath\.round\(|\bFloat\d\dArray\b|\bdouble\b/;
  // A rate in whole hundredths of a percent is no amount.
  const typed = /\b(?!\w*Bps\b)\w*(amount|available|reserved|remaining|balance|fee|price)\w*\??:\s*number\b/i;
  assert.deepEqual(
    pathsWhere(({ text }) => rounding.test(codeOf(text)) || typed.test(codeOf(text)), rooms),
    // The simulator of the payment provider tells amounts as numbers, as the provider does.
    ['server/src/modules/sandbox/present.ts'],
  );
});

test('no code makes a number of an amount; numbers are times, counts, rates and what Surface B shows', () => {
  const notMoney = [
    'server/src/base/duration.ts',
    'server/src/base/instant.ts',
    'server/src/base/ulid.ts',
    // The place of a milestone.
    'server/src/ledger/format/read-escrow-call.ts',
    'server/src/ledger/keys/signer.ts',
    'server/src/modules/audit/routes.ts',
    // The time at which a link expires.
    'server/src/modules/closings/period.ts',
    'server/src/modules/operators/invite-text.ts',
    'server/src/modules/orders/order-body.ts',
    'server/src/modules/passwords/passwords.ts',
    // A percentage.
    'server/src/modules/policies/fee.ts',
    'server/src/modules/projects/people/queries.ts',
    'server/src/modules/projects/queries.ts',
    'server/src/modules/projects/surface/route.ts',
    // Positions of events.
    'server/src/modules/webhook-deliveries/endpoint-health.ts',
    'server/src/modules/webhook-deliveries/queries.ts',
    'server/src/modules/webhook-deliveries/send/intake.ts',
    'server/src/modules/webhook-deliveries/send/marketplace-sender.ts',
  ];
  const rooms = sourcesOf('server/src/{base,books,ledger,modules}/**/*.ts');
  assert.deepEqual(
    pathsWhere(({ text }) => /\bNumber\(|\bparseInt\(|\bNumber\.parse/.test(codeOf(text)), rooms),
    notMoney,
  );
});

test('the database keeps amounts as whole numbers: no column is a float or of unbounded precision', () => {
  for (const file of filesOf('server/src/commit/migrations/*.sql')) {
    const columns = readText(file).replace(/--.*$|'[^']*'/gm, '');
    assert.equal(/\b(real|float\d?|double precision|numeric|decimal|money)\b/i.test(columns), false, file);
  }
});

test('the outside systems have neutral names wherever callers or rules could see them', () => {
  const names = /trustless|airtm|stellar|soroban|\bhorizon\b|\bsvix\b/i;
  // Two values that the wire shape of a wallet prescribes.
  const walletValues = /'STELLAR'|'stellar_address'/g;
  // Adapters, their settings, and the file format that the signer reads.
  const adapters = ['providers/', 'config/', 'ledger/format/'].map((folder) => `server/src/${folder}`);
  const files = filesOf(
    'contract/src/**/*.ts',
    'server/src/**/*.{ts,sql}',
    'console/src/**/*.{ts,tsx,css}',
    'docs/{errors,events,states}.md',
  ).filter((file) => !adapters.some((folder) => file.startsWith(folder)));
  assert.ok(files.length > 100);
  assert.deepEqual(
    files.filter((file) => names.test(readText(file).replaceAll(walletValues, ''))),
    [],
  );
});
