// How the console is served: without a key, as static files, with headers that protect it from other sites.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { buildConsole, CONSOLE_FOLDER } from '../../../server/src/http/console/build.ts';
import { mountConsole } from '../../../server/src/http/console/mount.ts';
import { openConsoleSite } from '../../../server/src/http/console/site.ts';
import type { Log } from '../../../server/src/observability/logs.ts';
import { afterwards } from '../../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../../tools/test-database/folder.ts';
import { until } from '../../../tools/until.ts';
import { startApp } from '../../support/app.ts';
import { openApp } from '../../support/shared-app.ts';

const DIST = path.resolve(import.meta.dirname, '../../../console/dist');

test('every console path answers without a key, with a policy that allows no inline code', async (t) => {
  const { url } = await openApp(t);
  const page = await readFile(path.join(DIST, 'index.html'), 'utf8');
  for (const place of [
    '/console',
    '/console/',
    '/console/orders/ord_01J9ZQ8H7K5M3N2P4R6S8T0V1W',
    '/console/users?q=a.b',
  ]) {
    const response = await fetch(url + place);
    assert.equal(response.status, 200, place);
    assert.equal(await response.text(), page);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'(;|$)/);
    assert.match(policy, /style-src 'self'(;|$)/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(response.headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal(response.headers.get('cache-control'), 'no-cache');
  }
});

test('assets are named by their content, compressed and cached for ever; the page itself is revalidated', async (t) => {
  const { url } = await openApp(t);
  const names = (await readdir(path.join(DIST, 'assets'))).filter((name) => name.endsWith('.js'));
  assert.ok(names.length > 2);
  for (const name of names) {
    const response = await fetch(`${url}/console/assets/${name}`, { headers: { 'accept-encoding': 'gzip, br;q=0.5' } });
    assert.equal(response.headers.get('content-encoding'), 'br');
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    const plain = await readFile(path.join(DIST, 'assets', name), 'utf8');
    assert.equal(await response.text(), plain);
    const refusing = await fetch(`${url}/console/assets/${name}`, { headers: { 'accept-encoding': 'br;q=0, gzip' } });
    assert.equal(refusing.headers.get('content-encoding'), 'gzip');
    assert.equal(gunzipSync(await readFile(path.join(DIST, 'assets', `${name}.gz`))).toString(), plain);
  }
  const first = await fetch(`${url}/console`, { headers: { 'accept-encoding': 'identity' } });
  const etag = first.headers.get('etag')!;
  const again = await fetch(`${url}/console`, { headers: { 'if-none-match': etag, 'accept-encoding': 'identity' } });
  assert.equal(again.status, 304);
});

test('a missing file is 404 and never the page, and no path leaves the folder', async (t) => {
  const { url } = await openApp(t);
  const lost = ['assets/gone-12345678.js', 'assets/', 'package.json', 'built.json', 'assets/..%2f..%2fpackage.json'];
  for (const name of [...lost, '..%2f..%2f..%2fetc%2fpasswd.txt', '%2e%2e/%2e%2e/package.json']) {
    const response = await fetch(`${url}/console/${name}`);
    assert.equal(response.status, 404, name);
    assert.doesNotMatch(await response.text(), /<html|root:|"name"/);
  }
});

test('only GET and HEAD are answered', async (t) => {
  const { url } = await openApp(t);
  const head = await fetch(`${url}/console`, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const response = await fetch(`${url}/console/orders`, { method });
    assert.equal(response.status, 405, method);
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'METHOD_NOT_ALLOWED');
  }
});

test('loading the console does not count against the API rate limit of the address', async (t) => {
  const { url } = await startApp(t, { env: { RATE_LIMIT_MAX: '5' } });
  for (let load = 0; load < 30; load++) assert.equal((await fetch(`${url}/console`)).status, 200);
  const response = await fetch(`${url}/api/v1/config`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('x-ratelimit-remaining'), '4');
});

test('until the console is built a placeholder page reloads itself; a finished build is served at once', async (t) => {
  const folder = await temporaryFolder(t);
  const site = openConsoleSite(folder);
  const app = Fastify();
  mountConsole(app, site);
  const missing = await app.inject('/console/orders');
  assert.equal(missing.statusCode, 503);
  assert.match(missing.body, /npm run console:build/);
  site.building(true);
  const building = await app.inject('/console');
  assert.match(building.body, /being built/);
  assert.match(building.body, /http-equiv="refresh"/);
  assert.doesNotMatch(String(building.headers['content-security-policy']), /unsafe/);
  await writeFile(path.join(folder, 'index.html'), '<title>one</title>');
  await writeFile(path.join(folder, 'built.json'), '{}');
  assert.equal((await app.inject('/console')).body, '<title>one</title>');
});

test('a starting server builds an outdated console and serves it afterwards', async (t) => {
  const site = openConsoleSite(CONSOLE_FOLDER);
  const warnings: unknown[] = [];
  const log = { info: () => {}, warn: (...text: unknown[]) => warnings.push(text) } as unknown as Log;
  const { stop } = buildConsole({ site, log });
  afterwards(t, stop);
  assert.equal(site.state(), 'building');
  await until(async () => site.state() !== 'building', 'the build has ended');
  assert.deepEqual(warnings, []);
  assert.match(String((await site.find('index.html'))?.plain), /<div id="root">/);
});
