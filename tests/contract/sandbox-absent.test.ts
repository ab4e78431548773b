// The routes of the sandbox where there is none, or where it does not answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANONYMOUS, contextOf } from '../../server/src/http/caller.ts';
import { createSandboxControl } from '../../server/src/modules/sandbox/control.ts';
import { createSandboxOwners } from '../../server/src/modules/sandbox/queries.ts';
import { sandboxRoutes } from '../../server/src/modules/sandbox/routes.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { codeOf } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { ROUTES } from './sandbox-fixture.ts';

test('404 ROUTE_NOT_FOUND on each of them where the outside systems are real, with what to do', async (t) => {
  const app = await openApp(t);
  for (const [request, body] of ROUTES) {
    const answer = await app.call(request, body === undefined ? {} : { body });
    assert.equal(codeOf(answer), '404 ROUTE_NOT_FOUND', request);
    assert.match(answer.body.error.message, /SANDBOX=on/);
    const [method, path] = request.split(' ');
    assert.deepEqual([answer.body.error.details.method, answer.body.error.details.path], [method, `/api/v1${path}`]);
  }
  assert.equal((await app.call('GET /config', { key: null })).body.data.sandbox, false);
  const beside = await openApp(t, { sandbox: true });
  assert.equal((await beside.call('GET /config', { key: null })).body.data.sandbox, true);
});

test('504 PROVIDER_TIMEOUT when the sandbox does not answer: that is not a no', async (t) => {
  const app = await openApp(t);
  const pool = openPool(app.connection, { max: 1, onError() {} });
  const routes = sandboxRoutes({
    // No server listens at this port.
    control: createSandboxControl({ url: 'http://127.0.0.1:1', timeoutMs: 2_000 }),
    owners: createSandboxOwners(pool),
    findOrder: async () => null,
    pollDepositsAt() {},
    async activateAt() {},
    async untilHandedOver() {},
  });
  const route = routes.find(({ endpoint: { method, path } }) => `${method} ${path}` === 'GET /sandbox/faults');
  assert.ok(route?.kind === 'read');
  const context = contextOf(ANONYMOUS, 'request-1');
  const asked = {
    params: {},
    query: {},
    body: {},
    caller: ANONYMOUS,
    requestKey: null,
    requestId: 'request-1',
    context,
  };
  const expected = { code: 'PROVIDER_TIMEOUT', status: 504, details: { provider: 'sandbox' } };
  await assert.rejects(async () => route.answer(asked), expected).finally(() => pool.end());
});
