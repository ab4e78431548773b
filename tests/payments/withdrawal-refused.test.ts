// A payment that the ledger rejects at submission. Its signed envelope is still valid and could be submitted by another party.
// The money is given back only when the envelope can never be accepted.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { TransactionBuilder } from '@stellar/stellar-sdk';
import { PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';
import { atTheEnd } from '../../tools/test-database/at-the-end.ts';
import { openSharedWithdrawals } from './withdrawal-fixture.ts';

const REFUSAL = JSON.stringify({
  type: 'https://ledger.example/transaction_failed',
  status: 400,
  extras: { result_codes: { transaction: 'tx_bad_auth' } },
});

const textOf = async (asked: IncomingMessage): Promise<string> => Buffer.concat(await asked.toArray()).toString('utf8');

const destinationsOf = (form: string): string[] => {
  const transaction = TransactionBuilder.fromXDR(new URLSearchParams(form).get('tx') ?? '', PASSPHRASE);
  return transaction.operations.flatMap((one) => ('destination' in one ? [String(one.destination)] : []));
};

/** A proxy before the ledger. It rejects all submissions or those that pay one address, and forwards everything else. */
const openLedgerProxy = async () => {
  const proxy = { target: '', rejected: '', rejectsAll: false };
  const server = createServer(async (asked, reply) => {
    const body = await textOf(asked);
    const isRefused = asked.method === 'POST' && (proxy.rejectsAll || destinationsOf(body).includes(proxy.rejected));
    if (isRefused) {
      reply.writeHead(400, { 'content-type': 'application/json' }).end(REFUSAL);
      return;
    }
    const headers = { 'content-type': asked.headers['content-type'] ?? '' };
    const sent = { method: asked.method ?? 'GET', ...(body === '' ? {} : { headers, body }) };
    const answer = await fetch(`${proxy.target}${asked.url}`, sent).catch(() => null);
    // The server believes no account that does not name its ledger.
    const ledger = answer?.headers.get('latest-ledger');
    const shown = { 'content-type': 'application/json', ...(ledger ? { 'latest-ledger': ledger } : {}) };
    reply.writeHead(answer?.status ?? 503, shown).end(await answer?.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atTheEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return Object.assign(proxy, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
};

let sharedProxy: ReturnType<typeof openLedgerProxy> | null = null;

/** A withdrawal to an outside address. The user's wallet already has the money and its fees unless `isPoor`. */
const openLedgerWithdrawal = async (t: TestContext, { isPoor }: { isPoor: boolean }) => {
  sharedProxy ??= openLedgerProxy();
  const proxy = await sharedProxy;
  const fixture = await openSharedWithdrawals(t, { env: { LEDGER_URL: proxy.url } });
  Object.assign(proxy, { target: fixture.sandbox.urls.ledger, rejected: '', rejectsAll: false });
  const { app, aPayee, outsideAddress, fillTreasury, aWithdrawal, addressOf, control, expect } = fixture;
  const userId = await aPayee();
  const address = await outsideAddress();
  if (isPoor) await fillTreasury();
  else {
    const wallet = await addressOf(userId);
    await control('POST /faucet', { address: wallet, asset: 'USDC', amount: '40.00' });
    // Enough for fees: the treasury has nothing to pay before the withdrawal.
    await control('POST /faucet', { address: wallet, asset: 'XLM', amount: '5.00' });
    // Books the deposit now.
    await expect(`POST /users/${userId}/balance/sync`, { status: 200 });
  }
  const made = await aWithdrawal({ userId, body: { destination: { type: 'crypto', address } } });
  return {
    ...fixture,
    proxy,
    userId,
    address,
    made,
    /** Another party submits the rejected envelope. */
    async submitRejected(): Promise<number> {
      const [{ envelope }] = await app.sql(
        "select envelope from ledger_transactions where purpose = 'withdrawal' and ending = 'rejected'",
      );
      const body = new URLSearchParams({ tx: envelope });
      return (await fetch(`${proxy.target}/transactions`, { method: 'POST', body })).status;
    },
  };
};

test('the money of a rejected payment is given back only when the ledger can never accept it', async (t) => {
  const { app, proxy, made, userId, address, get, balance, dollarsAt, submitRejected, assertSound } =
    await openLedgerWithdrawal(t, {
      isPoor: true,
    });
  proxy.rejected = address;
  assert.equal((await app.call(`POST /withdrawals/${made.id}/commit`)).status, 500);
  const failed = await get(made.id);
  assert.deepEqual([failed.status, failed.transactionHash], ['WITHDRAWAL_FAILED', null]);
  assert.equal(await balance(userId), '100.00 + 0.00');
  assert.equal(await submitRejected(), 400, 'the ledger does not accept it any more');
  assert.equal(await dollarsAt(address), '0.0000000');
  await assertSound();
});

test('while the ledger could still accept a rejected payment its money stays reserved, and an accepted one counts', async (t) => {
  // The wallet has the money, so that no other transaction is needed.
  const opened = await openLedgerWithdrawal(t, { isPoor: false });
  const { app, proxy, made, userId, address, get, balance, dollarsAt, submitRejected } = opened;
  proxy.rejectsAll = true;
  const { status, body } = await app.call(`POST /withdrawals/${made.id}/commit`);
  assert.deepEqual([status, body.error.code], [504, 'PROVIDER_TIMEOUT']);
  assert.deepEqual([(await get(made.id)).status, await balance(userId)], ['WITHDRAWAL_COMMITTED', '114.50 + 25.50']);
  assert.equal(await submitRejected(), 200);
  proxy.rejectsAll = false;
  const done = await opened.untilStatus(made.id, 'WITHDRAWAL_COMPLETED');
  assert.notEqual(done.transactionHash, null);
  assert.equal(await dollarsAt(address), '25.5000000');
  assert.equal(await balance(userId), '114.50 + 0.00');
  await opened.assertSound();
});
