// A marketplace in a server with the sandbox, reached by the API alone. Other tests use the same simulators, so a fault has to
// name its order, and the clock is moved in a server of its own only.

import assert from 'node:assert/strict';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import type { TestApp } from '../support/app.ts';
import { ordersIn } from '../support/order-fixture.ts';
import { openApp } from '../support/shared-app.ts';

export const openSandboxRoutes = async (t: Hooks) => sandboxRoutesIn(await openApp(t, { sandbox: true }));

export const sandboxRoutesIn = async (app: TestApp) => {
  const fixture = ordersIn(app);
  const support = await app.key(['support']);
  const stranger = await app.key(['*'], 'mkt_other');

  /** With a key of support, which has the right to use all sandbox routes. */
  const callSandbox = async (request: string, body?: unknown) => {
    const answer = await app.call(request, { key: support, ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, `${request}: ${answer.text}`);
    return answer.body.data;
  };
  /** The refusal of a request, with the key of support unless another is given. */
  const refused = async (request: string, ask: { body?: unknown; key?: string } = {}) => {
    const answer = await app.call(request, { key: support, ...ask });
    return { ...answer.body.error, code: `${answer.status} ${answer.body.error?.code}` };
  };
  return { ...fixture, support, stranger, callSandbox, refused };
};

/** Every route of the sandbox, with a body that it takes. */
export const ROUTES: readonly (readonly [request: string, body?: unknown])[] = [
  ['GET /sandbox/state'],
  ['GET /sandbox/faults'],
  ['POST /sandbox/faults', { operation: 'fund', fault: 'timeout' }],
  ['DELETE /sandbox/faults'],
  ['POST /sandbox/clock/advance', { seconds: 1 }],
  ['POST /sandbox/faucet', { address: 'GA', asset: 'USDC', amount: '1.00' }],
  ['POST /sandbox/payins/top_1/confirm', {}],
  ['POST /sandbox/payouts/wdr_1/complete', {}],
  ['POST /sandbox/escrow-events', { type: 'escrow.funded', orderId: 'ord_1' }],
];
