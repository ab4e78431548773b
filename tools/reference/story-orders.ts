// The second part of the story: Ada orders chairs of Grace. One order is released, one is paid milestone by milestone, one is refunded,
// one is cancelled and one is disputed and split.

import type { Any, Recorder } from './recorder.ts';
import type { People } from './story-users.ts';

type Step = 'reserve' | 'escrow' | 'escrow/fund';
const STEPS: readonly Step[] = ['reserve', 'escrow', 'escrow/fund'];

/** An order that is brought as far as the steps say, without being shown. */
const anOrder = async (
  { ask }: Recorder,
  { ada, grace }: People,
  wanted: { steps: number } & Record<string, unknown>,
) => {
  const { steps, ...body } = wanted;
  const order = await ask('POST /orders', { body: { buyerId: ada, sellerId: grace, ...body } });
  for (const step of STEPS.slice(0, steps)) await ask(`POST /orders/:id/${step}`, { params: { id: order.id } });
  return order as { id: string };
};

/** The chair for 40.00: the platform keeps 2.00 and Grace gets 38.00. */
export const sellChair = async ({ show, showAs }: Recorder, { ada, grace }: People): Promise<string> => {
  const order = await show('POST /orders', {
    body: {
      buyerId: ada,
      sellerId: grace,
      amount: '40.00',
      currency: 'USD',
      title: 'Oak chair',
      description: 'A chair of oak from 1920, restored',
      clientOrderRef: 'cart-1042',
    },
  });
  const params = { id: order.id };
  for (const step of STEPS) await show(`POST /orders/:id/${step}`, { params });
  await show('GET /orders/:id/outlook', { params });
  const release = { params: { orderId: order.id }, body: { reason: 'The chair has arrived.' } };
  const route = 'POST /orders/:orderId/resolution/release';
  await showAs('preview', route, { ...release, headers: { 'dry-run': 'true' } });
  await show(route, release);
  await show('GET /orders/:id', { params });
  await show('GET /orders/:id/timeline', { params });
  await show('GET /orders/:id/receipt', { params });
  await show('POST /orders/:id/receipt-link', { params, body: { expiresInDays: 30 } });
  await show('DELETE /orders/:id/receipt-link', { params });
  return order.id;
};

/** Six chairs in three milestones: one is paid, one is refunded, one is disputed. */
export const sellInParts = async (story: Recorder, people: People): Promise<string> => {
  const { show, ask } = story;
  const { id } = await anOrder(story, people, {
    steps: 3,
    amount: '60.00',
    title: 'Six chairs, restored',
    clientOrderRef: 'cart-1043',
    milestones: [
      { ref: 'frames', title: 'Frames glued', amount: '30.00' },
      { ref: 'seats', title: 'Seats woven', amount: '20.00' },
      { ref: 'varnish', title: 'Varnish', amount: '10.00' },
    ],
  });
  const at = 'POST /orders/:id/milestones/:ref';
  await show(`${at}/complete`, { params: { id, ref: 'frames' } });
  await show(`${at}/release`, { params: { id, ref: 'frames' }, body: { reason: 'The frames are firm.' } });
  await show(`${at}/refund`, { params: { id, ref: 'varnish' }, body: { reason: 'Ada varnishes them herself.' } });
  const { dispute } = await show(`${at}/dispute`, {
    params: { id, ref: 'seats' },
    body: { openedBy: 'BUYER', reason: 'QUALITY_ISSUE', evidence: ['https://shop.example/evidence/seats'] },
  });
  await show('GET /orders/:id/milestones', { params: { id } });
  await ask('POST /disputes/:id/assign', { params: { id: dispute.id }, body: { assignedTo: 'agent-7' } });
  await ask('POST /disputes/:id/resolve', {
    params: { id: dispute.id },
    body: { decision: 'FULL_RELEASE', note: 'The seats are as agreed.' },
  });
  return id;
};

const PHOTO = Buffer.from('The table as it arrived: one leg is short.\n').toString('base64');

/** A table for 50.00 with a short leg: Grace gets 30.00 minus the fee, Ada gets 20.00 back. */
export const disputeTable = async (story: Recorder, people: People): Promise<{ orderId: string; id: string }> => {
  const { show } = story;
  const { id: orderId } = await anOrder(story, people, {
    steps: 3,
    amount: '50.00',
    title: 'Oak table',
    clientOrderRef: 'cart-1044',
  });
  const { id } = await show('POST /orders/:orderId/resolution/dispute', {
    params: { orderId },
    body: { orderId, openedBy: 'BUYER', reason: 'QUALITY_ISSUE', evidence: ['https://shop.example/evidence/table'] },
  });
  const params = { id };
  const file = await show('POST /disputes/:id/evidence', {
    params,
    body: {
      fileName: 'table.txt',
      contentType: 'text/plain',
      content: PHOTO,
      submittedBy: 'BUYER',
      description: 'The table as it arrived.',
    },
  });
  await show('GET /disputes/:id/evidence', { params, query: { limit: 2 } });
  await show('GET /disputes/:id/evidence/:evidenceId', { params: { id, evidenceId: file.id } });
  await show('GET /disputes/:id/evidence/:evidenceId/content', { params: { id, evidenceId: file.id } });
  await show('POST /disputes/:id/messages', {
    params,
    body: { from: 'SELLER', text: 'I can send a longer leg, or give back 20.00.' },
  });
  await show('GET /disputes/:id/messages', { params, query: { limit: 2 } });
  await show('POST /disputes/:id/assign', { params, body: { assignedTo: 'agent-7' } });
  await show('POST /disputes/:id/resolve', {
    params,
    body: { decision: 'SPLIT', releaseAmount: '30.00', refundAmount: '20.00', note: 'Both agree to share the damage.' },
  });
  await show('GET /disputes/:id', { params });
  await show('GET /disputes', { query: { limit: 2 } });
  return { orderId, id };
};

/** One order is refunded, one is cancelled before its escrow. */
export const callOff = async (story: Recorder, people: People): Promise<void> => {
  const { show } = story;
  const refunded = await anOrder(story, people, {
    steps: 3,
    amount: '30.00',
    title: 'Bench',
    clientOrderRef: 'cart-1045',
  });
  await show('POST /orders/:orderId/resolution/refund', {
    params: { orderId: refunded.id },
    body: { reason: 'The bench was sold twice.' },
  });
  const canceled = await anOrder(story, people, {
    steps: 1,
    amount: '25.00',
    title: 'Stool',
    clientOrderRef: 'cart-1046',
  });
  await show('POST /orders/:id/cancel', {
    params: { id: canceled.id },
    body: { reason: 'The buyer found another one.' },
  });
  await show('GET /orders', { query: { limit: 2 } });
};

/** Rules with deadlines, and an order that follows them. */
export const usePolicies = async (story: Recorder, people: People): Promise<void> => {
  const { show } = story;
  const policy = await show('POST /policies', {
    body: {
      name: 'standard',
      rules: {
        cancelUnfundedAfter: 'P3D',
        autoReleaseAfter: 'P7D',
        remindBefore: ['P1D'],
        platformFee: { percent: '5.00' },
      },
    },
  });
  await show('GET /policies', { query: { limit: 2 } });
  await show('GET /policies/:id', { params: { id: policy.id } });
  const { id } = await anOrder(story, people, {
    steps: 0,
    amount: '12.00',
    title: 'Footstool',
    clientOrderRef: 'cart-1047',
    policy: 'standard',
  });
  const params = { id, kind: 'cancel_unfunded' };
  const at = 'POST /orders/:id/deadlines/:kind';
  await show(`${at}/hold`, { params, body: { reason: 'The buyer asked for more time.' } });
  await show(`${at}/resume`, { params, body: { reason: 'The buyer is back.' } });
  const until = new Date(Date.now() + 5 * 86_400_000).toISOString();
  await show(`${at}/extend`, { params, body: { until, reason: 'The bank is closed until Friday.' } });
  await show(`${at}/trigger`, { params, body: { reason: 'The buyer gave up.' } });
};

/** Operations and notes about the orders. */
export const followUp = async ({ show }: Recorder, orderId: string): Promise<void> => {
  await show('POST /notes', {
    body: { resourceType: 'order', resourceId: orderId, text: 'The buyer called: the chair has arrived.' },
  });
  await show('GET /notes', { query: { resourceType: 'order', resourceId: orderId } });
  const [operation] = (await show('GET /operations', { query: { orderId, limit: 2 } })) as Any[];
  await show('GET /operations/:id', { params: { id: operation.id } });
};
