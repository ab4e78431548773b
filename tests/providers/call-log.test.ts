// Nothing that a call carries gets into the log: no key, address, body, e-mail, envelope or answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { readConfig } from '../../server/src/config/config.ts';
import { createLog } from '../../server/src/observability/logs.ts';
import { type CallRecord, logCalls } from '../../server/src/providers/call-record.ts';
import { openProviders, SANDBOX } from '../../server/src/providers/providers.ts';
import { gather, sign, single } from './parties.ts';
import { amount, openSimulators, take } from './provider-fixture.ts';

test('the log of every kind of call and outcome has names and numbers, and no secret', async (t) => {
  const simulators = await openSimulators(t);
  const parties = await gather(simulators);
  const lines: string[] = [];
  const onCall = logCalls(
    createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } }),
  );
  const read = readConfig({ PROVIDER_TIMEOUT_MS: '3000' });
  assert.ok(read.ok);
  const { escrow, payment, network } = openProviders(read.config, { sandboxUrl: simulators.sandbox.url, onCall });
  assert.ok(escrow && payment && network);
  const email = 'maria.secret@example.com';
  take(await payment.getUser(email));
  await payment.createPayout({ code: 'wdr_1', amount: amount('12.34'), email, notes: 'a private note', commit: false });
  await payment.createPayout({
    code: 'wdr_2',
    amount: amount('1'),
    email: `inactive.${email}`,
    notes: 'x',
    commit: false,
  });
  const { unsignedTransaction } = take(await escrow.prepare(single(simulators, parties)));
  const signed = sign(simulators, unsignedTransaction, parties.buyer);
  take(await escrow.submit(signed));
  take(await network.account(parties.buyer.publicKey()));
  simulators.arm({ operation: 'account', fault: 'outage', count: 3 });
  assert.equal((await network.account(parties.buyer.publicKey())).kind, 'unknown');
  const text = lines.join('');
  const secrets = [SANDBOX.apiKey, SANDBOX.secret, Buffer.from(`${SANDBOX.key}:${SANDBOX.secret}`).toString('base64')];
  const personal = [
    email,
    'private note',
    'wdr_1',
    '12.34',
    parties.buyer.publicKey(),
    signed.slice(0, 40),
    '127.0.0.1',
  ];
  for (const hidden of [...secrets, ...personal]) assert.equal(text.includes(hidden), false, hidden);
  const told = lines.map((line) => JSON.parse(line) as { level: string; call: CallRecord });
  assert.deepEqual(
    told.map(({ level, call }) => [level, call.provider, call.operation, call.outcome, call.status]),
    [
      ['info', 'payment-provider', 'get-user', 'yes', 200],
      ['info', 'payment-provider', 'create-payout', 'yes', 200],
      ['info', 'payment-provider', 'create-payout', 'no', 422],
      ['info', 'payment-provider', 'find-payout', 'yes', 404],
      ['info', 'escrow-provider', 'deploy', 'yes', 201],
      ['info', 'escrow-provider', 'submit', 'yes', 200],
      ['info', 'ledger-network', 'account', 'yes', 200],
      ['warn', 'ledger-network', 'account', 'unknown', null],
    ],
  );
});

test('no reason of an answer tells a key, an address of a machine or a person', async (t) => {
  const simulators = await openSimulators(t, { env: { PAYMENT_PROVIDER_SECRET: 'a-very-secret-secret' } });
  const answers = [await simulators.payment.getUser('maria@example.com')];
  simulators.arm({ operation: 'account', fault: 'outage', count: 3 });
  answers.push((await simulators.network.account(Keypair.random().publicKey())) as never);
  for (const answer of answers) {
    assert.ok(answer.kind === 'unknown');
    assert.doesNotMatch(answer.reason, /secret|maria|127\.0\.0\.1/);
  }
});
