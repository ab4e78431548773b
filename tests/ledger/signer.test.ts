// The signer and our own transactions: what is exactly as asked is signed, and anything else is not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Account,
  Asset,
  encodeMuxedAccountToAddress,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  TransactionBuilder,
} from '@stellar/stellar-sdk';
import { fromUnits } from '../../server/src/books/money.ts';
import { buildFeeBump } from '../../server/src/ledger/format/fee-bump.ts';
import type { LedgerAction, LedgerMemo } from '../../server/src/ledger/transactions/ledger-transaction.ts';
import { balances, PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';
import { MARKETPLACE, openSigning, tampered } from './signing-fixture.ts';

const pay = (to: string, units: string, asset: 'USDC' | 'XLM' = 'USDC'): LedgerAction => ({
  type: 'pay',
  to,
  asset,
  currency: asset === 'XLM' ? 'XLM' : 'USD',
  units,
  paymentId: null,
});

test('an activation signed by treasury and newcomers makes their accounts and trustlines', async (t) => {
  const fixture = await openSigning(t);
  const treasury = await fixture.settle();
  const newcomers = await Promise.all(Array.from({ length: 19 }, () => fixture.make(MARKETPLACE)));
  const actions = newcomers.map(
    ({ id, address }): LedgerAction => ({
      type: 'activate',
      walletId: id,
      address,
      units: '0',
      paymentId: null,
      sponsors: 'account',
    }),
  );
  const operations = newcomers.flatMap(({ address }) => [
    Operation.beginSponsoringFutureReserves({ sponsoredId: address }),
    Operation.createAccount({ destination: address, startingBalance: '0' }),
    Operation.changeTrust({ asset: fixture.ledger.usdc, source: address }),
    Operation.endSponsoringFutureReserves({ source: address }),
  ]);
  const expectation = fixture.expect(treasury.address, { kind: 'actions', actions });
  const text = await fixture.build(treasury.address, operations);
  const outcome = await fixture.signed(text, { expectation, wallets: [treasury, ...newcomers] });
  assert.equal(outcome.contractId, null);
  assert.equal(outcome.hash, Buffer.from(TransactionBuilder.fromXDR(text, PASSPHRASE).hash()).toString('hex'));
  await fixture.submit(outcome);
  for (const { address } of newcomers) {
    assert.deepEqual(await balances(fixture.ledger, address), { usdc: '0.0000000', xlm: '0.0000000' });
  }
});

test('a sponsorship of another account, around other operations, or that is not the requested one is refused', async (t) => {
  const fixture = await openSigning(t);
  const treasury = await fixture.settle();
  const newcomer = await fixture.make(MARKETPLACE);
  const other = await fixture.settle();
  const { address, id: walletId } = newcomer;
  const { usdc } = fixture.ledger;
  const activate = { type: 'activate', walletId, address, units: '0', paymentId: null } as const;
  const askFor = (actions: readonly LedgerAction[]) => ({
    expectation: fixture.expect(treasury.address, { kind: 'actions', actions }),
    wallets: [treasury, newcomer],
  });
  const begin = Operation.beginSponsoringFutureReserves({ sponsoredId: address });
  const create = Operation.createAccount({ destination: address, startingBalance: '0' });
  const trust = Operation.changeTrust({ asset: usdc, source: address });
  const end = Operation.endSponsoringFutureReserves({ source: address });
  const weaken = Operation.setOptions({ source: address, signer: { ed25519PublicKey: other.address, weight: 1 } });
  const cases: [Parameters<typeof fixture.build>[1], RegExp][] = [
    [[create, trust], /it has 2 operations, not 4/],
    [[begin, create, trust], /it has 3 operations, not 4/],
    [[begin, create, trust, weaken, end], /it has 5 operations, not 4/],
    [[begin, create, weaken, end], /operation 3: it is setOptions, not change-trust/],
    [[create, begin, trust, end], /operation 1: it is create-account, not begin-sponsoring/],
    [
      [Operation.beginSponsoringFutureReserves({ sponsoredId: other.address }), create, trust, end],
      /operation 1: its sponsored is G/,
    ],
    [
      [Operation.beginSponsoringFutureReserves({ sponsoredId: address, source: other.address }), create, trust, end],
      /operation 1: its source is G/,
    ],
    [
      [begin, create, trust, Operation.endSponsoringFutureReserves({ source: other.address })],
      /operation 4: its source is G/,
    ],
    [
      [begin, create, trust, Operation.revokeAccountSponsorship({ account: address })],
      /operation 4: it is revokeSponsorship/,
    ],
  ];
  const whole = askFor([{ ...activate, sponsors: 'account' }]);
  for (const [operations, sentence] of cases) {
    assert.match(await fixture.refused(await fixture.build(treasury.address, operations), whole), sentence);
  }
  const line = askFor([{ ...activate, sponsors: 'trustline' }]);
  const full = await fixture.build(treasury.address, [begin, create, trust, end]);
  assert.match(await fixture.refused(full, line), /it has 4 operations, not 3/);
  await fixture.submit(await fixture.signed(full, whole));
});

test('a batch of payments in both assets is signed and paid, with the sequence number that was asked for', async (t) => {
  const fixture = await openSigning(t);
  const treasury = await fixture.settle('100');
  const ada = await fixture.settle();
  const bob = await fixture.settle();
  const actions = [pay(ada.address, '100000001'), pay(bob.address, '5', 'XLM')];
  const operations = [
    Operation.payment({ destination: ada.address, asset: fixture.ledger.usdc, amount: '10.0000001' }),
    Operation.payment({
      destination: bob.address,
      asset: Asset.native(),
      amount: '0.0000005',
      source: treasury.address,
    }),
  ];
  const text = await fixture.build(treasury.address, operations);
  const account = await fixture.network.account(treasury.address);
  assert.ok(account.kind === 'yes' && account.value);
  const sequence = account.value.sequence + 1n;
  const expectation = { ...fixture.expect(treasury.address, { kind: 'actions', actions }), sequence };
  const outcome = await fixture.signed(text, { expectation, wallets: [treasury] });
  assert.equal(outcome.sequence, sequence);
  await fixture.submit(outcome);
  assert.equal((await balances(fixture.ledger, ada.address)).usdc, '10.0000001');
  const late = { ...expectation, sequence: sequence + 1n };
  assert.match(
    await fixture.refused(text, { expectation: late, wallets: [treasury] }),
    /its sequence number is \d+, not/,
  );
});

test('a payment that differs in any part from what was asked is refused with a sentence that names the part', async (t) => {
  const fixture = await openSigning(t);
  const treasury = await fixture.settle('100');
  const ada = await fixture.settle();
  const outsider = Keypair.random().publicKey();
  const forger = Keypair.random().publicKey();
  const { usdc } = fixture.ledger;
  const right = { destination: ada.address, asset: usdc, amount: '10' };
  const purpose = { kind: 'actions', actions: [pay(ada.address, '100000000')] } as const;
  const expectation = fixture.expect(treasury.address, purpose);
  const ask = { expectation, wallets: [treasury] };
  const cases: [string, Parameters<typeof fixture.build>[1], object, RegExp][] = [
    ['destination', [Operation.payment({ ...right, destination: outsider })], {}, /operation 1: its destination is G/],
    ['amount', [Operation.payment({ ...right, amount: '10.0000001' })], {}, /its amount is 100000001, not 100000000/],
    ['asset', [Operation.payment({ ...right, asset: Asset.native() })], {}, /its asset is native, not USDC:G/],
    ['issuer', [Operation.payment({ ...right, asset: new Asset('USDC', forger) })], {}, /its asset is USDC:G\w+, not/],
    ['operation source', [Operation.payment({ ...right, source: outsider })], {}, /its source is G/],
    ['operation', [Operation.accountMerge({ destination: ada.address })], {}, /it is accountMerge, not payment/],
    [
      'kind',
      [Operation.createAccount({ destination: ada.address, startingBalance: '10' })],
      {},
      /it is create-account/,
    ],
    ['one more', [Operation.payment(right), Operation.payment(right)], {}, /it has 2 operations, not 1/],
    ['signer', [Operation.payment(right), Operation.setOptions({ masterWeight: 0 })], {}, /it has 2 operations/],
    ['memo', [Operation.payment(right)], { memo: Memo.text('hello') }, /it has a memo/],
    ['fee', [Operation.payment(right)], { fee: '10001' }, /its fee may be 10001, more than 10000/],
    ['no end', [Operation.payment(right)], { timebounds: { minTime: 0, maxTime: 0 } }, /it has no last moment/],
    ['too long', [Operation.payment(right)], { timebounds: { minTime: 0, maxTime: 9999999999 } }, /it stays valid for/],
    ['over', [Operation.payment(right)], { timebounds: { minTime: 0, maxTime: 1000 } }, /its last moment has passed/],
    [
      'later',
      [Operation.payment(right)],
      { timebounds: { minTime: 9999999998, maxTime: 9999999999 } },
      /not valid yet/,
    ],
    ['conditions', [Operation.payment(right)], { minAccountSequenceAge: 1n }, /conditions besides its time bounds/],
  ];
  for (const [what, operations, change, sentence] of cases) {
    const reason = await fixture.refused(await fixture.build(treasury.address, operations, change), ask);
    assert.match(reason, sentence, what);
    assert.match(reason, /^The transaction was not signed: .+\.$/);
  }
  const text = await fixture.build(ada.address, [Operation.payment(right)]);
  assert.match(await fixture.refused(text, ask), /its source is G\w+, not G/);
  await fixture.submit(await fixture.signed(await fixture.build(treasury.address, [Operation.payment(right)]), ask));
});

test('an activation that starts with more, trusts another asset or trusts for another account is refused', async (t) => {
  const fixture = await openSigning(t);
  const treasury = await fixture.settle();
  const newcomer = await fixture.make(MARKETPLACE);
  const other = await fixture.settle();
  const { address, id } = newcomer;
  const actions: LedgerAction[] = [{ type: 'activate', walletId: id, address, units: '25000000', paymentId: null }];
  const ask = {
    expectation: fixture.expect(treasury.address, { kind: 'actions', actions }),
    wallets: [treasury, newcomer],
  };
  const create = Operation.createAccount({ destination: address, startingBalance: '2.5' });
  const trust = Operation.changeTrust({ asset: fixture.ledger.usdc, source: address });
  const forged = new Asset('USDC', other.address);
  const cases: [Parameters<typeof fixture.build>[1], RegExp][] = [
    [
      [Operation.createAccount({ destination: address, startingBalance: '2.6' }), trust],
      /operation 1: its starting is/,
    ],
    [[Operation.createAccount({ destination: other.address, startingBalance: '2.5' }), trust], /its destination is G/],
    [[create, Operation.changeTrust({ asset: forged, source: address })], /operation 2: its asset is USDC:G/],
    [
      [create, Operation.changeTrust({ asset: fixture.ledger.usdc, source: other.address })],
      /operation 2: its source is/,
    ],
    [
      [create, Operation.changeTrust({ asset: fixture.ledger.usdc, source: address, limit: '5' })],
      /its limit is 50000000/,
    ],
    [[trust, create], /operation 1: it is change-trust/],
    [[create], /it has 1 operations, not 2/],
  ];
  for (const [operations, sentence] of cases) {
    assert.match(await fixture.refused(await fixture.build(treasury.address, operations), ask), sentence);
  }
});

test('another network is refused, and a signature is worth nothing on another one', async (t) => {
  const fixture = await openSigning(t);
  const wallet = await fixture.settle('5');
  const to = Keypair.random().publicKey();
  const text = await fixture.build(wallet.address, [
    Operation.payment({ destination: to, asset: fixture.ledger.usdc, amount: '1' }),
  ]);
  const expectation = fixture.expect(wallet.address, { kind: 'actions', actions: [pay(to, '10000000')] });
  const elsewhere = { ...expectation, networkPassphrase: 'Another Network ; 2026' };
  assert.match(
    await fixture.refused(text, { expectation: elsewhere, wallets: [wallet] }),
    /it is for the network "Another/,
  );
  const { envelopeXdr } = await fixture.signed(text, { expectation, wallets: [wallet] });
  const verifies = (passphrase: string) => {
    const transaction = TransactionBuilder.fromXDR(envelopeXdr, passphrase);
    return Keypair.fromPublicKey(wallet.address).verify(
      transaction.hash(),
      transaction.signatures[0]!.signature.toBytes(),
    );
  };
  assert.deepEqual([verifies(PASSPHRASE), verifies('Another Network ; 2026')], [true, false]);
});

test('what is no plain transaction is refused: noise, and a fee bump around another one', async (t) => {
  const fixture = await openSigning(t);
  const wallet = await fixture.settle('5');
  const { address } = wallet;
  const expectation = fixture.expect(address, { kind: 'actions', actions: [pay(address, '10000000')] });
  const inner = TransactionBuilder.fromXDR(
    await fixture.build(address, [
      Operation.payment({ destination: address, asset: fixture.ledger.usdc, amount: '1' }),
    ]),
    PASSPHRASE,
  );
  if ('innerTransaction' in inner) throw new Error('not plain');
  const bump = TransactionBuilder.buildFeeBumpTransaction(Keypair.fromPublicKey(address), '200', inner, PASSPHRASE);
  for (const text of ['', 'AAAA', 'not base64 at all', bump.toXDR()]) {
    assert.match(await fixture.refused(text, { expectation, wallets: [wallet] }), /not a transaction that can be read/);
  }
});

test('a wallet that has no part in it, or whose key is elsewhere, does not sign', async (t) => {
  const fixture = await openSigning(t);
  const wallet = await fixture.settle('5');
  const other = await fixture.settle();
  const operation = Operation.payment({ destination: other.address, asset: fixture.ledger.usdc, amount: '1' });
  const text = await fixture.build(wallet.address, [operation]);
  const expectation = fixture.expect(wallet.address, { kind: 'actions', actions: [pay(other.address, '10000000')] });
  assert.match(await fixture.refused(text, { expectation, wallets: [wallet, other] }), /has nothing to sign in it/);
  const external = { ...wallet, sealedSecret: null };
  const outcome = await fixture.signer.sign({
    marketplaceId: MARKETPLACE,
    envelopeXdr: text,
    expectation,
    wallets: [external],
  });
  assert.match(outcome.kind === 'no' ? outcome.reason : '', /is not stored here/);
});

test('the secret of another row, marketplace or address cannot be used to sign', async (t) => {
  const fixture = await openSigning(t);
  const wallet = await fixture.settle('5');
  const other = await fixture.settle('5');
  const operation = Operation.payment({ destination: other.address, asset: fixture.ledger.usdc, amount: '1' });
  const envelopeXdr = await fixture.build(wallet.address, [operation]);
  const expectation = fixture.expect(wallet.address, { kind: 'actions', actions: [pay(other.address, '10000000')] });
  const ask = { marketplaceId: MARKETPLACE, envelopeXdr, expectation };
  const moved = { ...wallet, sealedSecret: other.sealedSecret };
  await assert.rejects(fixture.signer.sign({ ...ask, wallets: [moved] }), /does not open this/);
  await assert.rejects(
    fixture.signer.sign({ ...ask, marketplaceId: 'mkt_other', wallets: [wallet] }),
    /does not open this/,
  );
});

test('a transaction changed after it was built is refused, whatever was changed', async (t) => {
  const fixture = await openSigning(t);
  const wallet = await fixture.settle('5');
  const other = await fixture.settle();
  const operation = Operation.payment({ destination: other.address, asset: fixture.ledger.usdc, amount: '1' });
  const text = await fixture.build(wallet.address, [operation]);
  const expectation = fixture.expect(wallet.address, { kind: 'actions', actions: [pay(other.address, '10000000')] });
  const ask = { expectation: { ...expectation, feeMax: fromUnits(100n) }, wallets: [wallet] };
  await fixture.signed(text, ask);
  assert.match(
    await fixture.refused(
      tampered(text, (tx) => void Object.assign(tx, { fee: 101 })),
      ask,
    ),
    /its fee may be/,
  );
  const doubled = tampered(text, (tx) => void tx.operations.push(tx.operations[0]!));
  assert.match(await fixture.refused(doubled, ask), /it has 2 operations/);
});

test('a withdrawal is signed only with its memo and to its muxed address', async (t) => {
  const fixture = await openSigning(t);
  const treasury = await fixture.settle('100');
  const ada = await fixture.settle();
  const muxed = (id: string) =>
    encodeMuxedAccountToAddress(new MuxedAccount(new Account(ada.address, '0'), id).toXDRObject());
  const { usdc } = fixture.ledger;
  const hash = 'ab'.repeat(32);
  const action = (more: object): LedgerAction => ({ ...pay(ada.address, '100000000'), ...more }) as LedgerAction;
  const ask = (one: LedgerAction) => ({
    expectation: fixture.expect(treasury.address, { kind: 'actions', actions: [one] }),
    wallets: [treasury],
  });
  const build = (destination: string, change: object = {}) =>
    fixture.build(treasury.address, [Operation.payment({ destination, asset: usdc, amount: '10' })], change);

  const kinds: [LedgerMemo, Memo][] = [
    [{ type: 'text', value: 'Zürich' }, Memo.text('Zürich')],
    [{ type: 'id', value: '18446744073709551615' }, Memo.id('18446744073709551615')],
    [{ type: 'hash', value: hash }, Memo.hash(hash)],
    [{ type: 'return', value: hash }, Memo.return(hash)],
  ];
  for (const [memo, written] of kinds) {
    await fixture.signed(await build(ada.address, { memo: written }), ask(action({ memo })));
    for (const [other, wrong] of kinds) {
      if (other === memo) continue;
      assert.match(
        await fixture.refused(await build(ada.address, { memo: wrong }), ask(action({ memo }))),
        new RegExp(`its memo is the ${other.type} .*, not the ${memo.type} `),
      );
    }
    assert.match(await fixture.refused(await build(ada.address), ask(action({ memo }))), /it has no memo, and the/);
  }
  await fixture.signed(await build(muxed('7')), ask(action({ to: muxed('7') })));
  for (const [written, wanted] of [
    [muxed('8'), muxed('7')],
    [ada.address, muxed('7')],
    [muxed('7'), ada.address],
  ] as const) {
    const reason = await fixture.refused(await build(written), ask(action({ to: wanted })));
    assert.match(reason, /operation 1: its destination is [GM]/);
  }
});

test('a fee bump is signed only around the stored envelope, by its payer, and within its fee', async (t) => {
  const fixture = await openSigning(t);
  const treasury = await fixture.settle('10');
  const ada = await fixture.settle('10');
  const actions = [pay(treasury.address, '5')];
  const operation = Operation.payment({
    destination: treasury.address,
    asset: fixture.ledger.usdc,
    amount: '0.0000005',
  });
  const expectation = fixture.expect(ada.address, { kind: 'actions', actions });
  const signed = async () =>
    (await fixture.signed(await fixture.build(ada.address, [operation]), { expectation, wallets: [ada] })).envelopeXdr;
  const inner = await signed();
  const terms = { networkPassphrase: PASSPHRASE, payer: treasury.address, feePerOperation: fromUnits(5_000n) };
  const request = {
    marketplaceId: MARKETPLACE,
    envelopeXdr: buildFeeBump({ ...terms, envelope: inner }),
    inner,
    wallet: treasury,
    feeMax: fromUnits(10_000n),
  };
  const accepted = await fixture.signer.signBump(request);
  assert.ok(accepted.kind === 'yes');
  assert.equal((await fixture.network.submit(accepted.value.envelopeXdr)).kind, 'yes');
  const other = await signed();
  const refusals: [object, RegExp][] = [
    [{ envelopeXdr: inner }, /not a fee bump/],
    [{ inner: other }, /another transaction/],
    [{ wallet: ada }, /paid by/],
    [{ feeMax: fromUnits(9_999n) }, /more than 9999/],
    [{ envelopeXdr: accepted.value.envelopeXdr }, /signed already/],
    [{ wallet: { ...treasury, sealedSecret: null } }, /not stored here/],
  ];
  for (const [change, sentence] of refusals) {
    const refused = await fixture.signer.signBump({ ...request, ...change });
    assert.ok(refused.kind === 'no');
    assert.match(refused.reason, sentence);
  }
});
