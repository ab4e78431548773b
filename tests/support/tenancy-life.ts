// Uses every route of one marketplace: orders to each final status, all kinds of top-ups and withdrawals, and every read.
// Asserts only that the requests succeed; the caller checks the books afterwards.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { formatAddress } from '../../server/src/base/ledger-address.ts';
import { until } from '../../tools/until.ts';
import { listen } from '../stream/listener.ts';
import { peopleOf } from '../surface-b/people-fixture.ts';
import { MASTER_KEY, type TestApp } from './app.ts';
import { controlOf } from './simulators.ts';
import { discuss, uploadStatements, useNotes } from './tenancy-notes.ts';
import { useOperators } from './tenancy-operators.ts';
import { MILESTONES, payMilestones, useApprovals, useCorrections, usePolicies } from './tenancy-policies.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

export type Place = {
  readonly app: TestApp;
  readonly marketplaceId: string;
  readonly key: string;
  /** The content of the answer; a status other than 2xx fails. */
  ask(request: string, body?: unknown, headers?: Record<string, string>): Promise<Any>;
};

/** The request is only previewed. */
const PREVIEW = { 'dry-run': 'true' };

type Parties = { readonly buyer: string; readonly seller: string };

export const openPlace = async (app: TestApp, marketplaceId: string): Promise<Place> => {
  const key = await app.key(['*'], marketplaceId);
  return {
    app,
    marketplaceId,
    key,
    async ask(request, body, headers = {}) {
      const answer = await app.call(request, { key, headers, ...(body === undefined ? {} : { body }) });
      assert.ok(answer.status < 400, `${request}: ${answer.text}`);
      const data = answer.body?.data;
      return Array.isArray(data?.data) || data?.data === undefined ? data : data.data;
    },
  };
};

const limit = async ({ app, marketplaceId }: Place): Promise<void> => {
  const path = `/marketplaces/${marketplaceId}/limits`;
  const body = { currency: 'USD', manualCreditPerUserDay: '1000000.00', withdrawalPerDay: '1000000.00' };
  assert.equal((await app.call(`PUT ${path}`, { key: MASTER_KEY, body })).status, 200);
  assert.equal((await app.call(`GET ${path}`, { key: MASTER_KEY })).status, 200);
};

const enter = async (place: Place): Promise<Parties> => {
  const { ask, marketplaceId } = place;
  await limit(place);
  const person = (name: string) =>
    ask('POST /users', { externalUserId: name, email: `${name}@${marketplaceId.replace('_', '-')}.example` });
  const [buyer, seller] = await Promise.all(['ada', 'ben'].map(person));
  await ask(`GET /users/${buyer.id}/wallet/deposit`);
  await until(async () => (await ask(`GET /users/${buyer.id}/wallet`)).isActive, 'the wallet is active');
  const once = { 'idempotency-key': randomUUID() };
  for (let time = 0; time < 2; time++) {
    await ask(`POST /users/${buyer.id}/balance/credit`, { amount: '1000.00' }, once);
  }
  return { buyer: buyer.id, seller: seller.id };
};

const moveBalances = async ({ ask }: Place, { buyer }: Parties): Promise<void> => {
  const balance = `POST /users/${buyer}/balance`;
  for (const orderId of ['by-hand-1', 'by-hand-2']) await ask(`${balance}/reserve`, { amount: '20.00', orderId });
  await ask(`${balance}/release`, { amount: '5.00', orderId: 'by-hand-1' });
  await ask(`${balance}/deduct-reserved`, { amount: '15.00', orderId: 'by-hand-1' });
  await ask(`${balance}/cancel-reservation`, { orderId: 'by-hand-2' });
  await ask(`${balance}/debit`, { amount: '1.00' });
  await ask(`${balance}/sync`);
  await ask(`GET /users/${buyer}/balance/verify`);
};

const order = async ({ ask }: Place, { buyer, seller }: Parties, more: object = {}): Promise<Any> => {
  const made = await ask('POST /orders', { buyerId: buyer, sellerId: seller, amount: '100.00', ...more });
  return ask(`POST /orders/${made.id}/reserve`);
};

const funded = async (place: Place, who: Parties, more: object = {}): Promise<Any> => {
  const { id } = await order(place, who, more);
  await place.ask(`POST /orders/${id}/escrow`, undefined, PREVIEW);
  await place.ask(`POST /orders/${id}/escrow`);
  return place.ask(`POST /orders/${id}/escrow/fund`);
};

const orders = async (place: Place, who: Parties): Promise<Any> => {
  const { ask } = place;
  const parts = { milestones: [{ ref: 'm1', title: 'All of it', amount: '100.00' }], title: 'A table' };
  const released = await funded(place, who, { ...parts, clientOrderRef: 'shop-1' });
  const refunded = await funded(place, who);
  const disputed = await funded(place, who);
  const canceled = await order(place, who);
  await ask(`POST /orders/${released.id}/milestones/m1/complete`);
  await ask(`POST /orders/${released.id}/resolution/release`, { reason: 'All fine' }, PREVIEW);
  await ask(`POST /orders/${released.id}/resolution/release`, { reason: 'All fine' });
  await ask(`POST /orders/${refunded.id}/resolution/refund`, { reason: 'Changed my mind' });
  const opened = { orderId: disputed.id, openedBy: 'BUYER', reason: 'NOT_DELIVERED' };
  const dispute = await ask(`POST /orders/${disputed.id}/resolution/dispute`, opened);
  await discuss(place, dispute.id);
  await ask(`POST /disputes/${dispute.id}/assign`, { assignedTo: 'agent-7' });
  const split = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' };
  await ask(`POST /disputes/${dispute.id}/resolve`, split);
  await ask(`POST /orders/${canceled.id}/cancel`);
  await payMilestones(place, (await funded(place, who, MILESTONES)).id);
  await ask('POST /sandbox/escrow-events', { type: 'escrow.released', orderId: released.id });
  return { released, dispute };
};

const moneyIn = async ({ app, ask, key }: Place, { buyer, seller }: Parties): Promise<Any> => {
  const paid = await ask('POST /topups', { userId: buyer, amount: '25.50' }, { 'idempotency-key': randomUUID() });
  const dropped = await ask('POST /topups', { userId: seller, amount: '7.00' });
  await ask(`POST /topups/${paid.id}/refresh`);
  await ask(`POST /sandbox/payins/${paid.id}/confirm`);
  await ask(`POST /topups/${dropped.id}/cancel`);
  await app.call(`GET /topups/${paid.id}/callback`, { key: null });
  await until(async () => (await ask(`GET /topups/${paid.id}`)).status === 'TOPUP_SUCCEEDED', 'the top-up is paid');

  const { address } = await ask(`GET /users/${buyer}/wallet/deposit`);
  await ask('POST /sandbox/faucet', { address, asset: 'USDC', amount: '12.00' });
  const isIn = async (): Promise<boolean> => {
    await app.call(`POST /users/${buyer}/balance/sync`, { key });
    return (await ask(`GET /audit/logs?action=DEPOSIT_RECORDED&userId=${buyer}`)).data.length > 0;
  };
  await until(isIn, 'the deposit is in the books');
  return { topup: paid };
};

const moneyOut = async ({ ask }: Place, { buyer, seller }: Parties): Promise<Any> => {
  const body = { userId: buyer, amount: '10.00', currency: 'USD' };
  await ask('POST /withdrawals', { ...body, destination: { type: 'bank' } }, PREVIEW);
  const byBank = await ask('POST /withdrawals', { ...body, destination: { type: 'bank' } });
  const left = await ask('POST /withdrawals', { ...body, destination: { type: 'bank' } });
  await ask(`POST /withdrawals/${byBank.id}/commit`, undefined, PREVIEW);
  await ask(`POST /withdrawals/${byBank.id}/commit`);
  await ask(`POST /sandbox/payouts/${byBank.id}/complete`);
  await ask(`POST /withdrawals/${byBank.id}/refresh`);
  const { address } = await ask(`GET /users/${seller}/wallet/deposit`);
  const onLedger = { ...body, destination: { type: 'crypto', address }, commit: true };
  const sent = await ask('POST /withdrawals', onLedger);
  const kept = await ask('POST /withdrawals', { ...onLedger, commit: false });
  await ask(`POST /withdrawals/${kept.id}/commit`, undefined, PREVIEW);
  for (const { id } of [byBank, sent]) {
    const isDone = async () => (await ask(`GET /withdrawals/${id}`)).status === 'WITHDRAWAL_COMPLETED';
    await until(isDone, 'the withdrawal is paid');
  }
  return { withdrawal: byBank, left };
};

const changeUsers = async ({ ask }: Place, { buyer, seller }: Parties): Promise<void> => {
  await ask(`POST /users/${buyer}/payment-account/link`, { email: 'ada@example.com' });
  await ask(`POST /users/${seller}/wallet/link`, { publicKey: formatAddress(randomBytes(32)) });
  await ask(`PATCH /users/${seller}`, { name: 'A seller' });
  await ask(`POST /users/${seller}/suspend`, {});
  await ask(`POST /users/${seller}/reactivate`);
};

const readAll = async ({ ask }: Place, known: Any): Promise<void> => {
  const { buyer, released, dispute, topup, withdrawal } = known;
  await ask(`GET /orders/${released.id}/receipt`);
  const lists = ['users', 'orders', 'disputes', 'topups', 'withdrawals', 'operations', 'audit/logs', 'auth/api-keys'];
  for (const path of lists) {
    const page = await ask(`GET /${path}?limit=1`);
    if (page.nextCursor) await ask(`GET /${path}?limit=1&cursor=${encodeURIComponent(page.nextCursor)}`);
  }
  const paths = [
    ...[
      'exports/journal',
      `reports/closing?period=${new Date().toISOString().slice(0, 7)}`,
      'reports/money',
      'reports/activity',
      'reports/fees',
      'reports/payouts',
      'reports/open-items',
      'reports/open-work',
      'audit/proof',
      'audit/verify',
      'sandbox/state',
    ],
    ...[
      'reconciliation/breaks',
      'treasury/deposit',
      'jobs',
      'auth/me',
      'health/detailed',
      'audit/logs?action=ORDER_CREATED',
      'audit/logs?from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z',
    ],
    ...[
      'alerts',
      'alerts?status=OPEN&kind=BREAK',
      'users?q=ada',
      'orders?q=shop',
      'users?status=ACTIVE&type=BOTH',
      'orders?status=CLOSED',
      'auth/api-keys?status=ACTIVE',
    ],
    ...[`audit/logs?userId=${buyer}`, `audit/logs?resourceId=${released.id}`, `users/${buyer}/statement`],
    ...[
      `users/${buyer}/reservations`,
      `users/${buyer}/wallet/transactions`,
      `users/${buyer}/wallets`,
      `users/${buyer}/balance`,
      `users/${buyer}`,
    ],
    ...[`orders/${released.id}`, `orders/${released.id}/timeline`, `orders/${released.id}/outlook`],
    ...[`orders/${released.id}/milestones`],
    ...[`disputes/${dispute.id}`, `topups/${topup.id}`, `withdrawals/${withdrawal.id}`, `orders?buyerId=${buyer}`],
  ];
  for (const path of paths) await ask(`GET /${path}`);
};

/** An own account at the payment provider, set and removed again. */
const changeAccount = async ({ app, marketplaceId }: Place): Promise<void> => {
  const body = {
    apiKey: `key-${marketplaceId}`,
    apiSecret: `secret-${marketplaceId}`,
    webhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
  };
  const enterprise = { name: marketplaceId, key: body.apiKey, secret: body.apiSecret };
  await controlOf(`${app.sandboxUrl}/control`)('POST /enterprises', enterprise);
  const path = `/marketplaces/${marketplaceId}/payment-provider`;
  const set = await app.call(`PUT ${path}`, { key: MASTER_KEY, body });
  if (set.status !== 200) throw new Error(set.text);
  for (const method of ['GET', 'DELETE']) await app.call(`${method} ${path}`, { key: MASTER_KEY });
};

/** An endpoint that refuses everything, and every request about it. */
const sendWebhooks = async ({ app, ask }: Place): Promise<void> => {
  const since = '2026-01-01T00:00:00Z';
  const { id } = await ask('POST /webhook-endpoints', {
    url: `${app.url}/api/v1/health`,
    events: ['user.*', 'order.*'],
  });
  const { deliveryId } = await ask(`POST /webhook-endpoints/${id}/test`);
  const isTried = async () => (await ask(`GET /webhook-deliveries/${deliveryId}`)).attemptCount > 0;
  await until(isTried, 'the test event is sent');
  await ask(`POST /webhook-endpoints/${id}/replay`, { since });
  const list = (query: string) => ask(`GET /webhook-deliveries?${query}`);
  const sent = async () => (await list('eventType=user.created')).data;
  await until(async () => (await sent()).length > 0, 'the events are sent again');
  const [{ eventId }] = await sent();
  await ask(`POST /webhook-endpoints/${id}/replay`, { since: eventId });
  await ask(`POST /webhook-endpoints/${id}/retry-failed`, { since });
  await ask(`POST /webhook-deliveries/${deliveryId}/retry`);
  await ask(`POST /webhook-endpoints/${id}/rotate-secret`);
  await ask(`PATCH /webhook-endpoints/${id}`, { description: 'A test.' });
  for (const query of [`endpointId=${id}`, `eventId=${eventId}`, 'status=PENDING', `endpointId=${id}&status=FAILED`]) {
    await list(query);
  }
  await ask('GET /webhook-endpoints');
  await ask(`GET /webhook-endpoints/${id}`);
};

/** Everything in one marketplace, from its first user to its last report. */
export const live = async (place: Place): Promise<void> => {
  const who = await enter(place);
  const stream = await listen(place.app, { key: place.key });
  await moveBalances(place, who);
  const known = {
    ...who,
    ...(await orders(place, who)),
    ...(await moneyIn(place, who)),
    ...(await moneyOut(place, who)),
  };
  await changeUsers(place, who);
  const [first] = await stream.take(2);
  const again = await listen(place.app, { key: place.key, lastEventId: first!.id! });
  await again.take(1);
  again.hangUp();
  stream.hangUp();
  await readAll(place, known);
  await changeAccount(place);
  await sendWebhooks(place);
  await usePolicies(place.ask, { buyerId: who.buyer, sellerId: who.seller });
  await useOperators(place.app, place.marketplaceId);
  await useApprovals(place, who.buyer);
  await useCorrections(place, who);
  await useNotes(place, known.released.id);
  await uploadStatements(place);
};

/** Surface B, whose people are all in one marketplace. */
export const liveBeside = async (app: TestApp): Promise<void> => {
  const { aFundedEscrow, done, call, aProject } = peopleOf(app);
  const { buyer, seller, escrow } = await aFundedEscrow();
  await call('POST /auth/login', { body: { email: buyer.email, password: 'wrong in every way' } });
  await done('POST /auth/login', { body: { email: buyer.email, password: buyer.password } });
  await aProject(seller);
  await done('POST /wallets/connect', { token: seller.token, body: { public_key: formatAddress(randomBytes(32)) } });
  await done('POST /escrow/release', { token: buyer.token, body: { escrow_id: escrow.escrow_id } });
  for (const path of ['projects', 'balances', 'balances/transactions']) {
    await call(`GET /${path}`, { token: buyer.token });
  }
};

/** The routes of the operator, and every job once, regardless of its schedule. */
export const lookAfter = async (app: TestApp): Promise<void> => {
  const operator = { key: MASTER_KEY };
  for (const path of ['marketplaces', 'marketplaces/mkt_default', 'reconciliation/float', 'health/detailed'])
    await app.call(`GET /${path}`, operator);
  const body = { amount: '0.01', currency: 'USD' };
  assert.equal((await app.call('POST /marketplaces/mkt_default/float', { ...operator, body })).status, 422);
  await fetch(`${app.url}/metrics`);
  await app.sql(`insert into pgboss.job (name, policy)
    select name, policy from pgboss.queue where name not like '\\_\\_%' on conflict do nothing`);
  const waiting =
    "select 1 from pgboss.job where state not in ('completed', 'failed', 'cancelled') and name not like '\\_\\_%'";
  await until(async () => (await app.sql(waiting)).length === 0, 'every job has run');
};
