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
  extras: { result_codes: { transaction: 'tx_insufficient_fee' } },
});

const textOf = async (asked: IncomingMessage): Promise<string> => Buffer.concat(await asked.toArray()).toString('utf8');

const destinationsOf = (form: string): string[] => {
  const transaction = TransactionBuilder.fromXDR(new URLSearchParams(form).get('tx') ?? '', PASSPHRASE);
  return transaction.operations.flatMap((one) => ('destination' in one ? [String(one.destination)] : []));
};

/** A proxy before the ledger. It rejects all submissions or those that pay one address, and forwards everything else. */
const openDoor = async () => {
  const door = { target: '', refused: '', isShut: false };
  const server = createServer(async (asked, reply) => {
    const body = await textOf(asked);
    const isRefused = asked.method === 'POST' && (door.isShut || destinationsOf(body).includes(door.refused));
    if (isRefused) {
      reply.writeHead(400, { 'content-type': 'application/json' }).end(REFUSAL);
      return;
    }
    const headers = { 'content-type': asked.headers['content-type'] ?? '' };
    const sent = { method: asked.method ?? 'GET', ...(body === '' ? {} : { headers, body }) };
    const answer = await fetch(`${door.target}${asked.url}`, sent).catch(() => null);
    reply.writeHead(answer?.status ?? 503, { 'content-type': 'application/json' }).end(await answer?.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atTheEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return Object.assign(door, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
};

let theDoor: ReturnType<typeof openDoor> | null = null;

/** A withdrawal to an outside address. The user's wallet already has the money unless `isPoor`. */
const openScene = async (t: TestContext, { isPoor }: { isPoor: boolean }) => {
  theDoor ??= openDoor();
  const door = await theDoor;
  const fixture = await openSharedWithdrawals(t, { env: { LEDGER_URL: door.url } });
  Object.assign(door, { target: fixture.sandbox.urls.ledger, refused: '', isShut: false });
  const { app, aPayee, stranger, fillTreasury, aWithdrawal, addressOf, control, expect } = fixture;
  const userId = await aPayee();
  const address = await stranger();
  if (isPoor) await fillTreasury();
  else {
    await control('POST /faucet', { address: await addressOf(userId), asset: 'USDC', amount: '40.00' });
    // Books the deposit now.
    await expect(`POST /users/${userId}/balance/sync`, { status: 200 });
  }
  const made = await aWithdrawal({ userId, body: { destination: { type: 'crypto', address } } });
  return {
    ...fixture,
    door,
    userId,
    address,
    made,
    /** Another party submits the rejected envelope. */
    async handIn(): Promise<number> {
      const [{ envelope }] = await app.sql(
        "select envelope from ledger_transactions where purpose = 'withdrawal' and failure like 'rejected: %'",
      );
      const body = new URLSearchParams({ tx: envelope });
      return (await fetch(`${door.target}/transactions`, { method: 'POST', body })).status;
    },
  };
};

test('the money of a rejected payment is given back only when the ledger can never accept it', async (t) => {
  const { app, door, made, userId, address, get, balance, dollarsAt, handIn, assertSound } = await openScene(t, {
    isPoor: true,
  });
  door.refused = address;
  assert.equal((await app.call(`POST /withdrawals/${made.id}/commit`)).status, 500);
  const failed = await get(made.id);
  assert.deepEqual([failed.status, failed.transactionHash], ['WITHDRAWAL_FAILED', null]);
  assert.equal(await balance(userId), '100.00 + 0.00');
  assert.equal(await handIn(), 400, 'the ledger does not accept it any more');
  assert.equal(await dollarsAt(address), '0.0000000');
  await assertSound();
});

test('while the ledger could still accept a rejected payment its money stays reserved, and an accepted one counts', async (t) => {
  // The wallet has the money, so that no other transaction is needed.
  const scene = await openScene(t, { isPoor: false });
  const { app, door, made, userId, address, get, balance, dollarsAt, handIn } = scene;
  door.isShut = true;
  const { status, body } = await app.call(`POST /withdrawals/${made.id}/commit`);
  assert.deepEqual([status, body.error.code], [504, 'PROVIDER_TIMEOUT']);
  assert.deepEqual([(await get(made.id)).status, await balance(userId)], ['WITHDRAWAL_COMMITTED', '114.50 + 25.50']);
  assert.equal(await handIn(), 200);
  door.isShut = false;
  const done = await scene.untilStatus(made.id, 'WITHDRAWAL_COMPLETED');
  assert.notEqual(done.transactionHash, null);
  assert.equal(await dollarsAt(address), '25.5000000');
  assert.equal(await balance(userId), '114.50 + 0.00');
  await scene.assertSound();
});
