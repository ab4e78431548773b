// The root of the server leads a person to the console, the documentation and the reference, and a program to their addresses. A wrong path
// names the right one in the envelope of its surface.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Fixture, openServer } from './server-fixture.ts';

let server: Fixture;
before(async () => {
  server = await openServer();
});
after(() => server.app.close());

test('a program gets the addresses, without a key', async () => {
  for (const accept of ['*/*', 'application/json', 'application/xml']) {
    const { status, body, headers: sent } = await server.ask('GET', '/', { headers: { accept } });
    assert.deepEqual([status, sent.get('vary')], [200, 'accept']);
    assert.deepEqual(body.links, {
      console: '/console',
      docs: '/docs/',
      reference: '/docs/reference/',
      openapi: '/docs/openapi.json',
      api: '/api/v1',
    });
  }
  for (const place of ['/docs/', '/docs/reference/', '/docs/openapi.json']) {
    assert.equal((await server.ask('GET', place)).status, 200, place);
  }
});

test('a browser gets a page with links to the console, the documentation and the reference', async () => {
  const page = await server.ask('GET', '/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  for (const place of ['/console', '/docs/', '/docs/quick-start', '/docs/reference/']) {
    assert.ok(page.text.includes(`<li><a href="${place}">`), place);
  }
  assert.equal(page.text.includes('aria-current'), false, 'it belongs to no part');
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/);
});

test('404 for a usual address of a page names the page', async () => {
  for (const [asked, page] of [
    ['/doc', '/docs/'],
    ['/documentation/', '/docs/'],
    ['/reference', '/docs/reference/'],
    ['/openapi.json', '/docs/openapi.json'],
  ] as const) {
    const { status, body } = await server.ask('GET', asked);
    assert.deepEqual([status, body.error.details.didYouMean], [404, [{ method: 'GET', path: page }]], asked);
    assert.equal((await server.ask('GET', page)).status, 200, page);
  }
  const { body } = await server.ask('GET', '/admin');
  assert.equal(body.error.details.didYouMean, undefined, 'this server has no console');
  const changed = await server.ask('POST', '/doc');
  assert.equal(changed.body.error.details.didYouMean, undefined);
});

test('404 for a path that is close to a route names the route in its message and its details', async () => {
  const { status, body } = await server.ask('POST', '/api/v1/user/u1/credit');
  assert.equal(status, 404);
  assert.equal(body.error.message, 'There is no such route. Did you mean POST /api/v1/users/u1/credit?');
  assert.deepEqual(body.error.details.didYouMean[0], { method: 'POST', path: '/api/v1/users/u1/credit' });
  const far = await server.ask('GET', '/api/v1/nowhere');
  assert.deepEqual([far.status, 'didYouMean' in far.body.error.details], [404, false]);
});
