// Messages about a dispute: many at its limit, and messages while it is decided.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { openTrade } from '../contract/order-fixture.ts';
import { codeOf } from '../support/app.ts';

const TEXT = 'I sent it on Monday. Ünïcödé ✓';

const openDispute = async (t: Parameters<typeof openTrade>[0]) => {
  const trade = await openTrade(t, { sandbox: true });
  const dispute = await trade.aDispute();
  const send = (from: string, text: unknown = TEXT, more: object = {}) =>
    trade.app.call(`POST /disputes/${dispute.id}/messages`, { body: { from, text }, ...more });
  return { ...trade, dispute, send };
};

test('messages and a decision at the same time: what was sent before it is stored, and nothing after it', async (t) => {
  const { app, dispute, send, done } = await openDispute(t);
  await done(`POST /disputes/${dispute.id}/assign`, { body: { assignedTo: 'agent-7' } });
  const resolve = done(`POST /disputes/${dispute.id}/resolve`, { body: { decision: 'FULL_RELEASE' } });
  const answers = [];
  while (answers.at(-1)?.status !== 409) answers.push(await send('BUYER'));
  await resolve;
  const sent = answers.filter(({ status }) => status === 201);
  assert.equal(sent.length, answers.length - 1);
  const [{ late }] = await app.sql(
    `select count(*)::integer as late from dispute_messages m join disputes d on d.id = m.dispute_id
     where m.created_at > d.resolved_at`,
  );
  assert.equal(late, 0);
});

test('409 DISPUTE_MESSAGE_LIMIT: of many at the limit exactly the permitted number is sent', async (t) => {
  const { app, dispute, send } = await openDispute(t);
  const count = LIMITS.disputeMessages + 10;
  const answers = await Promise.all(Array.from({ length: count }, () => send('BUYER', 'x')));
  assert.equal(answers.filter(({ status }) => status === 201).length, LIMITS.disputeMessages);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const answer of refused) assert.equal(codeOf(answer), '409 DISPUTE_MESSAGE_LIMIT');
  assert.equal(refused[0]!.body.error.details.limit, LIMITS.disputeMessages);
  const [row] = await app.sql('select messages from dispute_message_counts where id = $1', [dispute.id]);
  assert.equal(row.messages, LIMITS.disputeMessages);
});
