// LEDGER_RATE_PER_MINUTE: no more requests than that reach the ledger, and payments and settlements go before the search for deposits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair, Operation } from '@stellar/stellar-sdk';
import { readConfig } from '../../server/src/config/config.ts';
import { createLedgerNetwork } from '../../server/src/providers/network/ledger-network.ts';
import { openProviders } from '../../server/src/providers/providers.ts';
import { ledgerOf, PASSPHRASE, write } from '../../tools/simulation/ledger-accounts.ts';
import { settle } from './parties.ts';
import { gist, say, shareSimulators, startOddOne } from './provider-fixture.ts';

const openShared = shareSimulators();

/** The adapter as the settings make it, and how many requests it has sent. */
const networkWith = (ledgerUrl: string, rate: string) => {
  const read = readConfig({ LEDGER_URL: ledgerUrl, LEDGER_RATE_PER_MINUTE: rate, SANDBOX: 'off' });
  assert.ok(read.ok, JSON.stringify(read));
  let sent = 0;
  const onCall = ({ attempts }: { attempts: number }) => {
    sent += attempts;
  };
  const { network } = openProviders(read.config, { sandboxUrl: null, onCall });
  return { network: network!, sent: () => sent };
};

test('the search for deposits leaves a part of the rate to settlements, and beyond the rate nothing is sent', async () => {
  const simulators = openShared();
  const { sandbox } = simulators;
  const payer = await settle(simulators);
  const destination = Keypair.random().publicKey();
  const operations = [Operation.createAccount({ destination, startingBalance: '5' })];
  const payment = await write(ledgerOf(sandbox), { by: payer, operations });
  const { network, sent } = networkWith(sandbox.urls.ledger, '8');
  const background = network.withPriority('background');
  const pages = await Promise.all(Array.from({ length: 20 }, () => background.networkPayments({ limit: 1 })));
  assert.equal(pages.filter(({ kind }) => kind === 'yes').length, 6, 'PROVIDER_SHARE_PERCENT of the rate');
  assert.deepEqual(new Set(pages.map(gist).map(String)), new Set(['yes,', 'unknown,busy']));
  assert.equal(sent(), 6);

  const hash = Buffer.from(payment.hash()).toString('hex');
  assert.equal((await network.submit(payment.toXDR())).kind, 'yes', 'a payment is sent');
  assert.equal((await network.transaction(hash)).kind, 'yes', 'and its outcome is read');
  assert.deepEqual(gist(await network.transaction(hash)), ['unknown', 'busy']);
  assert.equal(sent(), 8);
});

test('a rate of 0 is no limit', async () => {
  const { network, sent } = networkWith(openShared().sandbox.urls.ledger, '0');
  const background = network.withPriority('background');
  await Promise.all(Array.from({ length: 20 }, () => background.networkPayments({ limit: 1 })));
  assert.equal(sent(), 20);
});

test('when the rate is used up, a settlement that comes later is sent before the reads that wait', async (t) => {
  const odd = await startOddOne(t, [say(200, { _embedded: { records: [] } })]);
  const rate = { max: 1, windowMs: 500 };
  const network = createLedgerNetwork({ baseUrl: odd.url, passphrase: PASSPHRASE, timeoutMs: 5_000, rate });
  const background = network.withPriority('background');
  const hash = 'a'.repeat(64);
  await network.paymentsOf(hash);
  await Promise.all([
    background.networkPayments({}),
    background.ledgerPayments({ ledger: 7n, cursor: '0' }),
    network.paymentsOf(hash),
  ]);
  assert.deepEqual(
    odd.seen.map(({ url }) => url?.split('?')[0]),
    [`/transactions/${hash}/operations`, `/transactions/${hash}/operations`, '/payments', '/ledgers/7/payments'],
  );
});
