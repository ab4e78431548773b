// A path that is close to a right one gets the right one: misspelt words, singular and plural, a missing prefix, missing and wrong parts. A path
// that is close to nothing gets no suggestion.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createSuggestRoutes } from '../../server/src/http/missing/suggest-routes.ts';

const CONTRACT = path.resolve(import.meta.dirname, '../../contract/src');

type Row = { readonly method: string; readonly path: string };

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

/** The rows of all routes in a folder of the contract. */
const rowsIn = async (folder: string): Promise<Row[]> => {
  const files = globSync(`${folder}/*.ts`, { cwd: CONTRACT });
  const modules = await Promise.all(files.map((file) => import(path.join(CONTRACT, file))));
  return modules.flatMap((module) => Object.values(module as object)).filter(isRow);
};

const suggest = createSuggestRoutes([
  { prefix: '/api/v1', endpoints: (await rowsIn('api')) as never },
  { prefix: '', endpoints: (await rowsIn('surface-b')) as never },
]);

const suggested = (request: string): string[] => {
  const [method = '', asked = ''] = request.split(' ');
  return suggest({ method, path: asked }).map((row) => `${row.method} ${row.path}`);
};

const CLOSE: readonly (readonly [request: string, meant: string])[] = [
  // Wrong or missing parts.
  ['POST /api/v1/orders/ord_1/release', 'POST /api/v1/orders/ord_1/resolution/release'],
  ['POST /api/v1/orders/ord_1/refund', 'POST /api/v1/orders/ord_1/resolution/refund'],
  ['POST /api/v1/orders/ord_1/fund', 'POST /api/v1/orders/ord_1/escrow/fund'],
  ['POST /api/v1/orders/{orderId}/release', 'POST /api/v1/orders/{orderId}/resolution/release'],
  // Misspelt words.
  ['GET /api/v1/ordres', 'GET /api/v1/orders'],
  ['POST /api/v1/withdrawls', 'POST /api/v1/withdrawals'],
  ['GET /api/v1/users/usr_1/ballance', 'GET /api/v1/users/usr_1/balance'],
  ['GET /api/v1/Orders', 'GET /api/v1/orders'],
  // Singular and plural.
  ['POST /api/v1/order', 'POST /api/v1/orders'],
  ['GET /api/v1/user/usr_1', 'GET /api/v1/users/usr_1'],
  ['GET /api/v1/users/usr_1/balances', 'GET /api/v1/users/usr_1/balance'],
  ['GET /api/v1/policy', 'GET /api/v1/policies'],
  // A missing or wrong prefix.
  ['POST /orders', 'POST /api/v1/orders'],
  ['GET /v1/orders', 'GET /api/v1/orders'],
  ['GET /api/orders/ord_1', 'GET /api/v1/orders/ord_1'],
  ['GET /api/v2/health', 'GET /api/v1/health'],
  ['POST /order', 'POST /api/v1/orders'],
  // Surface B.
  ['GET /project', 'GET /projects'],
  ['POST /auth/logn', 'POST /auth/login'],
  ['POST /escrow/inti', 'POST /escrow/init'],
];

for (const [request, meant] of CLOSE) {
  test(`${request} means ${meant}`, () => assert.equal(suggested(request)[0], meant));
}

test('nothing is suggested for paths that are close to no route', () => {
  for (const request of [
    'GET /',
    'GET /nowhere',
    'GET /api',
    'GET /api/v1',
    'GET /favicon.ico',
    'GET /wp-login.php',
    'GET /.env',
    'DELETE /orders',
    'DELETE /api/v1/order',
    'GET /a/b/c/d/e/f/g/h/i/j/k',
    `GET /api/v1/${'orders/'.repeat(100)}`,
    'TRACE /api/v1/order',
  ]) {
    assert.deepEqual(suggested(request), [], request);
  }
});

test('there are at most three suggestions, the closest first', () => {
  assert.ok(suggested('GET /api/v1/users/usr_1/wallets/x/transaction').length <= 3);
  const [first, ...more] = suggested('POST /api/v1/orders/ord_1/release');
  assert.ok(first !== undefined && more.length <= 2 && !more.includes(first));
});
