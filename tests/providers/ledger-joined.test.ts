// A transaction and what it moved in one request: the same as in two, also from a server that does not join them.

import assert from 'node:assert/strict';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk';
import type { LedgerNetwork } from '../../server/src/providers/ledger-port.ts';
import { createLedgerNetwork } from '../../server/src/providers/network/ledger-network.ts';
import { buildPayments } from '../../tools/ledger-envelopes.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { settle, sign, soon } from './parties.ts';
import { amount, type Simulators, shareSimulators, take } from './provider-fixture.ts';

const openShared = shareSimulators();

/** Submits a payment, whatever becomes of it, and returns its hash. */
const pay = async (simulators: Simulators, { from, to, text }: { from: Keypair; to: Keypair; text: string }) => {
  const { network, asset } = simulators;
  const address = from.publicKey();
  const { sequence } = take(await network.account(address))!;
  const { passphrase } = network;
  const terms = { passphrase, source: { address, sequence }, feePerOperation: 100n, validUntil: soon(simulators) };
  const { unsigned, hash } = buildPayments(terms, [{ to: to.publicKey(), asset, amount: amount(text) }]);
  await network.submit(sign(simulators, unsigned, from));
  return hash;
};

/** The network behind a server that ignores `join`, and the number of requests that it got. */
const withoutJoin = async (t: TestContext, { urls, network }: { urls: { ledger: string }; network: LedgerNetwork }) => {
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    requests++;
    const url = `${urls.ledger}${incoming.url!.replace('&join=transactions', '')}`;
    incoming.pipe(
      forward(url, { method: incoming.method }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => new Promise((resolve) => server.close(resolve) && server.closeAllConnections()));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const other = createLedgerNetwork({ baseUrl, passphrase: network.passphrase, timeoutMs: 10_000 });
  return { other, requests: () => requests };
};

test('a transaction with its payments is the transaction and its payments: succeeded, failed and missing', async (t) => {
  const simulators = openShared();
  const { network } = simulators;
  const ann = await settle(simulators, { usdc: '10' });
  const bob = await settle(simulators);
  const paid = await pay(simulators, { from: ann, to: bob, text: '2' });
  const failed = await pay(simulators, { from: ann, to: bob, text: '200' });
  const { other, requests } = await withoutJoin(t, { urls: simulators.sandbox.urls, network });
  for (const [hash, state] of [
    [paid, 'succeeded'],
    [failed, 'failed'],
  ] as const) {
    const transaction = take(await network.transaction(hash));
    const payments = take(await network.paymentsOf(hash));
    assert.equal(transaction.state, state);
    assert.deepEqual(take(await network.transactionWithPayments(hash)), { transaction, payments });
    assert.deepEqual(take(await other.transactionWithPayments(hash)), { transaction, payments });
  }
  assert.equal(requests(), 6);
  const missing = { transaction: { state: 'missing' }, payments: [] };
  assert.deepEqual(take(await network.transactionWithPayments('a'.repeat(64))), missing);
  assert.deepEqual(take(await other.transactionWithPayments('a'.repeat(64))), missing);
});
