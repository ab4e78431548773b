// Orders with a deadline of every kind, made through a server whose simulators outlive it, and what has to be true after each of their
// deadlines has passed once.

import assert from 'node:assert/strict';
import { httpRequest } from '../../tools/processes/http-request.ts';
import { MASTER_KEY } from '../../tools/processes/server-process.ts';
import { until } from '../../tools/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers and rows are read like JavaScript would
export type Any = any;

export type Sql = (text: string) => Promise<Any[]>;

type Ask = { readonly path: string; readonly body?: unknown };

export const call = async (url: string, { path, body }: Ask): Promise<Any> => {
  const { status, text } = await httpRequest(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(status < 300, `${path}: ${status} ${text}`);
  const { data } = JSON.parse(text);
  return data.data ?? data;
};

export type Kind = 'cancel_unfunded' | 'auto_release' | 'milestone_inspection' | 'dispute_decision';

export const COUNTS: Readonly<Record<Kind, number>> = {
  cancel_unfunded: 60,
  auto_release: 10,
  milestone_inspection: 8,
  dispute_decision: 10,
};

const RULES: Readonly<Record<Kind, object>> = {
  cancel_unfunded: { cancelUnfundedAfter: 'P1D' },
  auto_release: { autoReleaseAfter: 'P7D' },
  milestone_inspection: { milestoneInspection: { within: 'P5D', then: 'RELEASE' } },
  dispute_decision: { dispute: { decideWithin: 'P14D', then: 'REFUND' } },
};

const MILESTONES = [
  { ref: 'm1', title: 'First', amount: '4.00' },
  { ref: 'm2', title: 'Second', amount: '6.00' },
];

export type Parties = { readonly buyerId: string; readonly sellerId: string };

/** An order over 10.00 with one deadline, or two of its two milestones, and a reminder of each. */
const makeOrder = async (url: string, { kind, parties }: { kind: Kind; parties: Parties }): Promise<void> => {
  const post = (path: string, body: unknown = {}) => call(url, { path, body });
  const isInspected = kind === 'milestone_inspection';
  const fields = { ...parties, amount: '10.00', policy: kind, ...(isInspected ? { milestones: MILESTONES } : {}) };
  const { id } = await post('/orders', fields);
  await post(`/orders/${id}/reserve`);
  if (kind === 'cancel_unfunded') return;
  await post(`/orders/${id}/escrow`);
  await post(`/orders/${id}/escrow/fund`);
  if (isInspected) for (const { ref } of MILESTONES) await post(`/orders/${id}/milestones/${ref}/complete`);
  if (kind !== 'dispute_decision') return;
  await post(`/orders/${id}/resolution/dispute`, { orderId: id, openedBy: 'BUYER', reason: 'OTHER' });
};

const FILLED = "select 1 from deposits where asset = 'USDC'";
const ACTIVE = "select owner, address from wallets where status = 'ACTIVE'";
const TREASURY = `${ACTIVE} and owner = 'treasury'`;

/** The buyer with 10000.00, and the seller. The faucet pays into the treasury. */
export const makeParties = async (
  url: string,
  { sql, faucet }: { sql: Sql; faucet: (address: string) => Promise<void> },
): Promise<Parties> => {
  const user = async (externalUserId: string) =>
    (await call(url, { path: '/users', body: { externalUserId } })).id as string;
  const parties = { buyerId: await user('ann'), sellerId: await user('ben') };
  await until(async () => (await sql(TREASURY)).length > 0, 'the treasury is active');
  for (const { address } of await sql(TREASURY)) await faucet(address);
  await until(async () => (await sql(FILLED)).length > 0, 'the treasury is filled');
  for (const id of Object.values(parties)) await call(url, { path: `/users/${id}/wallet/deposit` });
  await until(
    async () => (await sql(ACTIVE)).filter(({ owner }) => owner === 'user').length === 2,
    'wallets are active',
  );
  await call(url, { path: `/users/${parties.buyerId}/balance/credit`, body: { amount: '10000.00' } });
  return parties;
};

export const makeOrders = async (url: string, parties: Parties): Promise<void> => {
  for (const [name, count] of Object.entries(COUNTS)) {
    const kind = name as Kind;
    await call(url, { path: '/policies', body: { name, rules: { ...RULES[kind], remindBefore: ['PT1H'] } } });
    for (let made = 0; made < count; made++) await makeOrder(url, { kind, parties });
  }
};

const TOLD = `select event_type as type, count(*)::integer as events,
    count(distinct (aggregate_id, envelope::jsonb -> 'payload' ->> 'kind', envelope::jsonb -> 'payload' ->> 'milestoneRef'))::integer as different
  from events where event_type in ('order.deadline_passed', 'order.deadline_reminder', 'order.canceled', 'order.released', 'order.refunded',
    'order.closed', 'dispute.resolved') group by 1 order by 1`;
const AUDITED = `select action, count(*)::integer as entries from audit_entries where action like 'DEADLINE%' group by 1 order by 1`;
const ENDED = `select p.name as kind, o.final_status as end, count(*)::integer as orders from orders o
  join policies p on p.marketplace_id = o.marketplace_id and p.id = o.policy_id group by 1, 2 order by 1, 2`;

const once = (type: string, count: number) => ({ type, events: count, different: count });

/** Every deadline was carried out once, with one event, one audit entry and one effect; the money is where it should be. */
export const assertOnce = async (url: string, { sql, parties }: { sql: Sql; parties: Parties }): Promise<void> => {
  const { cancel_unfunded: canceled, auto_release: released, milestone_inspection: inspected } = COUNTS;
  const { dispute_decision: decided } = COUNTS;
  const passed = canceled + released + 2 * inspected + decided;
  assert.deepEqual(await sql("select kind, status from deadlines where status <> 'DONE'"), []);
  assert.deepEqual(await sql(ENDED), [
    { kind: 'auto_release', end: 'RELEASED', orders: released },
    { kind: 'cancel_unfunded', end: 'CANCELED', orders: canceled },
    { kind: 'dispute_decision', end: 'REFUNDED', orders: decided },
    { kind: 'milestone_inspection', end: 'RELEASED', orders: inspected },
  ]);
  assert.deepEqual(await sql(TOLD), [
    once('dispute.resolved', decided),
    once('order.canceled', canceled),
    once('order.closed', canceled + released + inspected + decided),
    once('order.deadline_passed', passed),
    once('order.deadline_reminder', passed),
    once('order.refunded', decided),
    once('order.released', released + inspected),
  ]);
  assert.deepEqual(await sql(AUDITED), [
    { action: 'DEADLINE_PASSED', entries: passed },
    { action: 'DEADLINE_REMINDED', entries: passed },
  ]);
  const balanceOf = async (id: string) => {
    const { available, reserved } = await call(url, { path: `/users/${id}/balance` });
    return [available, reserved];
  };
  // Each order is over 10.00, of which the fee takes 0.50.
  const sold = released + inspected;
  assert.deepEqual(await balanceOf(parties.buyerId), [(10_000 - 10 * sold).toFixed(2), '0.00']);
  assert.deepEqual(await balanceOf(parties.sellerId), [(9.5 * sold).toFixed(2), '0.00']);
  assert.equal((await call(url, { path: '/audit/proof' })).holds, true);
};
