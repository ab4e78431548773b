// Routes without keys: every caller is anonymous, a key in the request changes nothing, and the path names the marketplace.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { endpoint } from '@holdfast/contract/api/endpoint.ts';
import { Strict, Text } from '@holdfast/contract/api/fields.ts';
import Type from 'typebox';
import { type Context, command } from '../../server/src/commit/command.ts';
import { createFindAnswer } from '../../server/src/commit/stored-answers.ts';
import { act, list, read, write } from '../../server/src/http/route.ts';
import { withoutKeys } from '../../server/src/modules/orders/routes.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openFixture } from '../commit/fixture.ts';
import { openServer } from './server-fixture.ts';

const row = { access: 'write', tag: 'Test', summary: 'For tests.', status: 200, errors: [] } as const;
const ById = Strict({ id: Text(60, 'Which one.') });
const Where = Type.Object({ marketplaceId: Type.String(), actor: Type.String() });

const getOrder = endpoint({
  ...row,
  method: 'GET',
  path: '/orders/:id',
  params: ById,
  wrapping: 'success',
  data: Where,
});
const listOrders = endpoint({ ...row, method: 'GET', path: '/orders', wrapping: 'list', data: Where });
const reserve = endpoint({ ...getOrder, method: 'POST', path: '/orders/:id/reserve' });
const release = endpoint({
  ...getOrder,
  method: 'POST',
  path: '/orders/:orderId/resolution/release',
  params: Strict({ orderId: Text(60, 'Which one.') }),
});
const resolve = endpoint({ ...getOrder, method: 'POST', path: '/orders/:id/resolve', idempotent: true });

const where = ({ marketplaceId, actor }: Context) => ({ marketplaceId, actor: `${actor.type}:${actor.id}` });

const lookAround = command<null, ReturnType<typeof where>>({
  name: 'test-look-around',
  needs: () => ({}),
  decide: (_, work) => where(work.context),
});

/** `o-shop` is an order of mkt_shop, and so on. */
const placeOf = async (id: string): Promise<string | null> => {
  const [kind, name] = id.split('-');
  return kind === 'o' ? `mkt_${name}` : null;
};

const openKeylessServer = async (t: TestContext) => {
  const { committer, pool } = await openFixture(t);
  const server = await openServer({
    submit: committer.submit,
    findAnswer: createFindAnswer(pool),
    routes: withoutKeys(
      [
        read(getOrder, ({ context }) => where(context)),
        list(listOrders, ({ context }) => ({ items: [where(context)], nextCursor: null })),
        write(reserve, { command: lookAround, input: () => null, present: (reply) => reply }),
        act(release, async ({ context }) => where(context)),
        act(resolve, async ({ context }) => where(context)),
      ],
      placeOf,
    ),
  });
  afterwards(t, () => server.app.close());
  return async (route: string, asking: { key?: string; headers?: Record<string, string> } = {}) => {
    const [method, path] = route.split(' ') as [string, string];
    const answer = await server.ask(method, `/api/v1${path}`, asking);
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
};

const ANONYMOUS = 'system:anonymous';

test('each kind of route runs in the marketplace of the order in its path', async (t) => {
  const ask = await openKeylessServer(t);
  for (const route of ['GET /orders/o-shop', 'POST /orders/o-shop/reserve', 'POST /orders/o-shop/resolution/release']) {
    assert.deepEqual((await ask(route)).body.data.data, { marketplaceId: 'mkt_shop', actor: ANONYMOUS }, route);
  }
});

test('a path without an order, or with an unknown one, runs in mkt_default', async (t) => {
  const ask = await openKeylessServer(t);
  const usual = { marketplaceId: 'mkt_default', actor: ANONYMOUS };
  assert.deepEqual((await ask('GET /orders')).body.data.data, [usual]);
  for (const route of ['GET /orders/d-shop', 'POST /orders/nothing/reserve']) {
    assert.deepEqual((await ask(route)).body.data.data, usual, route);
  }
});

test('a key in the request is ignored: a valid one, one without the scope, one of another marketplace, an invalid one', async (t) => {
  const ask = await openKeylessServer(t);
  for (const key of ['writer', 'reader', 'other', 'master', 'nonsense']) {
    const answer = await ask('POST /orders/o-shop/resolution/release', { key });
    assert.deepEqual(answer.body.data.data, { marketplaceId: 'mkt_shop', actor: ANONYMOUS }, key);
  }
});

test('a repeat with the same Idempotency-Key gets the first answer, whichever client sends it', async (t) => {
  const ask = await openKeylessServer(t);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await ask('POST /orders/o-shop/resolve', { headers });
  const again = await ask('POST /orders/o-shop/resolve', { key: 'other', headers });
  assert.deepEqual([again.text, again.headers.get('idempotency-replay')], [first.text, 'true']);
});
