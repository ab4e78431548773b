// Sponsored reserves on the ledger network's simulator: who locks how much, and every way in which the network says no.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, Keypair, Operation, type xdr } from '@stellar/stellar-sdk';
import { balances, codesOf, type Ledger, openLedger, perform, settle } from '../../tools/simulation/ledger-accounts.ts';
import { shareInFile } from '../support/share-in-file.ts';

/** The ledger that the tests of this file share; each has accounts of its own. */
const shared = shareInFile((t) => openLedger(t));

const begin = (sponsoredId: string, source?: string) =>
  Operation.beginSponsoringFutureReserves({ sponsoredId, source });
const end = (source: string) => Operation.endSponsoringFutureReserves({ source });
const create = (destination: string, startingBalance = '0') =>
  Operation.createAccount({ destination, startingBalance });
const trust = ({ usdc }: Ledger, source: string, limit?: string) =>
  Operation.changeTrust({ asset: usdc, source, limit });

const activation = (ledger: Ledger, address: string): xdr.Operation[] => [
  begin(address),
  create(address),
  trust(ledger, address),
  end(address),
];

const counts = async ({ horizon }: Ledger, address: string) => {
  const { subentry_count, num_sponsoring, num_sponsored } = await horizon.loadAccount(address);
  return { subentry_count, num_sponsoring, num_sponsored };
};

/** An account with exactly this much of the native asset and no trustline. */
const withXlm = async (ledger: Ledger, startingBalance: string): Promise<Keypair> => {
  const key = Keypair.random();
  const by = await settle(ledger, { trust: false });
  await perform(ledger, { by, operations: [create(key.publicKey(), startingBalance)] });
  return key;
};

test('a sponsored account and its trustline begin with nothing, and the sponsor locks three reserves', async () => {
  const ledger = shared();
  // Its own minimum 1, three reserves 1.5, and the fee of four operations.
  const ann = await withXlm(ledger, '2.50004');
  const newcomer = Keypair.random();
  const address = newcomer.publicKey();
  const { hash } = await perform(ledger, {
    by: ann,
    operations: activation(ledger, address),
    signers: [ann, newcomer],
  });
  assert.deepEqual(await balances(ledger, address), { usdc: '0.0000000', xlm: '0.0000000' });
  assert.deepEqual(await counts(ledger, address), { subentry_count: 1, num_sponsoring: 0, num_sponsored: 3 });
  assert.deepEqual(await counts(ledger, ann.publicKey()), { subentry_count: 0, num_sponsoring: 3, num_sponsored: 0 });
  const account = (await ledger.horizon.accounts().accountId(address).call()) as unknown as {
    sponsor: string;
    balances: { sponsor?: string }[];
  };
  assert.equal(account.sponsor, ann.publicKey());
  assert.equal(account.balances[0]!.sponsor, ann.publicKey());
  const { records } = await ledger.horizon.operations().forTransaction(hash).call();
  const shown = records.map((record) => {
    const { type, type_i, sponsored_id, begin_sponsor } = record as unknown as Record<string, unknown>;
    return [type, type_i, sponsored_id ?? begin_sponsor];
  });
  assert.deepEqual(shown, [
    ['begin_sponsoring_future_reserves', 16, address],
    ['create_account', 0, undefined],
    ['change_trust', 6, undefined],
    ['end_sponsoring_future_reserves', 17, ann.publicKey()],
  ]);
  const payment = Operation.payment({ destination: ledger.issuer, asset: Asset.native(), amount: '0.0000001' });
  assert.deepEqual(await codesOf(perform(ledger, { by: ann, operations: [payment] })), {
    transaction: 'tx_insufficient_balance',
  });
});

test('op_low_reserve: the sponsor cannot lock the reserve, of the account or of the trustline', async () => {
  const ledger = shared();
  for (const [xlm, operations] of [
    ['2.0000399', ['op_success', 'op_low_reserve', 'op_no_source_account', 'op_no_source_account']],
    ['2.5000399', ['op_success', 'op_success', 'op_low_reserve', 'op_success']],
  ] as const) {
    const ann = await withXlm(ledger, xlm);
    const newcomer = Keypair.random();
    const deed = { by: ann, operations: activation(ledger, newcomer.publicKey()), signers: [ann, newcomer] };
    assert.deepEqual(await codesOf(perform(ledger, deed)), { transaction: 'tx_failed', operations });
    await assert.rejects(ledger.horizon.loadAccount(newcomer.publicKey()));
    assert.equal((await counts(ledger, ann.publicKey())).num_sponsoring, 0);
  }
});

test('without a sponsor an account cannot begin with nothing', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const codes = await codesOf(perform(ledger, { by: ann, operations: [create(Keypair.random().publicKey())] }));
  assert.deepEqual(codes.operations, ['op_low_reserve']);
});

test('tx_bad_sponsorship: a sponsorship that does not end leaves nothing but the fee', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const newcomer = Keypair.random();
  const operations = [begin(newcomer.publicKey()), create(newcomer.publicKey())];
  assert.deepEqual(await codesOf(perform(ledger, { by: ann, operations })), { transaction: 'tx_bad_sponsorship' });
  await assert.rejects(ledger.horizon.loadAccount(newcomer.publicKey()));
});

test('op_already_sponsored, op_recursive, op_not_sponsored, op_malformed, and op_bad_auth without the sponsored signature', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const bob = await settle(ledger);
  const eve = await settle(ledger);
  const a = ann.publicKey();
  const b = bob.publicKey();
  const e = eve.publicKey();
  const cases: [string, number, xdr.Operation[], Keypair[]][] = [
    ['op_already_sponsored', 1, [begin(b), begin(b, e), end(b)], [ann, bob, eve]],
    ['op_recursive', 1, [begin(b), begin(e, b), end(b)], [ann, bob]],
    ['op_recursive', 1, [begin(b), begin(a, e), end(b)], [ann, bob, eve]],
    ['op_not_sponsored', 0, [end(b), begin(e)], [ann, bob]],
    ['op_malformed', 0, [begin(a)], [ann]],
  ];
  for (const [code, index, operations, signers] of cases) {
    const codes = await codesOf(perform(ledger, { by: ann, operations, signers }));
    assert.equal(codes.operations?.[index], code);
  }
  const unsigned = await codesOf(perform(ledger, { by: ann, operations: [begin(b), end(b)] }));
  assert.deepEqual(unsigned.operations, ['op_success', 'op_bad_auth']);
});

test('a removed trustline and a merged account unlock the reserves of the sponsor, and a sponsor cannot be merged', async () => {
  const ledger = shared();
  const ann = await settle(ledger, { trust: false });
  const newcomer = Keypair.random();
  const address = newcomer.publicKey();
  await perform(ledger, { by: ann, operations: activation(ledger, address), signers: [ann, newcomer] });
  const merge = (to: string, source: string) => Operation.accountMerge({ destination: to, source });
  const refused = await codesOf(perform(ledger, { by: ann, operations: [merge(ledger.issuer, ann.publicKey())] }));
  assert.deepEqual(refused.operations, ['op_is_sponsor']);
  const both = [ann, newcomer];
  await perform(ledger, { by: ann, operations: [trust(ledger, address, '0')], signers: both });
  assert.equal((await counts(ledger, ann.publicKey())).num_sponsoring, 2);
  await perform(ledger, { by: ann, operations: [merge(ann.publicKey(), address)], signers: both });
  assert.equal((await counts(ledger, ann.publicKey())).num_sponsoring, 0);
});
