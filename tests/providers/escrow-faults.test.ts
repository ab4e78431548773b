// The escrow provider's adapter while its simulator misbehaves: each fault gives the right kind, and repeats are bounded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvelope } from '../../server/src/providers/network/envelopes.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { gather, perform, sign, single, stepsOf } from './parties.ts';
import { amount, gist, openStreet, type Street, take } from './provider-stand.ts';

/** One sandbox and its parties for all tests of this file; each test has a contract of its own. */
const shared = shareInFile(async (t) => {
  const street = await openStreet(t);
  return { street, parties: await gather(street) };
});

const openShared = (): Street => {
  const { street } = shared();
  street.sandbox.faults.clear();
  return street;
};

const MANY = 9;
const type = 'single-release';

async function scene(street: Street) {
  const { parties } = shared();
  const contractId = (await perform(street, single(street, parties), parties.buyer))!;
  const step = stepsOf(parties, { type, contractId });
  const all = [
    ['deploy', single(street, parties)],
    ['fund', step.fund()],
    ['change-status', step.status()],
    ['approve', step.approve()],
    ['dispute', step.dispute()],
  ] as const;
  return { parties, contractId, step, all };
}

test('at preparing: an outage, silence, a refusal and slowness', async () => {
  const street = openShared();
  const { all } = await scene(street);
  for (const [operation, step] of all) {
    const outage = street.arm({ operation, fault: 'outage', count: MANY });
    assert.deepEqual(gist(await street.escrow.prepare(step)), ['unknown', 'connection']);
    assert.equal(street.struck(outage), 3, 'preparing is safe to repeat');
    street.sandbox.faults.clear();
    street.arm({ operation, fault: 'refusal' });
    assert.deepEqual(gist(await street.escrow.prepare(step)), ['no', 'REFUSED']);
    street.arm({ operation, fault: 'slow', delayMs: 20 });
    take(await street.escrow.prepare(step));
  }
  const silence = street.arm({ operation: 'fund', fault: 'timeout', count: MANY });
  assert.deepEqual(gist(await street.hurried.escrow.prepare(all[1][1])), ['unknown', 'timeout']);
  assert.equal(street.struck(silence), 1);
});

test('a wrong amount in what is to be signed is for the signer to see: the adapter passes it on', async () => {
  const street = openShared();
  const { step } = await scene(street);
  const right = take(await street.escrow.prepare(step.fund()));
  street.arm({ operation: 'fund', fault: 'wrong-amount' });
  const wrong = take(await street.escrow.prepare(step.fund()));
  assert.notEqual(wrong.unsignedTransaction, right.unsignedTransaction);
});

test('at submitting: FAILED under HTTP 200 is a no, and nothing happened', async () => {
  const street = openShared();
  const { parties, step, contractId } = await scene(street);
  const { unsignedTransaction } = take(await street.escrow.prepare(step.fund()));
  const signed = sign(street, unsignedTransaction, parties.buyer);
  street.arm({ operation: 'fund', fault: 'http-200-failed' });
  assert.equal((await street.escrow.submit(signed)).kind, 'no');
  assert.equal(take(await street.escrow.balances([contractId]))[0]?.balance, 0n);
});

test('a lost answer is bridged by sending the same envelope again, and the money moves once', async () => {
  const street = openShared();
  const { parties, step, contractId } = await scene(street);
  const { unsignedTransaction } = take(await street.escrow.prepare(step.fund()));
  const lost = street.arm({ operation: 'fund', fault: 'lost-answer', delayMs: 5, count: 2 });
  take(await street.escrow.submit(sign(street, unsignedTransaction, parties.buyer)));
  assert.equal(street.struck(lost), 2);
  assert.equal(take(await street.escrow.balances([contractId]))[0]?.balance, amount('10'));
});

test('an answer that never comes is unknown, and the hash we knew before tells that it happened', async () => {
  const street = openShared();
  const { parties, step } = await scene(street);
  const { unsignedTransaction } = take(await street.escrow.prepare(step.fund()));
  const signed = sign(street, unsignedTransaction, parties.buyer);
  const { hash } = readEnvelope(signed, street.network.passphrase)!;
  assert.deepEqual(take(await street.network.transaction(hash)), { state: 'missing' });
  street.arm({ operation: 'fund', fault: 'lost-answer' });
  assert.deepEqual(gist(await street.hurried.escrow.submit(signed)), ['unknown', 'timeout']);
  assert.equal(take(await street.network.transaction(hash)).state, 'succeeded');
});

test('the submission’s own faults', async () => {
  const street = openShared();
  const { parties, step } = await scene(street);
  const { unsignedTransaction } = take(await street.escrow.prepare(step.fund()));
  const signed = sign(street, unsignedTransaction, parties.buyer);
  const operation = 'send-transaction';
  street.arm({ operation, fault: 'refusal' });
  assert.deepEqual(gist(await street.escrow.submit(signed)), ['unknown', 'unclear'], 'no code of the ledger, no no');
  const outage = street.arm({ operation, fault: 'outage', count: MANY });
  assert.deepEqual(gist(await street.escrow.submit(signed)), ['unknown', 'connection']);
  assert.equal(street.struck(outage), 3);
  street.sandbox.faults.clear();
  street.arm({ operation, fault: 'timeout' });
  assert.deepEqual(gist(await street.hurried.escrow.submit(signed)), ['unknown', 'timeout']);
  street.arm({ operation, fault: 'slow', delayMs: 20 });
  take(await street.escrow.submit(signed));
});

test('a deployment without a contract id is a yes that lacks it, and the contract is found by our order’s id', async () => {
  const street = openShared();
  const { parties } = shared();
  const engagementId = 'ord_nameless';
  street.arm({ operation: 'deploy', fault: 'no-contract-id' });
  assert.equal(await perform(street, single(street, parties, { engagementId }), parties.buyer), null);
  const of = { signer: parties.buyer.publicKey(), engagementId };
  assert.equal(take(await street.escrow.findByEngagement(of)).length, 1);
});

test('lookups: an outage and silence are unknown, a refusal is a no, another amount is what was told', async () => {
  const street = openShared();
  const { contractId, parties } = await scene(street);
  const looks = [
    () => street.escrow.findByContract([contractId]),
    () => street.escrow.findByEngagement({ signer: parties.buyer.publicKey(), engagementId: 'ord_1' }),
    () => street.escrow.balances([contractId]),
  ];
  const operation = 'get-escrow';
  for (const look of looks) {
    const outage = street.arm({ operation, fault: 'outage', count: MANY });
    assert.deepEqual(gist(await look()), ['unknown', 'connection']);
    assert.equal(street.struck(outage), 3);
    street.sandbox.faults.clear();
    street.arm({ operation, fault: 'refusal' });
    assert.equal((await look()).kind, 'no');
  }
  street.arm({ operation, fault: 'timeout' });
  assert.deepEqual(gist(await street.hurried.escrow.findByContract([contractId])), ['unknown', 'timeout']);
  street.arm({ operation, fault: 'wrong-amount' });
  assert.equal(take(await street.escrow.findByContract([contractId]))[0]?.amount, amount('5'));
});

test('the provider’s limit of 50 a minute: what would come too late is told at once and never sent', async (t) => {
  const { sandbox } = await openStreet(t, { sandbox: { escrow: { rateLimit: true } } });
  const { escrow, calls } = await openStreet(t, {
    env: { ESCROW_PROVIDER_URL: sandbox.urls.escrow, PROVIDER_TIMEOUT_MS: '5000' },
  });
  const nowhere = 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC';
  const answers = await Promise.all(Array.from({ length: 60 }, () => escrow.findByContract([nowhere])));
  const late = answers.filter((answer) => answer.kind !== 'yes');
  for (const answer of late) assert.deepEqual(gist(answer), ['unknown', 'busy']);
  assert.ok(late.length >= 7 && late.length <= 10, `${late.length}`);
  assert.ok(calls.filter(({ status }) => status === 429).length === 0);
});
