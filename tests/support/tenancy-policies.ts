// The policies of one marketplace, orders that take them, and an order that is paid milestone by milestone: part of tenancy-life.ts.

import { MASTER_KEY } from './app.ts';
import type { Place } from './tenancy-life.ts';

const DRY_RUN = { 'dry-run': 'true' };
const DAY_MS = 86_400_000;

type Ask = (request: string, body?: unknown) => Promise<{ id: string }>;

export const usePolicies = async (ask: Ask, parties: { buyerId: string; sellerId: string }): Promise<void> => {
  const rules = { cancelUnfundedAfter: 'P3D', remindBefore: ['P1D'], platformFee: { percent: '1.00' } };
  await ask('POST /policies', { name: 'standard', rules });
  const { id } = await ask('POST /policies', { name: 'standard', rules: {} });
  await ask('GET /policies');
  await ask('GET /policies?name=standard');
  await ask(`GET /policies/${id}`);
  await ask('POST /orders', { ...parties, amount: '10.00', policy: id });
  await ask('POST /policies', { name: 'timed', rules });
  const order = await ask('POST /orders', { ...parties, amount: '10.00', policy: 'timed' });
  const deadline = `POST /orders/${order.id}/deadlines/cancel_unfunded`;
  await ask(`${deadline}/hold`, { reason: 'Both asked for it.' });
  await ask(`${deadline}/resume`);
  await ask(`${deadline}/extend`, { until: new Date(Date.now() + 5 * DAY_MS).toISOString() });
  await ask(`GET /orders/${order.id}/outlook`);
  await ask(`${deadline}/trigger`);
};

/** A request that is approved by the master key, one that is rejected and one that its requester cancels. */
export const useApprovals = async ({ app, ask, marketplaceId }: Place, userId: string): Promise<void> => {
  const master = { key: MASTER_KEY, headers: { 'x-marketplace-id': marketplaceId } };
  await ask('PUT /approval-rules', [{ action: 'balance.credit', amountFrom: '5000.00' }]);
  await ask('GET /approval-rules');
  const credit = `POST /users/${userId}/balance/credit`;
  const held = [];
  for (let time = 0; time < 3; time++) held.push((await ask(credit, { amount: '5000.00' })).approval.id);
  await ask('GET /approvals?status=PENDING&action=balance.credit');
  await ask(`GET /approvals/${held[0]}`);
  for (const decision of [`${held[0]}/approve`, `${held[1]}/reject`]) {
    const { status, text } = await app.call(`POST /approvals/${decision}`, master);
    if (status !== 200) throw new Error(text);
  }
  await ask(`POST /approvals/${held[2]}/cancel`);
  await ask('PUT /approval-rules', []);
};

type Parties = { readonly buyer: string; readonly seller: string };

/** A top-up that is paid after it was cancelled, and an order that stays unfunded, with their corrections. */
export const useCorrections = async ({ ask }: Place, { buyer: userId, seller: sellerId }: Parties): Promise<void> => {
  const unfunded = await ask('POST /orders', { buyerId: userId, sellerId, amount: '20.00' });
  await ask(`POST /orders/${unfunded.id}/reserve`);
  await ask(`POST /orders/${unfunded.id}/escrow`);
  const canceled = { kind: 'cancel-unfunded-order', resourceId: unfunded.id, reason: 'The buyer has changed plans.' };
  await ask('POST /corrections', canceled, DRY_RUN);
  await ask('POST /corrections', canceled);
  const { id: resourceId } = await ask('POST /topups', { userId, amount: '3.00' });
  await ask(`POST /topups/${resourceId}/cancel`);
  await ask(`POST /sandbox/payins/${resourceId}/confirm-late`);
  const body = { kind: 'credit-late-topup', resourceId, reason: 'The payment came after the cancellation.' };
  const { id } = await ask('POST /corrections', body);
  await ask(`GET /corrections?kind=${body.kind}&resourceId=${resourceId}`);
  await ask(`GET /corrections/${id}`);
};

export const MILESTONES = {
  milestones: [
    { ref: 'm1', title: 'First part', amount: '30.00' },
    { ref: 'm2', title: 'Second part', amount: '30.00' },
    { ref: 'm3', title: 'Third part', amount: '40.00' },
  ],
};

/** Pays an order milestone by milestone. */
export const payMilestones = async ({ ask }: Place, id: string): Promise<void> => {
  const at = `POST /orders/${id}/milestones`;
  await ask(`${at}/m1/complete`);
  await ask(`${at}/m1/release`, { reason: 'All fine' }, DRY_RUN);
  await ask(`${at}/m1/release`, { reason: 'All fine' });
  await ask(`${at}/m2/refund`, { reason: 'Not needed' });
  const { dispute } = await ask(`${at}/m3/dispute`, { openedBy: 'BUYER', reason: 'OTHER' });
  await ask(`POST /disputes/${dispute.id}/assign`, { assignedTo: 'agent-7' });
  await ask(`POST /disputes/${dispute.id}/resolve`, { decision: 'FULL_RELEASE' });
};
