// Each role on each route of the API: allowed or 403, by the table of the contract. A route that is added later is checked too.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { before, test } from 'node:test';
import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { holdsScope, ROLE_SCOPES, ROLES, type Role } from '@holdfast/contract/scopes.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { anOperator, type Joined } from '../support/operator-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

const shared = shareInFile((t) => startApp(t, { env: { RATE_LIMIT_MAX: '1000000' } }));
let app: TestApp;
const operators = new Map<Role, Joined>();
before(async () => {
  app = shared();
  for (const role of ROLES) operators.set(role, await anOperator(app, { role }));
});

const API = new URL('../../contract/src/api/', import.meta.url);

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

const modules = await Promise.all(readdirSync(API).map((file) => import(new URL(file, API).href)));
const ENDPOINTS: readonly Endpoint[] = modules.flatMap((module) => Object.values(module).filter(isEndpoint));

/** Routes that decide themselves who may call them. */
const OWN_RULES = ['/auth/api-keys/', '/operators/:id/sessions'];
/** Routes of the simulators, which this server does not have, and the stream, which never ends. */
const LEFT_OUT = ['/sandbox/', '/events'];

const checked = ENDPOINTS.filter(({ path }) => ![...OWN_RULES, ...LEFT_OUT].some((part) => path.startsWith(part)));

/** What the table says: `write` of a role contains no money scope. */
const isAllowed = (role: Role, { access, moneyScope }: Endpoint): boolean => {
  if (access === 'public' || access === 'any') return true;
  if (access === 'master') return false;
  if (access === 'admin') return role === 'admin';
  return holdsScope({ scopes: ROLE_SCOPES[role], writeIncludes: [] }, moneyScope ?? access);
};

/** An invalid body, so that an allowed request is refused for its content and changes nothing. */
const send = (operator: Joined, { method, path }: Endpoint) => {
  const target = path.replace(/:\w+/g, 'unknown');
  return operator.call(`${method} ${target}`, method === 'GET' ? {} : { body: { isInvalid: true } });
};

test('the table of the contract has the routes of every access', () => {
  assert.ok(checked.length > 90, String(checked.length));
  for (const access of ['public', 'any', 'read', 'write', 'support', 'admin', 'master']) {
    assert.ok(
      checked.some((endpoint) => endpoint.access === access),
      access,
    );
  }
  for (const scope of ['treasury', 'payout'])
    assert.ok(
      checked.some(({ moneyScope }) => moneyScope === scope),
      scope,
    );
});

for (const role of ROLES) {
  test(`${role}: every route is allowed or 403, as the table says`, async () => {
    const operator = operators.get(role)!;
    const wrong: string[] = [];
    for (const endpoint of checked) {
      const { status, body, text } = await send(operator, endpoint);
      const isRefused = status === 403 && body?.error?.code === 'INSUFFICIENT_SCOPE';
      // A receiver of webhooks knows its sender by the signature.
      const isReceiver = endpoint.path.startsWith('/webhooks/');
      if (isRefused === isAllowed(role, endpoint) || (status === 401 && !isReceiver)) {
        wrong.push(`${endpoint.method} ${endpoint.path}: ${status} ${text.slice(0, 120)}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
}

/** By hand, against mistakes in the table itself. */
const EXAMPLES: Readonly<Record<string, readonly Role[]>> = {
  'GET /orders': ['viewer', 'support', 'finance', 'admin'],
  'POST /orders': ['support', 'finance', 'admin'],
  'POST /users/unknown/balance/credit': ['finance', 'admin'],
  'POST /users/unknown/balance/debit': ['finance', 'admin'],
  'POST /withdrawals': ['finance', 'admin'],
  'POST /withdrawals/unknown/commit': ['finance', 'admin'],
  'POST /disputes/unknown/resolve': ['support', 'admin'],
  'POST /operators': ['admin'],
  'POST /auth/api-keys': [],
  'POST /payments/hold': [],
};

test('the examples of the roles: who reads, writes, moves money, decides disputes, and makes operators', async () => {
  for (const [request, allowed] of Object.entries(EXAMPLES)) {
    const passed: Role[] = [];
    for (const [role, operator] of operators) {
      const answer = await operator.call(request, request.startsWith('GET') ? {} : { body: { isInvalid: true } });
      if (answer.status !== 403) passed.push(role);
    }
    assert.deepEqual([request, passed], [request, allowed]);
  }
});

test('an operator may not change, rotate or use an API key, whatever its role', async () => {
  const made = await app.call('GET /auth/api-keys');
  const [key] = made.body.data.data;
  for (const operator of operators.values()) {
    for (const request of [`DELETE /auth/api-keys/${key.id}`, `POST /auth/api-keys/${key.id}/rotate`]) {
      assert.equal((await operator.call(request)).status, 403, request);
    }
    assert.equal((await operator.call(`POST /auth/api-keys/${key.id}/token`, { body: {} })).status, 403);
  }
});
