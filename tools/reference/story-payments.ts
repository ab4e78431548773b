// The third part of the story: Grace takes her money out, the shop receives events, and the books are compared with the outside.

import { ENDPOINTS } from './endpoints.ts';
import type { Any, Recorder } from './recorder.ts';
import type { StoryServer } from './story-server.ts';
import { linkAccount, type People } from './story-users.ts';

/** 50.00 go to Grace's bank; a second withdrawal stays uncommitted. */
export const withdraw = async (story: Recorder, people: People): Promise<{ withdrawal: string }> => {
  const { show, ask, waitFor } = story;
  await linkAccount(story, people);
  const made = await show('POST /withdrawals', {
    body: {
      userId: people.grace,
      amount: '50.00',
      currency: 'USD',
      destination: { type: 'bank', ref: 'account ending in 1234', email: 'grace@example.com' },
    },
  });
  const params = { id: made.id };
  await show('POST /withdrawals/:id/commit', { params });
  await show('POST /sandbox/payouts/:id/:decision', { params: { ...params, decision: 'complete' } });
  await waitFor('the withdrawal is paid', {
    route: 'GET /withdrawals/:id',
    params,
    holds: ({ status }) => status === 'WITHDRAWAL_COMPLETED',
  });
  await show('POST /withdrawals/:id/refresh', { params });
  await show('GET /withdrawals/:id', { params });
  await ask('POST /withdrawals', {
    body: { userId: people.grace, amount: '10.00', currency: 'USD', destination: { type: 'bank' } },
  });
  await show('GET /withdrawals', { query: { userId: people.grace, limit: 2 } });
  return { withdrawal: made.id };
};

/** The shop's endpoint, and one that has gone: its first answer of 410 disables it. */
export const sendWebhooks = async (story: Recorder, server: StoryServer): Promise<string> => {
  const { show, ask, waitFor } = story;
  const url = `${server.receiverUrl}/webhooks/holdfast`;
  const made = await show('POST /webhook-endpoints', {
    body: { url, events: ['order.*', 'withdrawal.*'], description: 'Order service' },
  });
  const params = { id: made.id };
  const { deliveryId } = await show('POST /webhook-endpoints/:id/test', { params });
  const delivery = { id: deliveryId };
  await waitFor('the test event is delivered', {
    route: 'GET /webhook-deliveries/:id',
    params: delivery,
    holds: ({ status }) => status === 'DELIVERED',
  });
  await show('GET /webhook-deliveries/:id', { params: delivery });
  await show('GET /webhook-deliveries', { query: { endpointId: made.id, limit: 2 } });
  await show('POST /webhook-deliveries/:id/retry', { params: delivery });
  const gone = await ask('POST /webhook-endpoints', {
    body: { url: `${server.receiverUrl}/gone`, events: ['user.*'] },
  });
  await ask('POST /webhook-endpoints/:id/test', { params: { id: gone.id } });
  await waitFor('the endpoint that has gone is disabled', {
    route: 'GET /webhook-endpoints/:id',
    params: { id: gone.id },
    holds: ({ enabled }) => enabled === false,
  });
  await server.runJob('check-alerts');
  await show('GET /alerts', { query: { limit: 2 } });
  await show('DELETE /webhook-endpoints/:id', { params: { id: gone.id } });
  return made.id;
};

export const manageEndpoint = async (
  { show }: Recorder,
  { id, since }: { id: string; since: string },
): Promise<void> => {
  const params = { id };
  await show('PATCH /webhook-endpoints/:id', { params, body: { description: 'Order service, version 2' } });
  await show('POST /webhook-endpoints/:id/rotate-secret', { params });
  await show('POST /webhook-endpoints/:id/replay', { params, body: { since } });
  await show('POST /webhook-endpoints/:id/retry-failed', { params, body: { since } });
  await show('GET /webhook-endpoints/:id', { params });
  await show('GET /webhook-endpoints', { query: { limit: 2 } });
};

/** Only the fields that the reference describes: outside systems send more. */
const documented = (route: string, { data, ...rest }: Any): Any => {
  const endpoint = ENDPOINTS.find(({ method, path }) => `${method} ${path}` === route)!;
  const schema = (endpoint.body as Any).properties.data;
  const fields = (schema.anyOf?.[0] ?? schema).properties;
  return { ...rest, data: Object.fromEntries(Object.entries(data).filter(([name]) => name in fields)) };
};

/** The webhooks that the simulators sent during the story. */
export const showReceived = ({ keep }: Recorder, { relayed }: StoryServer): void => {
  const wanted = [
    { path: '/webhooks/payment-provider', isWanted: ({ type }: Any) => type === 'payin.confirmed' },
    { path: '/webhooks/escrow-provider', isWanted: ({ type }: Any) => type === 'escrow.released' },
  ];
  for (const { path, isWanted } of wanted) {
    const found = relayed.find((each) => each.path.endsWith(path) && isWanted(each.body));
    if (!found) {
      const seen = relayed.map((each) => `${each.path} ${(each.body as Any).type}`);
      throw new Error(`no webhook for ${path}; there were ${seen.join(', ')}`);
    }
    keep({
      route: `POST ${path}`,
      asked: { body: documented(`POST ${path}`, found.body as Any) },
      status: 200,
      contentType: 'application/json',
      answer: found.answer,
    });
  }
};

/** The escrow provider reports a release once more. */
export const repeatRelease = ({ show }: Recorder, orderId: string): Promise<Any> =>
  show('POST /sandbox/escrow-events', { body: { type: 'escrow.released', orderId } });

/** The provider's file of the day: it has the top-up, and the payout with another amount. */
export const compareStatement = async (
  { show }: Recorder,
  { topup, withdrawal }: { topup: string; withdrawal: string },
): Promise<void> => {
  const today = new Date().toISOString().slice(0, 10);
  const now = new Date().toISOString();
  const rows = [
    'date,reference,amount,currency,type',
    `${now},${topup},200.00,USD,payin`,
    `${now},${withdrawal},-49.00,USD,payout`,
  ];
  const { id } = await show('POST /provider-statements', {
    body: {
      system: 'payment-provider',
      fileName: 'november.csv',
      content: Buffer.from(`${rows.join('\n')}\n`).toString('base64'),
      from: today,
      to: now,
    },
  });
  const params = { id };
  await show('GET /provider-statements/:id', { params });
  await show('GET /provider-statements/:id/lines', { params, query: { limit: 2 } });
  await show('GET /provider-statements/:id/report', { params, query: { format: 'csv' } });
  await show('GET /provider-statements', { query: { limit: 2 } });
};

/** The operator takes 12.50 out at the payment provider without telling the server. */
const payBehindTheBooks = async ({ sandboxUrl }: StoryServer): Promise<void> => {
  const answer = await fetch(`${sandboxUrl}/payment-provider/v2/payouts`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('sandbox-key:sandbox-secret').toString('base64')}`,
    },
    body: JSON.stringify({
      code: 'rent',
      amount: 12.5,
      notes: 'Rent',
      airtmUserEmail: 'landlord@example.com',
      commit: true,
    }),
  });
  if (!answer.ok) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
};

/** Money that others paid into a contract is a surplus; a payment that nothing explains is a break. */
export const reconcile = async (story: Recorder, { people, server }: { people: People; server: StoryServer }) => {
  const { show, ask, masterKey } = story;
  await show('POST /sandbox/faults', { body: { operation: 'fund', fault: 'surplus', count: 1 } });
  await show('GET /sandbox/faults');
  const { id } = await ask('POST /orders', {
    body: {
      buyerId: people.ada,
      sellerId: people.grace,
      amount: '18.00',
      title: 'Coat rack',
      clientOrderRef: 'cart-1048',
    },
  });
  for (const step of ['reserve', 'escrow', 'escrow/fund']) await ask(`POST /orders/:id/${step}`, { params: { id } });
  await show('DELETE /sandbox/faults');
  await payBehindTheBooks(server);
  for (let time = 0; time < 2; time++) await server.runJob('reconcile');
  await show('GET /reconciliation/surplus', { query: { limit: 2 } });
  await show('GET /reconciliation/breaks', {
    key: masterKey,
    headers: { 'x-marketplace-id': 'mkt_default' },
    query: { limit: 2 },
  });
};
