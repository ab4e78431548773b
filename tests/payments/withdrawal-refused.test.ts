// A payment that the ledger refuses at its door: the signed envelope is still good then, and may be in somebody's hands. The
// money goes back only when it can never be taken any more.

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

/** A ledger whose door can be told to refuse what pays an address, and that loses nothing else. */
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

/** A withdrawal to a stranger, whose wallet has the money already unless `isPoor`. */
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
    // Takes the deposit in now.
    await expect(`POST /users/${userId}/balance/sync`, { status: 200 });
  }
  const made = await aWithdrawal({ userId, body: { destination: { type: 'crypto', address } } });
  return {
    ...fixture,
    door,
    userId,
    address,
    made,
    /** Somebody hands in after all what was refused. */
    async handIn(): Promise<number> {
      const [{ envelope }] = await app.sql(
        "select envelope from ledger_transactions where purpose = 'withdrawal' and failure like 'rejected: %'",
      );
      const body = new URLSearchParams({ tx: envelope });
      return (await fetch(`${door.target}/transactions`, { method: 'POST', body })).status;
    },
  };
};

test('a refused payment can never be taken any more when its money goes back', async (t) => {
  const { app, door, made, userId, address, get, balance, dollarsAt, handIn, assertSound } = await openScene(t, {
    isPoor: true,
  });
  door.refused = address;
  assert.equal((await app.call(`POST /withdrawals/${made.id}/commit`)).status, 500);
  const failed = await get(made.id);
  assert.deepEqual([failed.status, failed.transactionHash], ['WITHDRAWAL_FAILED', null]);
  assert.equal(await balance(userId), '100.00 + 0.00');
  assert.equal(await handIn(), 400, 'the ledger takes it no more');
  assert.equal(await dollarsAt(address), '0.0000000');
  await assertSound();
});

test('while a refused payment could still be taken its money stays aside; when it is taken, that counts', async (t) => {
  // The wallet has the money itself, so that nothing else has to pass the door.
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
