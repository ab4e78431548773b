// A top-up whose request was in progress when the server stopped: what restart.test.ts and restart.long.test.ts both check.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { until } from '../../tools/until.ts';
import { HURRIED, openPayments } from './payment-fixture.ts';

export const A_MINUTE_LATER = "update topups set next_look_at = now() - interval '1 second'";

export const assertCarriedOnAfterRestart = async (t: TestContext, fault: 'timeout' | 'lost-answer'): Promise<void> => {
  const fixture = await openPayments(t, { env: HURRIED, webhooks: false });
  const { app, arm, sandbox, pay, restart, assertSettled } = fixture;
  arm({ operation: 'payin', fault });
  const lost = await app.call('POST /topups', { body: { userId: await app.aUser(), amount: '25.50' } });
  const id = lost.body.error.details.topupId;
  await app.sql(A_MINUTE_LATER);
  const key = await app.key(['*']);
  const next = await restart();
  const get = async () => (await next.call(`GET /topups/${id}`, { key })).body.data;
  await until(async () => (await get()).status === 'TOPUP_AWAITING_USER_CONFIRMATION', 'the top-up has continued');
  assert.equal((sandbox.describe().payins as unknown[]).length, 1);
  await pay(id, 'confirm');
  assert.equal((await get()).status, 'TOPUP_SUCCEEDED');
  await assertSettled(next);
};
