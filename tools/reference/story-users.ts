// The first part of the story: the marketplace Old Chairs gets a key, Ada the buyer and Grace the seller arrive, and money comes in.

import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import type { Any, Recorder } from './recorder.ts';

export const MARKETPLACE = 'mkt_old-chairs';

export type People = { readonly ada: string; readonly grace: string; readonly keyId: string };

/** The marketplace begins with its first key. */
export const openShop = async (story: Recorder): Promise<{ keyId: string }> => {
  const { show, ask, masterKey: key } = story;
  const named = { name: 'Checkout server', scopes: ['*'], marketplaceId: MARKETPLACE };
  story.actIn(MARKETPLACE);
  const made = await show('POST /auth/api-keys', { key, body: named });
  story.actAs({ key: made.key, marketplaceId: MARKETPLACE });
  await show('GET /config', { key: null });
  await show('GET /health', { key: null });
  await show('GET /auth/me');
  await show('POST /auth/api-keys/:id/token', { params: { id: made.id }, body: { scopes: ['read'] } });
  const till = await ask('POST /auth/api-keys', { key, body: { ...named, name: 'Old till', scopes: ['read'] } });
  const params = { id: till.id };
  await show('POST /auth/api-keys/:id/rotate', { key, params });
  await show('DELETE /auth/api-keys/:id', { key, params });
  await show('GET /auth/api-keys', { query: { limit: 2 } });
  return { keyId: made.id };
};

export const enterPeople = async ({ show, ask }: Recorder): Promise<Omit<People, 'keyId'>> => {
  const ada = await show('POST /users', {
    body: {
      externalUserId: 'customer-17',
      email: 'ada@example.com',
      name: 'Ada',
      type: 'BUYER',
      metadata: { tier: 'gold' },
    },
  });
  const grace = await ask('POST /users', {
    body: {
      externalUserId: 'seller-3',
      email: 'grace@example.com',
      name: 'Grace',
      type: 'SELLER',
    },
  });
  const late = await ask('POST /users', { body: { externalUserId: 'customer-18', email: 'charles@example.com' } });
  const params = { id: late.id };
  await show('PATCH /users/:id', { params, body: { name: 'Charles', type: 'BUYER' } });
  await show('POST /users/:id/suspend', { params, body: { reason: 'Charges back every payment.' } });
  await show('POST /users/:id/reactivate', { params, body: { reason: 'The bank cleared it up.' } });
  return { ada: ada.id, grace: grace.id };
};

/** A paid top-up of 200.00 and one that the payer calls off. */
export const topUp = async (
  { show, ask, waitFor, keep, url }: Recorder,
  { ada }: People,
): Promise<{ topup: string }> => {
  const links = { returnUrl: 'https://shop.example/paid', cancelUrl: 'https://shop.example/not-paid' };
  const paid = await show('POST /topups', {
    body: { userId: ada, amount: '200.00', description: 'Money for chairs', ...links },
  });
  const params = { id: paid.id };
  await show('POST /topups/:id/refresh', { params });
  await show('POST /sandbox/payins/:id/:decision', { params: { ...params, decision: 'confirm' } });
  await waitFor('the top-up is paid', {
    route: 'GET /topups/:id',
    params,
    holds: ({ status }) => status === 'TOPUP_SUCCEEDED',
  });
  await show('GET /topups/:id', { params });
  const canceled = await ask('POST /topups', { body: { userId: ada, amount: '15.00' } });
  await show('POST /topups/:id/cancel', { params: { id: canceled.id }, body: { reason: 'ordered twice' } });
  await show('GET /topups', { query: { userId: ada, limit: 2 } });
  const page = await fetch(`${url}/api/v1/topups/${canceled.id}/callback`, { redirect: 'manual' });
  keep({
    route: 'GET /topups/:id/callback',
    asked: { params: { id: canceled.id } },
    status: page.status,
    contentType: 'text/html',
    answer: await page.text(),
  });
  return { topup: paid.id };
};

/** Changes of the balance that the marketplace makes itself. Ada has 214.00 afterwards. */
export const moveBalances = async ({ show }: Recorder, { ada }: People): Promise<void> => {
  const params = { userId: ada };
  const at = 'POST /users/:userId/balance';
  await show(`${at}/credit`, {
    params,
    body: { amount: '20.00', reference: 'welcome-17', description: 'A welcome present' },
  });
  await show(`${at}/debit`, { params, body: { amount: '5.00', reference: 'postage-17', description: 'Postage' } });
  await show(`${at}/reserve`, {
    params,
    body: { amount: '10.00', orderId: 'rent-17', reason: 'Deposit for a hammer' },
  });
  await show(`${at}/release`, { params, body: { amount: '4.00', orderId: 'rent-17', reason: 'The hammer came back' } });
  await show(`${at}/deduct-reserved`, {
    params,
    body: { amount: '1.00', orderId: 'rent-17', reason: 'The handle was scratched' },
  });
  await show(`${at}/cancel-reservation`, { params, body: { orderId: 'rent-17', reason: 'All settled' } });
  await show('GET /users/:userId/balance', { params });
};

/** Ada's wallet of the service, and a wallet of her own that she proves to hold. */
export const useWallets = async ({ show, waitFor }: Recorder, { ada, grace }: People): Promise<void> => {
  const params = { userId: ada };
  const { address } = await show('GET /users/:userId/wallet/deposit', { params });
  await waitFor('the wallet is active', {
    route: 'GET /users/:userId/wallet',
    params,
    holds: ({ isActive }) => isActive,
  });
  await show('POST /sandbox/faucet', { body: { address, asset: 'USDC', amount: '25.00' } });
  await waitFor('the deposit is in the books', {
    route: 'GET /users/:userId/balance',
    params,
    holds: ({ available }) => available === '239.00',
  });
  await show('GET /users/:userId/wallet', { params });
  await show('GET /users/:userId/wallet/transactions', { params, query: { limit: 1 } });
  await show('POST /users/:userId/balance/sync', { params });
  await show('GET /users/:userId/balance/verify', { params });
  await show('GET /treasury/deposit');

  const own = Keypair.random();
  const linked = { userId: grace };
  await show('POST /users/:userId/wallet/link', { params: linked, body: { publicKey: own.publicKey() } });
  const challenge = await show('POST /users/:userId/wallet/challenge', {
    params: linked,
    body: { publicKey: own.publicKey() },
  });
  const read = TransactionBuilder.fromXDR(challenge.transaction, challenge.networkPassphrase);
  read.sign(own);
  await show('POST /users/:userId/wallet/proof', { params: linked, body: { transaction: read.toXDR() } });
  await show('GET /users/:userId/wallets', { params: linked });
};

/** What the books say about Ada at the end of the story. */
export const readUsers = async ({ show }: Recorder, { ada }: People): Promise<void> => {
  const params = { id: ada };
  await show('GET /users/:id', { params });
  await show('GET /users', { query: { limit: 2 } });
  await show('GET /users/:id/reservations', { params, query: { limit: 2 } });
  await show('GET /users/:id/statement', { params, query: { limit: 3 } });
};

export const linkAccount = ({ show }: Recorder, { grace }: People): Promise<Any> =>
  show('POST /users/:id/payment-account/link', { params: { id: grace }, body: { email: 'grace@example.com' } });

/** The first two events about orders, as the stream sends them. */
export const readStream = async ({ keep, url, currentKey }: Recorder): Promise<void> => {
  const ended = new AbortController();
  const query = { types: 'order.created', since: '2026-01-01T00:00:00Z' };
  const response = await fetch(`${url}/api/v1/events?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${currentKey()}` },
    signal: ended.signal,
  });
  let text = '';
  const messages = () => text.split('\n\n').filter((message) => message.includes('event: order.'));
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk).toString();
    if (messages().length > 2) break;
  }
  ended.abort();
  keep({
    route: 'GET /events',
    asked: { query },
    status: 200,
    contentType: 'text/event-stream',
    answer: `${messages().slice(0, 2).join('\n\n')}\n\n`,
  });
};
