// The ledger network's adapter against its simulator: what it reads, what it builds, and what it submits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import type { LedgerPayment } from '../../server/src/providers/ledger-port.ts';
import { readEnvelope } from '../../server/src/providers/network/submit.ts';
import { buildActivation, buildPayments, type Terms } from '../../tools/ledger-envelopes.ts';
import { faucet, ledgerOf, write } from '../../tools/simulation/ledger-accounts.ts';
import { gather, perform, settle, sign, single, soon, stepsOf, usdcOf, XLM } from './parties.ts';
import { amount, gist, type Simulators, shareSimulators, take } from './provider-fixture.ts';

const openShared = shareSimulators();

async function termsFor(simulators: Simulators, source: Keypair): Promise<Terms> {
  const { sequence } = take(await simulators.network.account(source.publicKey()))!;
  const { passphrase } = simulators.network;
  const from = { address: source.publicKey(), sequence };
  return { passphrase, source: from, feePerOperation: 100n, validUntil: soon(simulators) };
}

async function pay(simulators: Simulators, { from, to, text }: { from: Keypair; to: Keypair; text: string }) {
  const payments = [{ to: to.publicKey(), asset: simulators.asset, amount: amount(text) }];
  const { unsigned, hash } = buildPayments(await termsFor(simulators, from), payments);
  return { signed: sign(simulators, unsigned, from), hash };
}

test('the network says which one it is, how far it is, what it charges and that it gives accounts away', async () => {
  const { network } = openShared();
  const info = take(await network.networkInfo());
  assert.deepEqual([info.passphrase, info.offersFriendbot], [network.passphrase, true]);
  const latest = take(await network.latestLedger());
  assert.ok(latest.sequence >= 1 && Date.parse(latest.closedAt) > 0 && info.latestLedger >= 1);
  assert.deepEqual(take(await network.feeStats()), {
    baseFee: 100n,
    usualFee: 100n,
    bidFee: 100n,
    urgentFee: 100n,
  });
});

test('an account tells its sequence, its balances and what it trusts; one that does not exist is a definite null', async () => {
  const simulators = openShared();
  const person = await settle(simulators, { usdc: '12.3456789' });
  const account = take(await simulators.network.account(person.publicKey()))!;
  assert.deepEqual(
    account.balances.map(({ asset, amount: held, isAuthorized }) => [asset, held, isAuthorized]),
    [
      [simulators.asset, amount('12.3456789'), true],
      [XLM, amount('9999.99999'), true],
    ],
  );
  assert.ok(account.sequence > 0n && account.balances[0]!.limit! > 0n && account.balances[1]!.limit === null);
  assert.equal(take(await simulators.network.account(Keypair.random().publicKey())), null);
  assert.deepEqual(gist(await simulators.network.account('GABC')), ['no', 'bad-address']);
});

test('a second account of the same address is a no', async () => {
  const simulators = openShared();
  const person = await settle(simulators);
  assert.equal((await simulators.network.friendbot(person.publicKey())).kind, 'no');
});

test('the treasury brings an account with its trustline to life, in one transaction of two signers', async () => {
  const simulators = openShared();
  const treasury = await settle(simulators);
  const newcomer = Keypair.random();
  const address = newcomer.publicKey();
  const wanted = { address, startingBalance: amount('2'), trust: [simulators.asset] };
  const { unsigned, hash } = buildActivation(await termsFor(simulators, treasury), wanted);
  const half = await simulators.network.submit(sign(simulators, unsigned, treasury));
  assert.deepEqual(gist(half), ['no', 'op_bad_auth']);
  const signed = sign(simulators, unsigned, treasury, newcomer);
  assert.equal(readEnvelope(signed, simulators.network.passphrase)?.hash, hash, 'signing does not change the hash');
  assert.equal(take(await simulators.network.submit(signed)).hash, hash);
  assert.equal(await usdcOf(simulators, address), 0n);
});

test('a batch of payments is one transaction, and the same envelope again is the same yes', async () => {
  const simulators = openShared();
  const treasury = await settle(simulators, { usdc: '100' });
  const ann = await settle(simulators);
  const bob = await settle(simulators);
  const payments = [
    { to: ann.publicKey(), asset: simulators.asset, amount: amount('1.5') },
    { to: bob.publicKey(), asset: simulators.asset, amount: amount('2.0000001') },
    { to: bob.publicKey(), asset: XLM, amount: amount('3') },
  ];
  const { unsigned, hash } = buildPayments({ ...(await termsFor(simulators, treasury)), memo: 'batch 1' }, payments);
  const signed = sign(simulators, unsigned, treasury);
  assert.deepEqual(take(await simulators.network.transaction(hash)), { state: 'missing' });
  const first = take(await simulators.network.submit(signed));
  assert.deepEqual(take(await simulators.network.submit(signed)), first);
  assert.deepEqual(
    [await usdcOf(simulators, ann.publicKey()), await usdcOf(simulators, bob.publicKey())],
    [amount('1.5'), amount('2.0000001')],
  );
  const found = take(await simulators.network.transaction(hash));
  assert.ok(found.state === 'succeeded');
  assert.deepEqual([found.hash, found.ledger], [hash, first.ledger]);
});

test('no batch is empty or larger than the network takes', async () => {
  const simulators = openShared();
  const terms = await termsFor(simulators, await settle(simulators));
  const one = { to: terms.source.address, asset: XLM, amount: amount('1') };
  assert.throws(() => buildPayments(terms, []), /1 to 100/);
  assert.throws(() => buildPayments(terms, Array(101).fill(one)), /1 to 100/);
});

test('every kind of payment is told alike: created, paid, by a path, by a contract; each under its own id', async () => {
  const simulators = openShared();
  const { asset, network } = simulators;
  const ledger = ledgerOf(simulators.sandbox);
  const ann = await settle(simulators, { usdc: '50' });
  const bob = await settle(simulators);
  const from = ann.publicKey();
  const to = bob.publicKey();
  const usdc = new Asset(asset.code, asset.issuer!);
  const path = { sendAsset: usdc, destAsset: usdc, destination: to, path: [] };
  const operations = [
    Operation.payment({ destination: to, asset: usdc, amount: '1' }),
    Operation.payment({ destination: to, asset: usdc, amount: '1' }),
    Operation.payment({ destination: to, asset: Asset.native(), amount: '2' }),
    Operation.pathPaymentStrictSend({ ...path, sendAmount: '3', destMin: '3' }),
    Operation.pathPaymentStrictReceive({ ...path, sendMax: '5', destAmount: '4' }),
  ];
  const batch = await write(ledger, { by: ann, operations });
  take(await network.submit(batch.toXDR()));
  const { payments, cursor, isLast } = take(await network.payments({ address: to }));
  assert.equal(isLast, true);
  assert.deepEqual(
    payments.map((payment) => [payment.kind, payment.asset.code, payment.amount, payment.to]),
    [
      ['create-account', 'XLM', amount('10000'), to],
      ['payment', 'USDC', amount('1'), to],
      ['payment', 'USDC', amount('1'), to],
      ['payment', 'XLM', amount('2'), to],
      ['path-payment', 'USDC', amount('3'), to],
      ['path-payment', 'USDC', amount('4'), to],
    ],
  );
  assert.equal(new Set(payments.map(({ id }) => id)).size, payments.length);
  assert.equal(new Set(payments.slice(1).map(({ transactionHash }) => transactionHash)).size, 1);
  assert.ok(payments.every((payment) => payment.successful && payment.id === payment.operationId));
  const sent = take(await network.payments({ address: from, cursor: null })).payments.filter((p) => p.from === from);
  assert.equal(sent.length, 5);
  assert.deepEqual(take(await network.payments({ address: to, cursor })), {
    payments: [],
    merges: [],
    cursor,
    isLast: true,
  });
  await faucet(ledger, { address: to, asset: 'USDC', amount: '7' });
  const news = take(await network.payments({ address: to, cursor }));
  assert.deepEqual(
    news.payments.map((payment) => payment.amount),
    [amount('7')],
  );
});

type Page = { payments: readonly LedgerPayment[]; cursor: string | null; isLast: boolean };

test('pages join without a gap or a repeat, oldest first or newest first', async () => {
  const simulators = openShared();
  const ledger = ledgerOf(simulators.sandbox);
  const address = (await settle(simulators)).publicKey();
  for (const text of ['1', '2', '3', '4', '5']) await faucet(ledger, { address, asset: 'USDC', amount: text });
  const seen: bigint[] = [];
  let cursor: string | null = null;
  for (let isLast = false; !isLast; ) {
    const page: Page = take(await simulators.network.payments({ address, cursor, limit: 2 }));
    seen.push(...page.payments.map((payment) => payment.amount));
    ({ cursor, isLast } = page);
  }
  assert.deepEqual(seen.slice(1), ['1', '2', '3', '4', '5'].map(amount));
  const newest = take(await simulators.network.payments({ address, order: 'desc', limit: 2 }));
  assert.deepEqual(
    newest.payments.map((payment) => payment.amount),
    [amount('5'), amount('4')],
  );
});

test('what an escrow contract pays is on its receivers’ pages, part by part', async () => {
  const simulators = openShared();
  const parties = await gather(simulators);
  const contractId = (await perform(simulators, single(simulators, parties), parties.buyer))!;
  const step = stepsOf(parties, { type: 'single-release', contractId });
  await perform(simulators, step.fund(), parties.buyer);
  await perform(simulators, step.status(), parties.seller);
  await perform(simulators, step.approve(), parties.buyer);
  await perform(simulators, step.release(), parties.buyer);
  const transfers = async (address: string) =>
    take(await simulators.network.payments({ address })).payments.filter(({ kind }) => kind === 'contract-transfer');
  const [received] = await transfers(parties.seller.publicKey());
  assert.deepEqual(
    [received?.from, received?.to, received?.amount, received?.asset],
    [contractId, parties.seller.publicKey(), amount('9.47'), simulators.asset],
  );
  assert.match(received!.id, new RegExp(`^${received!.operationId}-\\d$`));
  const [paid] = await transfers(parties.buyer.publicKey());
  assert.deepEqual([paid?.from, paid?.to, paid?.amount], [parties.buyer.publicKey(), contractId, amount('10')]);
  const [fee] = await transfers(parties.platform.publicKey());
  assert.equal(fee?.amount, amount('0.5'));
});

test('an account that does not exist has no payments', async () => {
  const { network } = openShared();
  const address = Keypair.random().publicKey();
  assert.deepEqual(take(await network.payments({ address })), { payments: [], merges: [], cursor: null, isLast: true });
});

test('each refusal of the ledger is a no with its code', async () => {
  const simulators = openShared();
  const ann = await settle(simulators, { usdc: '10' });
  const bob = await settle(simulators, { trust: false });
  const eve = await settle(simulators);
  const submit = async (to: string, text: string, source = ann) => {
    const { unsigned } = buildPayments(await termsFor(simulators, source), [
      { to, asset: simulators.asset, amount: amount(text) },
    ]);
    return simulators.network.submit(sign(simulators, unsigned, source));
  };
  assert.deepEqual(gist(await submit(eve.publicKey(), '11')), ['no', 'op_underfunded']);
  assert.deepEqual(gist(await submit(bob.publicKey(), '1')), ['no', 'op_no_trust']);
  assert.deepEqual(gist(await submit(Keypair.random().publicKey(), '1')), ['no', 'op_no_destination']);
  assert.deepEqual(gist(await submit(ann.publicKey(), '1', bob)), ['no', 'op_src_no_trust']);
  const { signed } = await pay(simulators, { from: ann, to: ann, text: '1' });
  const unsigned = TransactionBuilder.fromXDR(signed, simulators.network.passphrase);
  unsigned.signatures.length = 0;
  assert.deepEqual(gist(await simulators.network.submit(unsigned.toXDR())), ['no', 'tx_bad_auth']);
  assert.deepEqual(gist(await simulators.network.submit('AAAA')), ['no', 'transaction_malformed']);
  assert.deepEqual(gist(await simulators.network.transaction('abc')), ['no', 'bad-hash']);
  const poor = {
    ...(await termsFor(simulators, ann)),
    source: { address: Keypair.random().publicKey(), sequence: 1n },
  };
  const orphan = buildPayments(poor, [{ to: ann.publicKey(), asset: XLM, amount: amount('1') }]);
  assert.deepEqual(gist(await simulators.network.submit(orphan.unsigned)), ['no', 'tx_no_source_account']);
});

test('a transaction that failed on the ledger is found as failed, with its code', async () => {
  const simulators = openShared();
  const ann = await settle(simulators, { usdc: '1' });
  const bob = await settle(simulators);
  const { signed, hash } = await pay(simulators, { from: ann, to: bob, text: '2' });
  assert.equal((await simulators.network.submit(signed)).kind, 'no');
  const found = take(await simulators.network.transaction(hash));
  assert.ok(found.state === 'failed');
  assert.equal(found.code, 'tx_failed');
});

test('a used-up sequence number: a no when another transaction used it, a yes when it was this one', async () => {
  const simulators = openShared();
  const ann = await settle(simulators, { usdc: '10' });
  const bob = await settle(simulators);
  const one = await pay(simulators, { from: ann, to: bob, text: '1' });
  const two = await pay(simulators, { from: ann, to: bob, text: '2' });
  take(await simulators.network.submit(one.signed));
  assert.deepEqual(gist(await simulators.network.submit(two.signed)), ['no', 'tx_bad_seq']);
  assert.equal(take(await simulators.network.submit(one.signed)).hash, one.hash);
  assert.equal(await usdcOf(simulators, bob.publicKey()), amount('1'));
});

test('a number of the future is not a no: the envelope could still be included', async () => {
  const simulators = openShared();
  const ann = await settle(simulators, { usdc: '10' });
  const terms = await termsFor(simulators, ann);
  const ahead = { ...terms, source: { ...terms.source, sequence: terms.source.sequence + 5n } };
  const { unsigned } = buildPayments(ahead, [{ to: ann.publicKey(), asset: XLM, amount: amount('1') }]);
  assert.deepEqual(gist(await simulators.network.submit(sign(simulators, unsigned, ann))), ['unknown', 'lagging']);
});

test('an expired envelope is a no once the ledger has closed after its time', async () => {
  const simulators = openShared();
  const ann = await settle(simulators, { usdc: '10' });
  const bob = await settle(simulators);
  const { signed } = await pay(simulators, { from: ann, to: bob, text: '1' });
  await simulators.sandbox.clock.advance(120_000);
  assert.deepEqual(gist(await simulators.network.submit(signed)), ['no', 'tx_too_late']);
});
