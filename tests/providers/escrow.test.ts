// The escrow provider's adapter against its simulator: the whole lives of both kinds of contract, and what it looks up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { gather, multi, perform, settle, single, stepsOf, usdcOf, XLM } from './parties.ts';
import { amount, gist, openSimulators, take } from './provider-fixture.ts';

/** One sandbox and its parties for all tests of this file; each test has contracts of its own. */
const shared = shareInFile(async (t) => {
  const simulators = await openSimulators(t);
  return { simulators, parties: await gather(simulators) };
});

test('a single-release escrow is deployed, funded, worked on, approved and released, to the last unit', async () => {
  const { simulators, parties } = shared();
  const { buyer, seller, platform } = parties;
  const before = {
    seller: await usdcOf(simulators, seller.publicKey()),
    platform: await usdcOf(simulators, platform.publicKey()),
  };
  const contractId = (await perform(simulators, single(simulators, parties), buyer))!;
  const step = stepsOf(parties, { type: 'single-release', contractId });
  const record = async () => take(await simulators.escrow.findByContract([contractId]))[0]!;
  const fresh = await record();
  assert.deepEqual(
    [fresh.type, fresh.engagementId, fresh.signer, fresh.amount, fresh.balance, fresh.platformFeeBps, fresh.receiver],
    ['single-release', 'ord_1', buyer.publicKey(), amount('10'), 0n, 500, seller.publicKey()],
  );
  assert.deepEqual(fresh.flags, { disputed: false, released: false, resolved: false });
  assert.equal(await perform(simulators, step.fund(), buyer), null);
  assert.deepEqual(take(await simulators.escrow.balances([contractId])), [{ contractId, balance: amount('10') }]);
  await perform(simulators, step.status({ evidence: 'https://example.com/photo' }), seller);
  await perform(simulators, step.approve(), buyer);
  const [milestone] = (await record()).milestones;
  assert.deepEqual(milestone, {
    description: 'All of it',
    status: 'done',
    approved: true,
    amount: null,
    receiver: null,
    flags: null,
  });
  await perform(simulators, step.release(), buyer);
  assert.equal((await record()).flags?.released, true);
  assert.equal((await usdcOf(simulators, seller.publicKey()))! - before.seller!, amount('9.47'));
  assert.equal((await usdcOf(simulators, platform.publicKey()))! - before.platform!, amount('0.5'));
});

test('a single-release escrow is disputed and resolved; a share of nothing is left out', async () => {
  const { simulators, parties } = shared();
  const before = await usdcOf(simulators, parties.buyer.publicKey());
  const contractId = (await perform(simulators, single(simulators, parties), parties.buyer))!;
  const step = stepsOf(parties, { type: 'single-release', contractId });
  await perform(simulators, step.fund(), parties.buyer);
  await perform(simulators, step.dispute(), parties.buyer);
  const shares = [
    { address: parties.buyer.publicKey(), amount: amount('10') },
    { address: parties.seller.publicKey(), amount: amount('0') },
  ];
  await perform(simulators, step.resolve({ shares }), parties.platform);
  const [record] = take(await simulators.escrow.findByContract([contractId]));
  assert.deepEqual(record?.flags, { disputed: false, released: false, resolved: true });
  assert.equal(before! - (await usdcOf(simulators, parties.buyer.publicKey()))!, amount('0.53'));
});

test('a multi-release escrow: one milestone released, one resolved, the rest withdrawn', async () => {
  const { simulators, parties } = shared();
  const { buyer, seller, platform } = parties;
  const contractId = (await perform(simulators, multi(simulators, parties), buyer))!;
  const step = stepsOf(parties, { type: 'multi-release', contractId });
  await perform(simulators, step.fund({ amount: amount('31') }), buyer);
  await perform(simulators, step.status(), seller);
  await perform(simulators, step.approve(), buyer);
  await perform(simulators, step.release(), buyer);
  await perform(simulators, step.dispute({ milestone: 1 }), buyer);
  const all = [{ address: buyer.publicKey(), amount: amount('20') }];
  await perform(simulators, step.resolve({ milestone: 1, shares: all }), platform);
  const rest = [{ address: buyer.publicKey(), amount: amount('1') }];
  await perform(simulators, step.withdraw({ shares: rest }), platform);
  const [record] = take(await simulators.escrow.findByContract([contractId]));
  assert.deepEqual(
    [record?.type, record?.amount, record?.balance, record?.flags],
    ['multi-release', amount('30'), 0n, null],
  );
  assert.deepEqual(
    record?.milestones.map(({ amount: part, receiver, approved, flags }) => [part, receiver, approved, flags]),
    [
      [amount('10'), seller.publicKey(), true, { disputed: false, released: true, resolved: false }],
      [amount('20'), seller.publicKey(), false, { disputed: false, released: false, resolved: true }],
    ],
  );
});

test('an escrow is found again by its signer and our order’s id, and no other escrow is', async () => {
  const { simulators, parties } = shared();
  const contractId = await perform(simulators, single(simulators, parties, { engagementId: 'ord_7' }), parties.buyer);
  await perform(simulators, single(simulators, parties, { engagementId: 'ord_8' }), parties.buyer);
  const signer = parties.buyer.publicKey();
  const found = take(await simulators.escrow.findByEngagement({ signer, engagementId: 'ord_7' }));
  assert.deepEqual(
    found.map((escrow) => escrow.contractId),
    [contractId],
  );
  assert.deepEqual(take(await simulators.escrow.findByEngagement({ signer, engagementId: 'ord_9' })), []);
  const stranger = parties.stranger.publicKey();
  assert.deepEqual(take(await simulators.escrow.findByEngagement({ signer: stranger, engagementId: 'ord_7' })), []);
});

test('a contract that does not exist is found as none', async () => {
  const { escrow } = shared().simulators;
  const nowhere = 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC';
  assert.deepEqual(take(await escrow.findByContract([nowhere])), []);
  assert.equal((await escrow.balances([nowhere])).kind, 'no');
});

test('amounts to the last of seven places arrive exactly, in the native asset too', async () => {
  const { simulators, parties } = shared();
  const step = single(simulators, parties, { amount: amount('0.0000001'), platformFeeBps: 1, asset: XLM });
  const contractId = (await perform(simulators, step, parties.buyer))!;
  const { fund } = stepsOf(parties, { type: 'single-release', contractId });
  await perform(simulators, fund({ amount: amount('123.4567891') }), parties.buyer);
  const [record] = take(await simulators.escrow.findByContract([contractId]));
  assert.deepEqual([record?.amount, record?.balance, record?.platformFeeBps], [1n, amount('123.4567891'), 1]);
});

test('an amount a JSON number cannot carry is a no before anything is sent', async () => {
  const { simulators } = shared();
  const parties = {
    buyer: await settle(simulators),
    seller: await settle(simulators),
    platform: await settle(simulators),
  };
  const step = single(simulators, { ...parties, stranger: parties.buyer }, { amount: amount('1234567890.1234567') });
  assert.deepEqual(gist(await simulators.escrow.prepare(step)), ['no', 'unsayable']);
});

test('a wrong key is unknown and untouched, and never "no such escrow"', async (t) => {
  const simulators = await openSimulators(t, { env: { ESCROW_PROVIDER_API_KEY: 'wrong' } });
  const address = 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC';
  for (const asked of [
    simulators.escrow.findByContract([address]),
    simulators.escrow.submit('AAAA'),
    simulators.escrow.balances([address]),
  ]) {
    const got = await asked;
    assert.deepEqual([gist(got), (got as { untouched: boolean }).untouched], [['unknown', 'misconfigured'], true]);
  }
});
