// The escrow provider's adapter while its simulator misbehaves: each fault gives the right kind, and repeats are bounded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvelope } from '../../server/src/providers/network/submit.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { gather, perform, sign, single, stepsOf } from './parties.ts';
import { amount, gist, openSimulators, type Simulators, take } from './provider-fixture.ts';

/** One sandbox and its parties for all tests of this file; each test has a contract of its own. */
const shared = shareInFile(async (t) => {
  const simulators = await openSimulators(t);
  return { simulators, parties: await gather(simulators) };
});

const openShared = (): Simulators => {
  const { simulators } = shared();
  simulators.sandbox.faults.clear();
  return simulators;
};

const MANY = 9;
const type = 'single-release';

async function scene(simulators: Simulators) {
  const { parties } = shared();
  const contractId = (await perform(simulators, single(simulators, parties), parties.buyer))!;
  const step = stepsOf(parties, { type, contractId });
  const all = [
    ['deploy', single(simulators, parties)],
    ['fund', step.fund()],
    ['change-status', step.status()],
    ['approve', step.approve()],
    ['dispute', step.dispute()],
  ] as const;
  return { parties, contractId, step, all };
}

test('at preparing: an outage, silence, a refusal and slowness', async () => {
  const simulators = openShared();
  const { all } = await scene(simulators);
  for (const [operation, step] of all) {
    const outage = simulators.arm({ operation, fault: 'outage', count: MANY });
    assert.deepEqual(gist(await simulators.escrow.prepare(step)), ['unknown', 'connection']);
    assert.equal(simulators.struck(outage), 3, 'preparing is safe to repeat');
    simulators.sandbox.faults.clear();
    simulators.arm({ operation, fault: 'refusal' });
    assert.deepEqual(gist(await simulators.escrow.prepare(step)), ['no', 'REFUSED']);
    simulators.arm({ operation, fault: 'slow', delayMs: 20 });
    take(await simulators.escrow.prepare(step));
  }
  const silence = simulators.arm({ operation: 'fund', fault: 'timeout', count: MANY });
  assert.deepEqual(gist(await simulators.hurried.escrow.prepare(all[1][1])), ['unknown', 'timeout']);
  assert.equal(simulators.struck(silence), 1);
});

test('a wrong amount in what is to be signed is for the signer to see: the adapter passes it on', async () => {
  const simulators = openShared();
  const { step } = await scene(simulators);
  const right = take(await simulators.escrow.prepare(step.fund()));
  simulators.arm({ operation: 'fund', fault: 'wrong-amount' });
  const wrong = take(await simulators.escrow.prepare(step.fund()));
  assert.notEqual(wrong.unsignedTransaction, right.unsignedTransaction);
});

test('at submitting: FAILED under HTTP 200 is a no, and nothing happened', async () => {
  const simulators = openShared();
  const { parties, step, contractId } = await scene(simulators);
  const { unsignedTransaction } = take(await simulators.escrow.prepare(step.fund()));
  const signed = sign(simulators, unsignedTransaction, parties.buyer);
  simulators.arm({ operation: 'fund', fault: 'http-200-failed' });
  assert.equal((await simulators.escrow.submit(signed)).kind, 'no');
  assert.equal(take(await simulators.escrow.balances([contractId]))[0]?.balance, 0n);
});

test('a lost answer is bridged by sending the same envelope again, and the money moves once', async () => {
  const simulators = openShared();
  const { parties, step, contractId } = await scene(simulators);
  const { unsignedTransaction } = take(await simulators.escrow.prepare(step.fund()));
  const lost = simulators.arm({ operation: 'fund', fault: 'lost-answer', delayMs: 5, count: 2 });
  take(await simulators.escrow.submit(sign(simulators, unsignedTransaction, parties.buyer)));
  assert.equal(simulators.struck(lost), 2);
  assert.equal(take(await simulators.escrow.balances([contractId]))[0]?.balance, amount('10'));
});

test('an answer that never comes is unknown, and the hash we knew before tells that it happened', async () => {
  const simulators = openShared();
  const { parties, step } = await scene(simulators);
  const { unsignedTransaction } = take(await simulators.escrow.prepare(step.fund()));
  const signed = sign(simulators, unsignedTransaction, parties.buyer);
  const { hash } = readEnvelope(signed, simulators.network.passphrase)!;
  assert.deepEqual(take(await simulators.network.transaction(hash)), { state: 'missing' });
  simulators.arm({ operation: 'fund', fault: 'lost-answer' });
  assert.deepEqual(gist(await simulators.hurried.escrow.submit(signed)), ['unknown', 'timeout']);
  assert.equal(take(await simulators.network.transaction(hash)).state, 'succeeded');
});

test('the submission’s own faults', async () => {
  const simulators = openShared();
  const { parties, step } = await scene(simulators);
  const { unsignedTransaction } = take(await simulators.escrow.prepare(step.fund()));
  const signed = sign(simulators, unsignedTransaction, parties.buyer);
  const operation = 'send-transaction';
  simulators.arm({ operation, fault: 'refusal' });
  assert.deepEqual(
    gist(await simulators.escrow.submit(signed)),
    ['unknown', 'unclear'],
    'no code of the ledger, no no',
  );
  const outage = simulators.arm({ operation, fault: 'outage', count: MANY });
  assert.deepEqual(gist(await simulators.escrow.submit(signed)), ['unknown', 'connection']);
  assert.equal(simulators.struck(outage), 3);
  simulators.sandbox.faults.clear();
  simulators.arm({ operation, fault: 'timeout' });
  assert.deepEqual(gist(await simulators.hurried.escrow.submit(signed)), ['unknown', 'timeout']);
  simulators.arm({ operation, fault: 'slow', delayMs: 20 });
  take(await simulators.escrow.submit(signed));
});

test('a deployment without a contract id is a yes that lacks it, and the contract is found by our order’s id', async () => {
  const simulators = openShared();
  const { parties } = shared();
  const engagementId = 'ord_nameless';
  simulators.arm({ operation: 'deploy', fault: 'no-contract-id' });
  assert.equal(await perform(simulators, single(simulators, parties, { engagementId }), parties.buyer), null);
  const of = { signer: parties.buyer.publicKey(), engagementId };
  assert.equal(take(await simulators.escrow.findByEngagement(of)).length, 1);
});

test('lookups: an outage and silence are unknown, a refusal is a no, another amount is what was told', async () => {
  const simulators = openShared();
  const { contractId, parties } = await scene(simulators);
  const looks = [
    () => simulators.escrow.findByContract([contractId]),
    () => simulators.escrow.findByEngagement({ signer: parties.buyer.publicKey(), engagementId: 'ord_1' }),
    () => simulators.escrow.balances([contractId]),
  ];
  const operation = 'get-escrow';
  for (const look of looks) {
    const outage = simulators.arm({ operation, fault: 'outage', count: MANY });
    assert.deepEqual(gist(await look()), ['unknown', 'connection']);
    assert.equal(simulators.struck(outage), 3);
    simulators.sandbox.faults.clear();
    simulators.arm({ operation, fault: 'refusal' });
    assert.equal((await look()).kind, 'no');
  }
  simulators.arm({ operation, fault: 'timeout' });
  assert.deepEqual(gist(await simulators.hurried.escrow.findByContract([contractId])), ['unknown', 'timeout']);
  simulators.arm({ operation, fault: 'wrong-amount' });
  assert.equal(take(await simulators.escrow.findByContract([contractId]))[0]?.amount, amount('5'));
});

test('the provider’s limit of 50 a minute: what would come too late is told at once and never sent', async (t) => {
  const { sandbox } = await openSimulators(t, { sandbox: { escrow: { rateLimit: true } } });
  const { escrow, calls } = await openSimulators(t, {
    env: { ESCROW_PROVIDER_URL: sandbox.urls.escrow, PROVIDER_TIMEOUT_MS: '5000' },
  });
  const nowhere = 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC';
  const answers = await Promise.all(Array.from({ length: 60 }, () => escrow.findByContract([nowhere])));
  const late = answers.filter((answer) => answer.kind !== 'yes');
  for (const answer of late) assert.deepEqual(gist(answer), ['unknown', 'busy']);
  assert.ok(late.length >= 7 && late.length <= 10, `${late.length}`);
  assert.ok(calls.filter(({ status }) => status === 429).length === 0);
});
