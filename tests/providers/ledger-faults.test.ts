// The ledger network's adapter while its simulator misbehaves, and what proves that a transaction is about a contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { createLedgerNetwork } from '../../server/src/providers/network/ledger-network.ts';
import { readEnvelope } from '../../server/src/providers/network/submit.ts';
import { buildPayments } from '../../tools/ledger-envelopes.ts';
import { gather, perform, settle, sign, single, soon, stepsOf, usdcOf, XLM } from './parties.ts';
import { amount, cut, gist, type Simulators, say, shareSimulators, startOddOne, take } from './provider-fixture.ts';

const openShared = shareSimulators();

const MANY = 9;

type Pair = { readonly ann: Keypair; readonly bob: Keypair };

const settlePair = async (simulators: Simulators, usdc = '20'): Promise<Pair> => ({
  ann: await settle(simulators, { usdc }),
  bob: await settle(simulators),
});

async function payment(simulators: Simulators, pair?: Pair) {
  const { ann, bob } = pair ?? (await settlePair(simulators));
  const { sequence } = take(await simulators.network.account(ann.publicKey()))!;
  const source = { address: ann.publicKey(), sequence };
  const terms = {
    passphrase: simulators.network.passphrase,
    source,
    feePerOperation: 100n,
    validUntil: soon(simulators),
  };
  const { unsigned, hash } = buildPayments(terms, [
    { to: bob.publicKey(), asset: simulators.asset, amount: amount('5') },
  ]);
  return { ann, bob, signed: sign(simulators, unsigned, ann), hash };
}

test('submitting: each fault gives the right kind, and the money moves once or not at all', async () => {
  const simulators = openShared();
  const { network, arm } = simulators;
  const operation = 'payment';
  const cases: [string, number | undefined, [string, string | null], bigint][] = [
    ['refusal', undefined, ['no', 'op_not_authorized'], 0n],
    ['http-200-failed', undefined, ['no', 'tx_failed'], 0n],
    ['outage', undefined, ['yes', null], amount('5')],
    ['lost-answer', 5, ['yes', null], amount('5')],
    ['timeout', 5, ['unknown', 'lagging'], 0n],
    ['slow', 5, ['yes', null], amount('5')],
    ['wrong-amount', undefined, ['yes', null], amount('2.5')],
  ];
  const pair = await settlePair(simulators, '100');
  for (const [fault, delayMs, expected, arrived] of cases) {
    const { bob, signed } = await payment(simulators, pair);
    const before = (await usdcOf(simulators, bob.publicKey()))!;
    arm({ operation, fault, ...(delayMs === undefined ? {} : { delayMs }) });
    assert.deepEqual(gist(await network.submit(signed)), expected, fault);
    assert.equal((await usdcOf(simulators, bob.publicKey()))! - before, arrived, fault);
  }
});

test('an answer that never comes is unknown; the hash tells, and the same envelope again is safe', async () => {
  const simulators = openShared();
  const { bob, signed, hash } = await payment(simulators);
  const lost = simulators.arm({ operation: 'payment', fault: 'lost-answer', count: MANY });
  assert.deepEqual(gist(await simulators.hurried.network.submit(signed)), ['unknown', 'timeout']);
  assert.equal(simulators.struck(lost), 1);
  simulators.sandbox.faults.clear();
  assert.equal(take(await simulators.network.transaction(hash)).state, 'succeeded');
  take(await simulators.network.submit(signed));
  assert.equal(await usdcOf(simulators, bob.publicKey()), amount('5'));
});

test('reading: an outage is unknown after bounded repeats, silence after one, a refusal is a no', async () => {
  const simulators = openShared();
  const { ann, hash, signed } = await payment(simulators);
  take(await simulators.network.submit(signed));
  const address = ann.publicKey();
  const reads = [
    ['account', (by: Simulators['network'] = simulators.network) => by.account(address)],
    ['account', (by: Simulators['network'] = simulators.network) => by.payments({ address })],
    ['transaction-get', (by: Simulators['network'] = simulators.network) => by.transaction(hash)],
  ] as const;
  for (const [operation, read] of reads) {
    const outage = simulators.arm({ operation, fault: 'outage', count: MANY });
    assert.deepEqual(gist(await read()), ['unknown', 'connection']);
    assert.equal(simulators.struck(outage), 3);
    simulators.sandbox.faults.clear();
    simulators.arm({ operation, fault: 'timeout' });
    assert.deepEqual(gist(await read(simulators.hurried.network)), ['unknown', 'timeout']);
    simulators.arm({ operation, fault: 'refusal' });
    assert.deepEqual(gist(await read()), ['no', 'bad_request']);
    simulators.arm({ operation, fault: 'slow', delayMs: 5 });
    assert.equal((await read()).kind, 'yes');
  }
  simulators.arm({ operation: 'account', fault: 'wrong-amount' });
  assert.equal(await usdcOf(simulators, address), amount('7.5'));
});

test('a dead network is unknown', async (t) => {
  const { sandbox } = openShared();
  const network = createLedgerNetwork({ baseUrl: `${sandbox.url}/nowhere`, passphrase: 'x', timeoutMs: 500 });
  const address = Keypair.random().publicKey();
  assert.deepEqual(gist(await network.account(address)), ['unknown', 'unclear'], 'a 404 of another server');
  const odd = await startOddOne(t, [cut]);
  const dead = createLedgerNetwork({ baseUrl: odd.url, passphrase: 'x', timeoutMs: 2_000 });
  assert.deepEqual(gist(await dead.latestLedger()), ['unknown', 'connection']);
  assert.deepEqual(gist(await dead.friendbot(address)), ['unknown', 'connection']);
});

test('a late envelope stays unknown while the ledger has not been read far enough, and a trouble of the ledger too', async (t) => {
  const simulators = openShared();
  const { signed } = await payment(simulators);
  const { source, sequence } = readEnvelope(signed, simulators.network.passphrase)!;
  const failed = (code: string) =>
    say(400, { type: 'x/transaction_failed', extras: { result_codes: { transaction: code } } });
  const ledgers = say(200, { _embedded: { records: [{ sequence: 5, closed_at: '2020-01-01T00:00:00Z' }] } });
  const RESERVES = { subentry_count: 0, num_sponsoring: 0, num_sponsored: 0 };
  const REST = { balances: [], signers: [], thresholds: { med_threshold: 0 }, ...RESERVES };
  const NAMED = { 'latest-ledger': '5' };
  const account = (at: bigint) => say(200, { account_id: source, sequence: String(at), ...REST }, NAMED);
  const missing = say(404, { type: 'https://stellar.org/horizon-errors/not_found', status: 404 });
  const ask = async (...answers: Parameters<typeof startOddOne>[1]) => {
    const { url } = await startOddOne(t, answers);
    const { passphrase } = simulators.network;
    return createLedgerNetwork({ baseUrl: url, passphrase, timeoutMs: 30_000, attemptsMax: 1 }).submit(signed);
  };
  assert.deepEqual(gist(await ask(failed('tx_bad_seq'), ledgers, account(sequence - 1n), missing)), [
    'unknown',
    'lagging',
  ]);
  assert.deepEqual(gist(await ask(failed('tx_bad_seq'), ledgers, account(sequence), missing)), ['no', 'tx_bad_seq']);
  assert.deepEqual(gist(await ask(failed('tx_bad_seq'), ledgers, account(sequence), cut)), ['unknown', 'connection']);
  assert.deepEqual(gist(await ask(failed('tx_bad_seq'), say(500, {}))), ['unknown', 'provider-error']);
  assert.deepEqual(gist(await ask(failed('tx_internal_error'))), ['unknown', 'provider-error']);
  assert.deepEqual(
    gist(
      await ask(
        say(200, { successful: true, hash: 'other', ledger: 1, created_at: 'x', fee_charged: '100', fee_account: 'G' }),
      ),
    ),
    ['unknown', 'unclear'],
  );
  assert.deepEqual(gist(await ask(say(200, { hash: 'no word of success' }))), ['unknown', 'unreadable']);
});

test('an account whose answer does not name its ledger is unknown, and so is one that is missing', async (t) => {
  const simulators = openShared();
  const person = await settle(simulators);
  // Such as a proxy that passes no header on.
  const proxy = await startOddOne(t, [
    async (response, request) => {
      const answer = await fetch(`${simulators.sandbox.urls.ledger}${request.url}`);
      say(answer.status, await answer.text())(response);
    },
  ]);
  const network = createLedgerNetwork({ baseUrl: proxy.url, passphrase: 'x', timeoutMs: 2_000 });
  for (const address of [person.publicKey(), Keypair.random().publicKey()]) {
    assert.notEqual(gist(await simulators.network.account(address))[0], 'unknown');
    assert.deepEqual(gist(await network.account(address)), ['unknown', 'misconfigured']);
  }
});

test('a transaction concerns a contract only with the right contract, asset and amount', async () => {
  const simulators = openShared();
  const parties = await gather(simulators);
  const contractId = (await perform(simulators, single(simulators, parties), parties.buyer))!;
  const other = (await perform(simulators, single(simulators, parties, { engagementId: 'ord_2' }), parties.buyer))!;
  const step = stepsOf(parties, { type: 'single-release', contractId });
  const run = async (next: Parameters<typeof perform>[1], by: Keypair) => {
    const { unsignedTransaction } = take(await simulators.escrow.prepare(next));
    const signed = sign(simulators, unsignedTransaction, by);
    take(await simulators.escrow.submit(signed));
    return readEnvelope(signed, simulators.network.passphrase)!.hash;
  };
  const concerns = simulators.network.verifyTransactionConcerns;
  const funded = await run(step.fund(), parties.buyer);
  const asset = simulators.asset;
  const ten = amount('10');
  take(await concerns({ hash: funded, contract: contractId, asset, amount: ten }));
  take(await concerns({ hash: funded, contract: contractId }));
  assert.deepEqual(gist(await concerns({ hash: funded, contract: other, asset, amount: ten })), [
    'no',
    'other-contract',
  ]);
  assert.deepEqual(gist(await concerns({ hash: funded, contract: contractId, asset: XLM, amount: ten })), [
    'no',
    'other-asset',
  ]);
  const more = amount('10.0000001');
  assert.deepEqual(gist(await concerns({ hash: funded, contract: contractId, asset, amount: more })), [
    'no',
    'other-amount',
  ]);
  const worked = await run(step.status(), parties.seller);
  take(await concerns({ hash: worked, contract: contractId }));
  assert.equal((await concerns({ hash: worked, contract: contractId, asset, amount: ten })).kind, 'no');
  await run(step.approve(), parties.buyer);
  const released = await run(step.release(), parties.buyer);
  take(await concerns({ hash: released, contract: contractId, asset, amount: ten }));
  const stranger = await payment(simulators);
  take(await simulators.network.submit(stranger.signed));
  assert.deepEqual(gist(await concerns({ hash: stranger.hash, contract: contractId })), ['no', 'other-contract']);
  assert.deepEqual(gist(await concerns({ hash: '0'.repeat(64), contract: contractId })), ['no', 'missing']);
});

test('a transaction that failed concerns nothing, and one that cannot be read is unknown', async () => {
  const simulators = openShared();
  const { signed, hash, bob } = await payment(simulators);
  simulators.arm({ operation: 'payment', fault: 'refusal' });
  assert.equal((await simulators.network.submit(signed)).kind, 'no');
  const contract = bob.publicKey();
  assert.deepEqual(gist(await simulators.network.verifyTransactionConcerns({ hash, contract })), ['no', 'failed']);
  simulators.arm({ operation: 'transaction-get', fault: 'outage', count: MANY });
  assert.deepEqual(gist(await simulators.network.verifyTransactionConcerns({ hash, contract })), [
    'unknown',
    'connection',
  ]);
});
