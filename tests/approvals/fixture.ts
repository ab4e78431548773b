// Approvals in a server with simulators: two keys with every scope, one that asks and one that decides, and what tests compare.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Env } from '../../server/src/config/config.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import type { Answer, Ask, TestApp } from '../support/app.ts';
import { type OrderFixture, openOrders, openSharedOrders } from '../support/order-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would, and the assertions are the types
export type Any = any;

export const newKey = (): Record<string, string> => ({ 'idempotency-key': randomUUID() });

/** The approval of a request that must wait. */
export const waiting = ({ status, body, text }: Answer): Any => {
  assert.equal(status, 202, text);
  assert.equal(body.data.approval.status, 'PENDING');
  return body.data.approval;
};

const approvalsIn = async (orders: OrderFixture) => {
  const { app } = orders;
  // The default key of the app asks.
  const second = await app.key(['*']);

  const setRules = async (rules: readonly object[], ask: Ask = {}): Promise<void> => {
    const answer = await app.call('PUT /approval-rules', { body: rules, ...ask });
    assert.equal(answer.status, 200, answer.text);
  };

  const ask = async (request: string, body?: object): Promise<Any> =>
    waiting(await app.call(request, body === undefined ? {} : { body }));

  const approval = async (id: string): Promise<Any> => orders.done(`GET /approvals/${id}`);

  const decide = (id: string, { by = second, to = app, how = 'approve' }: Deciding = {}): Promise<Answer> =>
    to.call(`POST /approvals/${id}/${how}`, { key: by });

  /** Approves and waits for the end: an outside system may be slow on a busy machine. */
  const approve = async (id: string): Promise<Any> => {
    const answer = await decide(id);
    assert.equal(answer.status, 200, answer.text);
    await until(async () => (await approval(id)).status !== 'APPROVING', 'the approved request ends');
    return approval(id);
  };

  const eventsOf = async (id: string): Promise<string[]> =>
    (await app.sql('select event_type as type from events where aggregate_id = $1 order by position', [id])).map(
      ({ type }) => type,
    );

  /** How often money moved in this way, and its audit entries that name the approval. */
  const moves = async (move: string): Promise<number> =>
    (
      await app.sql('select count(*)::integer / 2 as moves from postings where marketplace_id = $1 and move = $2', [
        app.marketplaceId,
        move,
      ])
    )[0].moves;

  return { ...orders, second, setRules, ask, approval, decide, approve, approvalEvents: eventsOf, moves };
};

type Deciding = { readonly by?: string; readonly to?: TestApp; readonly how?: 'approve' | 'reject' | 'cancel' };

/** With a server, a database and simulators of the test's own. */
export const openApprovals = async (t: Hooks, options: { env?: Env } = {}) => approvalsIn(await openOrders(t, options));

/** In a new marketplace of the shared server. */
export const openSharedApprovals = async (t: Hooks) => approvalsIn(await openSharedOrders(t));

export type ApprovalFixture = Awaited<ReturnType<typeof openApprovals>>;
