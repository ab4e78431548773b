// The pages that lead a new reader: the guide shows its programs as they are, every link leads to a heading that exists, and every route
// and setting that is named exists.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ERRORS } from '@holdfast/contract/errors.ts';
import * as STATES from '@holdfast/contract/states.ts';
import { filesOf, ROOT, readText } from './sources.ts';

const GUIDE = filesOf('docs/guide/*.md');
const PROGRAMS = filesOf('sdk/examples/guide/*.ts');
const PAGES = filesOf('docs/**/*.md', 'README.md', 'CONTRIBUTING.md', 'sdk/README.md');

const shownIn = (page: string): string[] =>
  [...readText(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);

test('the guide shows every one of its programs once, and nothing else', () => {
  const shown = GUIDE.flatMap(shownIn);
  for (const program of PROGRAMS) assert.ok(shown.includes(readText(program)), `${program} differs from its page`);
  assert.equal(shown.length, PROGRAMS.length);
});

test('the recipes show their programs as they are', () => {
  assert.deepEqual(
    shownIn('docs/recipes.md').toSorted(),
    filesOf('sdk/examples/recipes/*.ts').map(readText).toSorted(),
  );
});

test('each page of the guide has the program of its name, and leads to the next page', () => {
  for (const [at, page] of GUIDE.entries()) {
    const name = path.basename(page, '.md');
    assert.ok(shownIn(page).includes(readText(`sdk/examples/guide/${name}.ts`)), page);
    const next = GUIDE[at + 1];
    if (next) assert.match(readText(page), new RegExp(`^Next: .*\\(${path.basename(next)}\\)`, 'm'), page);
  }
});

/** As GitHub and the documentation site make them: lower case, no punctuation, blanks become hyphens. */
const anchorsOf = (page: string): Set<string> => {
  const text = page.replace(/^```[\s\S]*?^```$/gm, '');
  const seen = new Map<string, number>();
  const anchors = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
    const plain = heading!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const count = seen.get(plain) ?? 0;
    seen.set(plain, count + 1);
    return count === 0 ? plain : `${plain}-${count}`;
  });
  return new Set(anchors);
};

type Link = { readonly page: string; readonly target: string };

const linksOf = (page: string): Link[] =>
  [
    ...readText(page)
      .replace(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target]) => ({
    page,
    target: target!,
  }));

/** Null when the link leads somewhere; otherwise what is missing. */
const missing = ({ page, target }: Link): string | null => {
  if (/^(https?:|\/)/.test(target)) return null;
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? page : path.posix.join(path.posix.dirname(page), decodeURIComponent(file));
  if (!existsSync(path.join(ROOT, found))) return `${page}: there is no ${found}`;
  if (anchor === undefined || !found.endsWith('.md')) return null;
  return anchorsOf(readText(found)).has(anchor) ? null : `${page}: ${found} has no heading #${anchor}`;
};

test('every link between pages leads to a file and a heading that exist', () => {
  assert.deepEqual(
    PAGES.flatMap(linksOf)
      .map(missing)
      .filter((problem) => problem !== null),
    [],
  );
});

test('a link to a missing page and one to a missing heading are found', () => {
  assert.match(String(missing({ page: 'docs/sdk.md', target: 'nowhere.md' })), /there is no docs\/nowhere\.md/);
  assert.match(String(missing({ page: 'docs/sdk.md', target: 'events.md#nothing' })), /no heading #nothing/);
  assert.equal(missing({ page: 'docs/sdk.md', target: 'events.md#topup' }), null);
});

const WRITTEN_BY_HAND = filesOf(
  'docs/{guide,concepts}/*.md',
  'docs/{README,what-it-is,quick-start,production,recipes,glossary}.md',
);

/** `POST /orders/{id}/reserve` and `POST /orders/:id/reserve` are the same route. */
const shapeOf = (route: string): string => route.replace(/\?.*$/, '').replace(/\{[^}]+\}|:\w+/g, '*');

const routes = new Set(
  (await Promise.all(filesOf('contract/src/{api,surface-b}/*.ts').map((file) => import(`../../${file}`))))
    .flatMap((module) => Object.values(module))
    .filter((value) => typeof value === 'object' && value !== null && 'method' in value && 'path' in value)
    .map(({ method, path: at }) => shapeOf(`${method} ${at}`)),
);

test('every route that these pages name exists', () => {
  const unknown = WRITTEN_BY_HAND.flatMap((page) =>
    [...readText(page).matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`\s]*)`/g)]
      .map(([, route]) => route!)
      .filter((route) => !routes.has(shapeOf(route)))
      .map((route) => `${page}: ${route}`),
  );
  assert.deepEqual(unknown, []);
  assert.ok(routes.has('POST /orders/*/reserve'));
});

const SETTINGS = readText('docs/settings.md');

/** Variables of Node, which it documents itself. */
const OF_NODE = ['NODE_USE_ENV_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** Codes and states are written like settings. */
const KNOWN_NAMES = new Set([...Object.keys(ERRORS), ...Object.values(STATES).flat().map(String), ...OF_NODE]);

test('every setting that these pages name exists', () => {
  const unknown = WRITTEN_BY_HAND.flatMap((page) =>
    [...readText(page).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)]
      .map(([, name]) => name!)
      .filter((name) => !SETTINGS.includes(`\`${name}\``) && !KNOWN_NAMES.has(name))
      .map((name) => `${page}: ${name}`),
  );
  assert.deepEqual(unknown, []);
});

test('the index lists every page, and the list of decisions every decision', () => {
  const listed = (index: string): string[] =>
    linksOf(index).map(({ target }) => path.posix.join(path.posix.dirname(index), target.split('#')[0]!));
  const pages = new Set([...listed('docs/README.md'), 'docs/README.md']);
  assert.deepEqual(
    filesOf('docs/*.md', 'docs/{guide,concepts}/*.md').filter((page) => !pages.has(page)),
    [],
  );
  const decisions = listed('docs/decisions/README.md');
  assert.deepEqual(decisions.toSorted(), filesOf('docs/decisions/0*.md'));
});
