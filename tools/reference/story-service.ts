// The last part of the story: what the people of the shop and the operator of the server do, and every report.

import { Keypair } from '@stellar/stellar-sdk';
import type { Any, Recorder } from './recorder.ts';
import type { StoryServer } from './story-server.ts';
import { MARKETPLACE, type People } from './story-users.ts';

const PASSWORD = 'five quiet otters swim';

/** Joan joins as an operator and signs in. */
const join = async (url: string, inviteUrl: string): Promise<string> => {
  const response = await fetch(`${url}/console/invite`, {
    method: 'POST',
    headers: {
      origin: url,
      'sec-fetch-site': 'same-origin',
      'x-invitation': new URL(inviteUrl).hash.slice(1),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ password: PASSWORD }),
  });
  const answer = (await response.json()) as Any;
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer.data.session.sessionId;
};

export const useOperators = async ({ show, ask, url, masterKey: key }: Recorder): Promise<void> => {
  const joan = await show('POST /operators', {
    key,
    body: { email: 'joan@shop.example', name: 'Joan Clarke', role: 'support' },
  });
  const sessionId = await join(url, joan.inviteUrl);
  const params = { id: joan.id };
  await show('GET /operators/:id', { params });
  await show('GET /operators/:id/sessions', { key, params, query: { limit: 2 } });
  await show('DELETE /operators/:id/sessions/:sessionId', { key, params: { ...params, sessionId } });
  await show('PATCH /operators/:id', { key, params, body: { role: 'finance' } });
  await show('GET /operators', { query: { limit: 2 } });
  await show('POST /operators/:id/invite', { key, params });
  const left = await ask('POST /operators', {
    key,
    body: { email: 'alan@shop.example', name: 'Alan Turing', role: 'viewer' },
  });
  await show('DELETE /operators/:id', { key, params: { id: left.id } });
};

/** Credits from 500.00 on need a second person: one is approved, one rejected, one cancelled. */
export const useApprovals = async ({ show, showAs, ask, masterKey: key }: Recorder, { ada }: People): Promise<void> => {
  await show('PUT /approval-rules', { body: [{ action: 'balance.credit', amountFrom: '500.00', currency: 'USD' }] });
  await show('GET /approval-rules');
  const ids: string[] = [];
  const credit = 'POST /users/:userId/balance/credit';
  const params = { userId: ada };
  const first = await showAs('waiting', credit, { params, body: { amount: '500.00' } });
  ids.push(first.approval.id);
  for (const amount of ['600.00', '700.00']) ids.push((await ask(credit, { params, body: { amount } })).approval.id);
  await show('GET /approvals', { query: { status: 'PENDING', limit: 2 } });
  await show('GET /approvals/:id', { params: { id: ids[0]! } });
  await show('POST /approvals/:id/approve', { key, params: { id: ids[0]! } });
  await show('POST /approvals/:id/reject', {
    key,
    params: { id: ids[1]! },
    body: { reason: 'Ada has enough by now.' },
  });
  await show('POST /approvals/:id/cancel', { params: { id: ids[2]! } });
  await ask('PUT /approval-rules', { body: [] });
};

/** A payment that came after its top-up was cancelled. */
export const correct = async ({ show, ask }: Recorder, { ada }: People): Promise<void> => {
  const { id: resourceId } = await ask('POST /topups', { body: { userId: ada, amount: '3.00' } });
  await ask('POST /topups/:id/cancel', { params: { id: resourceId } });
  await ask('POST /sandbox/payins/:id/:decision', { params: { id: resourceId, decision: 'confirm-late' } });
  const { id } = await show('POST /corrections', {
    body: { kind: 'credit-late-topup', resourceId, reason: 'The payment came after the cancellation.' },
  });
  await show('GET /corrections/:id', { params: { id } });
  await show('GET /corrections', { query: { limit: 2 } });
};

const month = (): string => new Date().toISOString().slice(0, 7);

export const readReports = async ({ show }: Recorder): Promise<void> => {
  await show('GET /reports/money');
  await show('GET /reports/activity', { query: { days: 1 } });
  await show('GET /reports/open-work');
  await show('GET /reports/open-items', { query: { limit: 1 } });
  await show('GET /reports/closing', { query: { period: month() } });
  await show('GET /reports/fees', { query: { interval: 'month' } });
  await show('GET /reports/payouts');
  await show('GET /audit/logs', { query: { limit: 2 } });
  await show('GET /audit/proof');
  await show('GET /audit/verify');
  await show('GET /exports/journal', { query: { format: 'csv' } });
  await show('GET /sandbox/state');
};

/** Settings of the marketplace that the operator of the server changes. */
export const manageMarketplace = async ({ show, masterKey: key }: Recorder, server: StoryServer): Promise<void> => {
  const params = { id: MARKETPLACE };
  await show('PUT /marketplaces/:id/limits', {
    key,
    params,
    body: {
      currency: 'USD',
      manualCreditPerUserDay: '1000.00',
      withdrawalPerUserDay: '500.00',
      withdrawalPerDay: '5000.00',
    },
  });
  await show('GET /marketplaces/:id/limits', { key, params });
  await show('POST /marketplaces/:id/float', { key, params, body: { amount: '300.00', currency: 'USD' } });
  await show('PUT /marketplaces/:id/credit-line', { key, params, body: { amount: '100.00', currency: 'USD' } });
  const account = { key: 'key-of-old-chairs', secret: 'secret-of-old-chairs' };
  const control = await fetch(`${server.sandboxUrl}/control/enterprises`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'old-chairs', ...account }),
  });
  if (!control.ok) throw new Error(await control.text());
  await show('PUT /marketplaces/:id/payment-provider', {
    key,
    params,
    body: {
      apiKey: account.key,
      apiSecret: account.secret,
      webhookSecret: `whsec_${Buffer.from('the webhook secret of the story').toString('base64')}`,
    },
  });
  await show('GET /marketplaces/:id/payment-provider', { key, params });
  await show('DELETE /marketplaces/:id/payment-provider', { key, params });
  await show('GET /marketplaces/:id', { key, params });
  await show('GET /marketplaces', { key, query: { limit: 2 } });
  await show('GET /reconciliation/float', { key });
};

/** What the operator of the server does for all marketplaces. */
export const operate = async ({ show, masterKey: key }: Recorder, server: StoryServer): Promise<void> => {
  await show('GET /health/detailed', { key: null });
  await server.failJob('clear-out');
  await show('GET /jobs');
  await show('POST /jobs/:name/retry', { params: { name: 'clear-out' } });
  await show('GET /wallet-keys', { key });
  await show('POST /wallet-keys/rotate', { key, body: { keyId: '2' } });
  await show('POST /payments/hold', { key, body: { reason: 'A check of the treasury.' } });
  await show('GET /payments/hold', { key });
  for (const job of ['adopt-transactions', 'find-lost-payouts']) await server.runJob(job);
  await show('POST /payments/release', { key, body: {} });
  await show('POST /sandbox/clock/advance', { body: { seconds: 3600 } });
};

/** Surface B: the same two people register with a password, and share a project. */
export const usePeople = async ({ show, ask, waitFor, masterKey }: Recorder): Promise<void> => {
  const person = (name: string) => ({ email: `${name.toLowerCase()}@example.com`, password: PASSWORD, name });
  const ada = await show('B POST /auth/register', { key: null, body: person('Ada') });
  const grace = await ask('B POST /auth/register', { key: null, body: person('Grace') });
  const { email, password } = person('Ada');
  const { token: key } = await show('B POST /auth/login', { key: null, body: { email, password } });
  await ask('POST /users/:userId/balance/credit', {
    key: masterKey,
    params: { userId: ada.id },
    headers: { 'x-marketplace-id': 'mkt_default' },
    body: { amount: '100.00', reference: 'present' },
  });
  const project = await show('B POST /projects', {
    key,
    body: { title: 'Six chairs', description: 'Restore six chairs of oak', budget: 60, currency: 'USD' },
  });
  await show('B GET /projects', { key });
  const init = { project_id: project.id, seller_id: grace.id, amount: 40, currency: 'USD' };
  const escrow = await show('B POST /escrow/init', { key, body: init });
  await show('B GET /balances', { key });
  await show('B POST /escrow/release', { key, body: { escrow_id: escrow.escrow_id } });
  await waitFor('Grace has her part', {
    route: 'B GET /balances/transactions',
    key: grace.token,
    holds: ({ transactions }) => transactions.length > 0,
  });
  await show('B POST /wallets/connect', { key: grace.token, body: { public_key: Keypair.random().publicKey() } });
  await show('B GET /balances/transactions', { key: grace.token });
};
