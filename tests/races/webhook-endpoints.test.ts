// The limit of webhook endpoints under a race: two servers create more than a marketplace may have, all at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, startApp } from '../support/app.ts';

const LIMIT = 20;
const BODY = { url: 'https://shop.example/hooks', events: ['*'] };

test('of 30 endpoints that two servers create at once exactly 20 are created, and a deleted one makes room for one', async (t) => {
  const one = await startApp(t);
  const other = await startApp(t, { connection: one.connection });
  const key = await one.key(['*']);
  const create = async (at: number): Promise<string> =>
    codeOf(await (at % 2 === 0 ? one : other).call('POST /webhook-endpoints', { key, body: BODY }));
  const race = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, (_, at) => create(at)));
    return Object.fromEntries(
      Map.groupBy(answers, (code) => code)
        .entries()
        .map(([code, all]) => [code, all.length]),
    );
  };
  assert.deepEqual(await race(30), { '201 undefined': LIMIT, '409 WEBHOOK_ENDPOINT_LIMIT': 30 - LIMIT });
  const { data } = (await other.call('GET /webhook-endpoints?limit=100', { key })).body.data;
  assert.equal(data.length, LIMIT);
  assert.equal((await one.call(`DELETE /webhook-endpoints/${data[0].id}`, { key })).status, 200);
  assert.deepEqual(await race(4), { '201 undefined': 1, '409 WEBHOOK_ENDPOINT_LIMIT': 3 });
});
