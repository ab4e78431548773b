// The documentation at /docs: every page is served, every link and anchor of every page leads somewhere, nothing but its own files can be
// read, and a wrong address names the right one.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ERRORS } from '@holdfast/contract/errors.ts';
import { type Fixture, openServer } from './server-fixture.ts';

const HTML = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const UNLIMITED = { rateLimit: { max: 100_000, windowMs: 60_000 } };

let server: Fixture;
before(async () => {
  server = await openServer(UNLIMITED);
});
after(() => server.app.close());

const ask = (place: string, options: object = HTML) => server.ask('GET', place, options);
const idsOf = (html: string): Set<string> => new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!));
const linksOf = (html: string): string[] =>
  [...html.matchAll(/\b(?:href|src)="([^"]+)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'));

/** Every page and file that can be reached from the home page, with its text. */
const crawl = async (): Promise<Map<string, string>> => {
  const texts = new Map<string, string>();
  const waiting = ['/docs/'];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (texts.has(place)) continue;
    const { status, text } = await ask(place);
    assert.equal(status, 200, place);
    texts.set(place, text);
    if (!/^\/docs\/(?!assets|pictures|reference|openapi|surface-b)/.test(place)) continue;
    const within = linksOf(text).map((link) => new URL(link, `http://docs${place}`));
    // The console is tested with its own pages.
    const own = within.filter(({ host, pathname }) => host === 'docs' && !/^\/(console|$)/.test(pathname));
    waiting.push(...own.map(({ pathname, search }) => pathname + search));
  }
  return texts;
};

test('every link and every anchor of every page leads somewhere', async () => {
  const texts = await crawl();
  const pages = [...texts].filter(([place]) => place.startsWith('/docs/') && !/\.\w+(\?|$)/.test(place));
  assert.ok(pages.length > 50, `${pages.length} pages`);
  const broken = pages.flatMap(([place, text]) =>
    linksOf(text)
      .filter((link) => link.includes('#') && !link.startsWith('http') && !link.startsWith('/docs/reference'))
      .filter((link) => {
        const { pathname, hash } = new URL(link, `http://docs${place}`);
        return !idsOf(texts.get(pathname) ?? '').has(decodeURIComponent(hash.slice(1)));
      })
      .map((link) => `${place} → ${link}`),
  );
  assert.deepEqual(broken, []);
});

test('every error code has an address on its page, where details.docUrl points to', async () => {
  const { status, text } = await ask('/docs/errors', {});
  assert.equal(status, 200);
  for (const code of Object.keys(ERRORS)) assert.ok(text.includes(`<tr id="${code}">`), code);
});

test('a page allows scripts and styles of this server alone, and is not sent twice', async () => {
  const first = await ask('/docs/settings');
  const policy = first.headers.get('content-security-policy')!;
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self';/);
  assert.match(policy, /style-src 'self';/);
  assert.ok(!/\bstyle="|<style|<script>/.test(first.text), 'nothing inline, which the policy would refuse');
  const again = await ask('/docs/settings', { headers: { 'if-none-match': first.headers.get('etag')! } });
  assert.equal(again.status, 304);
  const [style] = linksOf(first.text).filter((link) => link.includes('docs.css?v='));
  assert.match((await ask(style!)).headers.get('cache-control')!, /immutable/);
  assert.match((await ask('/docs/assets/docs.css')).headers.get('cache-control')!, /no-cache/);
});

test('addresses of files lead to their pages, and no address leads out of the documentation', async () => {
  for (const [place, target] of [
    ['/docs', '/docs/'],
    ['/docs/settings.md', '/docs/settings'],
    ['/docs/settings/', '/docs/settings'],
    ['/docs/README.md', '/docs/'],
  ] as const) {
    const { status, headers } = await ask(place);
    assert.deepEqual([status, headers.get('location')], [301, target], place);
  }
  for (const place of [
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/package.json',
    '/docs/pictures/..%2f..%2fpackage.json',
    '/docs/pictures/diagrams/..%2fhome.png',
    '/docs/assets/..%2fmount.ts',
    '/docs/assets/',
    '/docs/constructor',
    '/docs/__proto__',
  ]) {
    assert.equal((await ask(place, {})).status, 404, place);
  }
});

test('404 with the closest pages: a page for browsers, the envelope for programs', async () => {
  const page = await ask('/docs/setings');
  assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
  assert.match(page.text, /<a href="\/docs\/settings">Settings<\/a>/);
  const { status, body } = await ask('/docs/setings', {});
  assert.deepEqual([status, body.error.code], [404, 'ROUTE_NOT_FOUND']);
  assert.match(body.error.message, /Did you mean \/docs\/settings\?/);
  assert.deepEqual(body.error.details.didYouMean, [{ method: 'GET', path: '/docs/settings' }]);
  const far = await ask(`/docs/${'x'.repeat(200)}`, {});
  assert.equal(far.body.error.details.didYouMean, undefined);
});

/** The addresses of the results, best first. */
const found = async (query: string): Promise<string[]> => {
  const { text } = await ask(`/docs/search?q=${encodeURIComponent(query)}`);
  const [, results = ''] = text.split('<article>');
  return [...results.matchAll(/<li><a href="([^"]+)"/g)].map(([, address]) => address!);
};

test('the search finds error codes, settings, events and commands, beginnings of words and misspelt words', async () => {
  for (const [query, best] of [
    ['INSUFFICIENT_FUNDS', '/docs/errors#INSUFFICIENT_FUNDS'],
    ['insufficient fun', '/docs/errors#INSUFFICIENT_FUNDS'],
    ['SHUTDOWN_GRACE_MS', '/docs/settings#SHUTDOWN_GRACE_MS'],
    ['order.funds_reserved', '/docs/events#order.funds_reserved'],
  ] as const) {
    assert.equal((await found(query))[0], best, query);
  }
  assert.ok((await found('reconcilliation')).length > 0, 'one letter too many');
  assert.ok((await found('holdfast orders run')).some((address) => address.startsWith('/docs/cli')));
  assert.ok((await found('qui')).length > 0, 'the beginning of a word');
  assert.deepEqual(await found('qu'), [], 'too short for a beginning: hundreds of words have it');
  assert.deepEqual(await found('qqqqzzzz'), []);
  assert.deepEqual(await found(''), []);
});

test('a question finds the sections with its words, and pages that explain come before single rows of tables', async () => {
  assert.ok((await found('how do I test my code?')).slice(0, 4).includes('/docs/sdk#test-your-own-code'));
  assert.deepEqual(await found('test my code'), await found('how do I test my code?'));
  assert.equal((await found('partial refund'))[0], '/docs/recipes#refund-part-of-an-order');
  assert.equal((await found('refund qqqqzzzz'))[0], '/docs/recipes#refund-part-of-an-order', 'one word is nowhere');
  for (const query of ['payout', 'withdrawal']) {
    const first = (await found(query)).slice(0, 4);
    for (const place of ['/docs/guide/07-withdrawal', '/docs/recipes#pay-out-every-week']) {
      assert.ok(first.includes(place), `${query}: ${first.join(' ')}`);
    }
  }
});

test('a search shows what was searched for as text', async () => {
  const { status, text } = await ask(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
  assert.equal(status, 200);
  assert.ok(!text.includes('<script>alert'));
  assert.equal((await ask(`/docs/search?q=${'a '.repeat(3_000)}`)).status, 200);
  assert.equal((await ask('/docs/search?q=a&q=b')).status, 200);
});

test('without the folder of the documentation, a sentence says so', async (t) => {
  const empty = await mkdtemp(path.join(os.tmpdir(), 'docs-'));
  t.after(() => rm(empty, { recursive: true }));
  const bare = await openServer({ docsFolder: path.join(empty, 'docs') });
  t.after(() => bare.app.close());
  const { status, body } = await bare.ask('GET', '/docs/');
  assert.deepEqual([status, body.error.code], [404, 'ROUTE_NOT_FOUND']);
  assert.match(body.error.message, /not part of this installation/);
  assert.equal((await bare.ask('GET', '/docs/openapi.json')).status, 200);
});
