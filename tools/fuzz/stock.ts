// Keeps a campaign supplied with records in every state that a request could want to find: random requests alone hardly
// ever bring an order as far as a dispute. Made through the API like everything else.

import type { People } from './callers.ts';

/** Nothing listens there. */
const REFUSING = 'http://localhost:9/hooks';

type Ask = (request: string, body?: object, key?: string) => Promise<Record<string, string>>;

/** How far an order is brought, one step after the other. */
const STEPS = ['reserve', 'escrow', 'escrow/fund', 'resolution/dispute'] as const;

const FILE = { fileName: 'parcel.txt', contentType: 'text/plain', content: 'AAAA', submittedBy: 'BUYER' };

const discuss = async (ask: Ask, disputeId: string): Promise<void> => {
  await ask(`POST /disputes/${disputeId}/evidence`, FILE);
  await ask(`POST /disputes/${disputeId}/messages`, { from: 'SELLER', text: 'I sent it on Monday.' });
};

const STATEMENT = {
  system: 'payment-provider',
  fileName: 'january.csv',
  content: Buffer.from('date,reference,amount,currency\n2026-01-02,payin-1,3.00,USD\n').toString('base64'),
  from: '2026-01-01',
  to: '2026-02-01',
};

/** Gives back the ids of what it made, in the words of the answers. */
export const restock = async (url: string, { keys, userIds }: People): Promise<string> => {
  const told: string[] = [];
  const ask: Ask = async (request, body = {}, key = keys.everything) => {
    const [method, path] = request.split(' ') as [string, string];
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    told.push(text);
    // Refused where an earlier request has got there first: then there is simply one record less.
    const { data } = JSON.parse(text) as { data?: { data?: Record<string, string> } };
    return (data?.data ?? data ?? {}) as Record<string, string>;
  };
  const buyerId = userIds[1]!;
  const sellerId = userIds[2]!;
  for (const id of userIds) await ask(`POST /users/${id}/reactivate`);
  await ask(`POST /users/${buyerId}/balance/credit`, { amount: '500.00' });
  await ask(`POST /users/${buyerId}/balance/reserve`, { amount: '5.00' });
  const email = `operator-${crypto.randomUUID()}@example.com`;
  await ask('POST /operators', { email, name: 'Ada', role: 'viewer' }, keys.master);
  await ask('POST /provider-statements', STATEMENT);
  await ask('POST /notes', { resourceType: 'user', resourceId: buyerId, text: 'The buyer called.' });
  await ask('POST /policies', { name: 'standard', rules: { cancelUnfundedAfter: 'P3D', autoReleaseAfter: 'P7D' } });
  for (let steps = 0; steps <= STEPS.length; steps++) {
    const milestones = [
      { ref: 'm1', title: 'First part', amount: '4.00' },
      { ref: 'm2', title: 'Second part', amount: '6.00' },
    ];
    const { id } = await ask('POST /orders', {
      buyerId,
      sellerId,
      amount: '10.00',
      ...(steps === 3 ? { milestones } : {}),
      policy: 'standard',
    });
    if (id === undefined) continue;
    for (const step of STEPS.slice(0, steps)) {
      const isDispute = step.endsWith('dispute');
      const made = await ask(`POST /orders/${id}/${step}`, isDispute ? { openedBy: 'BUYER', reason: 'OTHER' } : {});
      if (isDispute) await discuss(ask, made.id!);
    }
  }
  await ask('POST /topups', { userId: buyerId, amount: '3.00' });
  await ask('POST /withdrawals', {
    userId: buyerId,
    amount: '2.00',
    currency: 'USD',
    destination: { type: 'bank', ref: 'ending in 1234', email: 'payee@example.com' },
  });
  const endpoint = await ask('POST /webhook-endpoints', { url: REFUSING, events: ['user.*'] });
  if (endpoint.id !== undefined) await ask(`POST /webhook-endpoints/${endpoint.id}/test`);
  const project = await fetch(`${url}/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.person}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Logo', budget: 50 }),
  });
  told.push(await project.text());
  const { data } = JSON.parse(told.at(-1)!) as { data: { id: string } };
  const init = await fetch(`${url}/escrow/init`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: data.id, seller_id: sellerId, amount: 5, currency: 'USD' }),
  });
  told.push(await init.text());
  return told.join('\n');
};
