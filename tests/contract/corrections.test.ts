// POST /corrections, GET /corrections and GET /corrections/{id}, by status, scope and role.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedApprovals, waiting } from '../approvals/fixture.ts';
import { codeOf } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { assertScope } from './report-fixture.ts';

const BODY = { kind: 'retry-operation', resourceId: 'opn_none', reason: 'The provider answers again.' };

test('400 VALIDATION_ERROR for a kind, a reason, an amount or a field that is none', async (t) => {
  const app = await openApp(t);
  for (const more of [
    { kind: 'repair' },
    { reason: 'short' },
    { reason: '                    ' },
    { reason: undefined },
    { resourceId: undefined },
    { extra: true },
  ]) {
    const answer = await app.call('POST /corrections', { body: { ...BODY, ...more } });
    assert.equal(codeOf(answer), '400 VALIDATION_ERROR', JSON.stringify(more));
  }
  const amount = await app.call('POST /corrections', { body: { ...BODY, amount: '-1' } });
  assert.equal(amount.status, 400);
});

test('401 and 403: changes need support, reads need read', async (t) => {
  const app = await openApp(t);
  await assertScope(app, 'GET /corrections', 'read');
  await assertScope(app, 'GET /corrections/cor_1', 'read');
  assert.equal(codeOf(await app.call('POST /corrections', { body: BODY, key: null })), '401 UNAUTHORIZED');
  const statuses: Record<string, string> = {};
  for (const scope of ['read', 'write', 'support', '*']) {
    statuses[scope] = codeOf(await app.call('POST /corrections', { body: BODY, key: await app.key([scope]) }));
  }
  const found = '404 OPERATION_NOT_FOUND';
  const denied = '403 INSUFFICIENT_SCOPE';
  assert.deepEqual(statuses, { read: denied, write: denied, support: found, '*': found });
  assert.equal(codeOf(await app.call('GET /corrections/cor_none')), '404 CORRECTION_NOT_FOUND');
});

test('202 under a rule: another actor carries the correction out once, with both names', async (t) => {
  const fixture = await openSharedApprovals(t);
  const { app, setRules, decide, approve, get, anOrder } = fixture;
  t.after(() => fixture.simulator('DELETE /faults'));
  const { id } = await anOrder({ at: 'FUNDS_RESERVED' });
  await fixture.fault('deploy', 'outage', { count: 10_000, match: id });
  await app.call(`POST /orders/${id}/escrow`);
  const { operation } = await get(id);
  await setRules([{ action: 'correction' }]);
  const body = { kind: 'abandon-operation', resourceId: operation.id, reason: 'The provider is away for days.' };
  const approval = waiting(await app.call('POST /corrections', { body }));
  assert.equal((await get(id)).status, 'ESCROW_CREATING');
  assert.equal(codeOf(await app.call(`POST /approvals/${approval.id}/approve`)), '403 APPROVAL_SELF');
  const done = await approve(approval.id);
  assert.deepEqual([done.status, done.result.kind, done.orderId], ['APPROVED', 'abandon-operation', id]);
  assert.equal(codeOf(await decide(approval.id)), '409 INVALID_STATE');
  assert.equal((await get(id)).status, 'FUNDS_RESERVED');
  const { data } = (await app.call(`GET /corrections?resourceId=${operation.id}`)).body.data;
  assert.equal(data.length, 1);
});
