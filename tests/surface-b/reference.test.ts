// The API reference of Surface B: a separate document, complete and valid, on the same page as that of Surface A.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REFUSALS } from '@holdfast/contract/surface-b/refusals.ts';
import { type Any, openSharedPeople } from './people-fixture.ts';

const NINE = [
  'POST /auth/register',
  'POST /auth/login',
  'GET /balances',
  'GET /balances/transactions',
  'POST /wallets/connect',
  'GET /projects',
  'POST /projects',
  'POST /escrow/init',
  'POST /escrow/release',
];

const operationsIn = ({ paths }: Any): [string, Any][] =>
  Object.entries<Any>(paths).flatMap(([path, methods]) =>
    Object.entries<Any>(methods).map(([method, operation]): [string, Any] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

test('the document is version 1.0.0 of OpenAPI 3.1 with the nine routes and nothing else, the same at both addresses', async (t) => {
  const { call } = await openSharedPeople(t);
  const document = (await call('GET /docs/surface-b.json')).body;
  assert.deepEqual([document.openapi, document.info.version], ['3.1.0', '1.0.0']);
  assert.deepEqual(
    operationsIn(document)
      .map(([name]) => name)
      .sort(),
    [...NINE].sort(),
  );
  assert.deepEqual((await call('GET /openapi.json')).body, document);
});

test('every reference resolves, and every operation has a unique id, its answers and its examples', async (t) => {
  const { call } = await openSharedPeople(t);
  const document = (await call('GET /docs/surface-b.json')).body;
  for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = reference!.split('/').reduce((at: Any, key) => at?.[key], document);
    assert.ok(found, reference!);
  }
  const operations = operationsIn(document);
  assert.equal(new Set(operations.map(([, { operationId }]) => operationId)).size, NINE.length);
  for (const [name, { summary, responses, requestBody }] of operations) {
    assert.ok(summary, name);
    const { example } = responses[200].content['application/json'];
    assert.deepEqual([example.code, example.type, example.ok], [200, 'success', true], name);
    assert.equal(name.startsWith('POST'), requestBody !== undefined);
    for (const [status, { content }] of Object.entries<Any>(responses)) {
      if (status === '200') continue;
      for (const [refusal, { value }] of Object.entries<Any>(content['application/json'].examples ?? {})) {
        assert.equal(value.code, Number(status));
        assert.equal(value.message, REFUSALS[refusal as keyof typeof REFUSALS].message);
      }
    }
  }
});

test('the server accepts the request examples unchanged', async (t) => {
  const { call, aPerson } = await openSharedPeople(t);
  const document = (await call('GET /docs/surface-b.json')).body;
  const { token } = await aPerson();
  for (const [name, { requestBody }] of operationsIn(document)) {
    if (!requestBody) continue;
    const body = requestBody.content['application/json'].example;
    const { status } = await call(name, { body, ...(name.startsWith('POST /auth') ? {} : { token }) });
    assert.ok(status !== 422 && status !== 500, `${name}: ${status}`);
  }
});

test('security is declared as the routes require it: none for register and login, optional for escrow init', async (t) => {
  const { call } = await openSharedPeople(t);
  const { paths } = (await call('GET /docs/surface-b.json')).body;
  assert.deepEqual(paths['/auth/register'].post.security, []);
  assert.deepEqual(paths['/auth/login'].post.security, []);
  assert.deepEqual(paths['/balances'].get.security, [{ bearer: [] }]);
  assert.deepEqual(paths['/escrow/init'].post.security, [{}, { bearer: [] }]);
  const closed = await openSharedPeople(t, { env: { ESCROW_INIT_AUTH: 'required' } });
  const document = (await closed.call('GET /docs/surface-b.json')).body;
  assert.deepEqual(document.paths['/escrow/init'].post.security, [{ bearer: [] }]);
});

test('the page offers both documents', async (t) => {
  const { call } = await openSharedPeople(t);
  const page = await call('GET /docs/reference/');
  assert.equal(page.status, 200);
  assert.match(page.text, /\/docs\/openapi\.json/);
  assert.match(page.text, /\/docs\/surface-b\.json/);
  const other = (await call('GET /docs/openapi.json')).body;
  assert.ok(Object.keys(other.paths).every((path) => path.startsWith('/api/v1/')));
  const closed = await openSharedPeople(t, { env: { SURFACE_B: 'off' } });
  assert.ok(!(await closed.call('GET /docs/reference/')).text.includes('surface-b'));
});
