// GET /operations and GET /operations/{id}, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';
import { openApp } from '../support/shared-app.ts';
import { assertInvalid, assertScope, walk } from './report-fixture.ts';

test('200 lists what was and is carried out here, newest first, and filters by state, kind and order', async (t) => {
  const fixture = await openSharedOrders(t);
  const who = await fixture.parties();
  const done = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  const stuck = await fixture.anOrder({ at: 'FUNDS_RESERVED', between: who });
  t.after(() => fixture.simulator('DELETE /faults'));
  await fixture.fault('deploy', 'outage', { count: 50, match: stuck.id });
  await fixture.app.call(`POST /orders/${stuck.id}/escrow`);

  const all = await walk(fixture.app, '/operations', { limit: 2 });
  assert.deepEqual(
    all.map(({ kind, state, orderId }) => [kind, state, orderId]),
    [
      ['create-escrow', 'RUNNING', stuck.id],
      ['fund-escrow', 'DONE', done.id],
      ['create-escrow', 'DONE', done.id],
    ],
  );
  const [running, funded] = all;
  assert.ok(running.attempts > 0 && running.lastProblem.length > 3 && running.nextAttemptAt > running.startedAt);
  assert.equal(running.endedAt, null);
  assert.deepEqual([funded.nextAttemptAt, funded.lastProblem, funded.attempts], [null, null, 0]);
  assert.ok(funded.endedAt > funded.startedAt);
  const ofOrder = (await fixture.get(stuck.id)).operation;
  assert.deepEqual([ofOrder.id, ofOrder.startedAt], [running.id, running.startedAt]);

  const one = await fixture.app.call(`GET /operations/${running.id}`);
  assert.deepEqual([one.status, one.body.data.data], [200, running]);
  const elsewhere = await fixture.app.call(`GET /operations/${running.id}`, {
    key: await fixture.app.key(['read'], 'mkt_other'),
  });
  assert.equal(codeOf(elsewhere), '404 OPERATION_NOT_FOUND');

  const idsBy = async (query: string) =>
    (await walk(fixture.app, `/operations?${query}`, { limit: 10 })).map(({ id }) => id);
  assert.deepEqual(await idsBy('state=RUNNING'), [running.id]);
  assert.deepEqual(await idsBy('kind=fund-escrow'), [funded.id]);
  assert.deepEqual(await idsBy(`orderId=${done.id}`), [funded.id, all[2].id]);
  assert.deepEqual(await idsBy(`orderId=${done.id}&state=RUNNING`), []);
  assert.deepEqual(await idsBy(`createdAfter=${funded.startedAt}`), [running.id]);
  assert.deepEqual(await idsBy(`createdBefore=${funded.startedAt}`), [all[2].id]);
  assert.deepEqual(await idsBy(`createdAfter=${all[2].startedAt}&createdBefore=${running.startedAt}`), [funded.id]);
  assert.deepEqual(await idsBy('state=RUNNING&createdBefore=2020-01-01'), []);
  const key = await fixture.app.key(['read'], 'mkt_other');
  assert.deepEqual(await walk(fixture.app, '/operations', { limit: 10, key }), [], 'nor are they shown elsewhere');
});

test('400 VALIDATION_ERROR for a state, a kind, a cursor or a limit that is none', async (t) => {
  const queries = ['state=OPEN', 'kind=deploy', 'cursor=x', 'limit=0', 'limit=101', 'userId=usr_1', 'createdAfter=x'];
  await assertInvalid(
    await openApp(t),
    queries.map((query) => `GET /operations?${query}`),
  );
});

test('401 and 403 without the scope to read', async (t) => {
  await assertScope(await openApp(t), 'GET /operations', 'read');
  await assertScope(await openApp(t), 'GET /operations/opn_1', 'read');
});
