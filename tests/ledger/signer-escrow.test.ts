// The signer and the escrow provider: custodial wallets sign every transaction of complete escrows, and each transaction is
// refused as soon as the provider changes anything in it.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Address, Keypair, nativeToScVal, Operation, StrKey, xdr } from '@stellar/stellar-sdk';
import { fromUnits } from '../../server/src/books/money.ts';
import type { DeployStep, Purpose } from '../../server/src/ledger/keys/check-transaction.ts';
import { createSigner } from '../../server/src/ledger/keys/signer.ts';
import type { PreparedWallet } from '../../server/src/ledger/keys/wallet.ts';
import { balances } from '../../tools/simulation/ledger-accounts.ts';
import {
  MARKETPLACE,
  openParties,
  openSigning,
  type Parties,
  type Signing,
  tampered,
  termsOf,
  usdc,
} from './signing-fixture.ts';

type EscrowPurpose = Extract<Purpose, { kind: 'escrow' }>;
type Step = { by: PreparedWallet; purpose: EscrowPurpose };

const OTHER_CONTRACT = StrKey.encodeContract(Buffer.alloc(32, 7));

const callOf = (tx: xdr.Transaction) => {
  const { body } = tx.operations[0]!;
  if (body.type !== 'invokeHostFunction') throw new Error('not a call');
  const { hostFunction, auth } = body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') throw new Error('not a contract call');
  return { call: hostFunction.invokeContract, auth };
};

/** Changes the call and the authorisation alike, so that only the comparison with what was asked can tell. */
const inBoth = (change: (call: xdr.InvokeContractArgs) => void) => (tx: xdr.Transaction) => {
  const { call, auth } = callOf(tx);
  change(call);
  const { function: named } = auth[0]!.rootInvocation;
  if (named.type !== 'sorobanAuthorizedFunctionTypeContractFn') throw new Error('not a call');
  change(named.contractFn);
};

const transferTo = (to: string, from: string): xdr.SorobanAuthorizedInvocation =>
  new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      new xdr.InvokeContractArgs({
        contractAddress: Address.fromString(OTHER_CONTRACT).toScAddress(),
        functionName: 'transfer',
        args: [
          Address.fromString(from).toScVal(),
          Address.fromString(to).toScVal(),
          nativeToScVal(1n, { type: 'i128' }),
        ],
      }),
    ),
    subInvocations: [],
  });

/** Every way to change a prepared call, with what the signer says about it. */
const tamperings = (signer: string, args: number): [string, (tx: xdr.Transaction) => void, RegExp][] => {
  const outsider = Keypair.random().publicKey();
  return [
    [
      'another contract',
      inBoth((call) => Object.assign(call, { contractAddress: Address.fromString(OTHER_CONTRACT).toScAddress() })),
      /it calls the contract C\w+, not C/,
    ],
    [
      'another function',
      inBoth((call) => Object.assign(call, { functionName: 'withdraw' })),
      /it calls withdraw, not /,
    ],
    ['one argument more', inBoth((call) => call.args.push(xdr.ScVal.scvVoid())), /has \d arguments, not \d/],
    ['one argument less', inBoth((call) => void call.args.pop()), /arguments, not|not 32 bytes/],
    ...Array.from({ length: args }, (_, index): [string, (tx: xdr.Transaction) => void, RegExp] => [
      `another argument ${index + 1}`,
      inBoth((call) => void call.args.splice(index, 1, nativeToScVal(77n, { type: 'i128' }))),
      /the argument "[a-z ]+" of \w+ is not the requested one|not 32 bytes/,
    ]),
    ['no authorisation', (tx) => void callOf(tx).auth.pop(), /its authorisation is not for this call/],
    ['two authorisations', (tx) => void callOf(tx).auth.push(callOf(tx).auth[0]!), /its authorisation is not for/],
    [
      'a transfer slipped under the authorisation',
      (tx) => void callOf(tx).auth[0]!.rootInvocation.subInvocations.push(transferTo(outsider, signer)),
      /its authorisation is not for this call/,
    ],
    [
      'one operation more',
      (tx) => void tx.operations.push(Operation.setOptions({ masterWeight: 0 })),
      /it has 2 operations, not 1/,
    ],
    [
      'another operation',
      (tx) => void tx.operations.splice(0, 1, Operation.accountMerge({ destination: outsider })),
      /it is accountMerge, not a contract call/,
    ],
    [
      'an operation for another party',
      (tx) => void Object.assign(tx.operations[0]!, { sourceAccount: muxed(outsider) }),
      /its operation acts for G/,
    ],
    ['another source', (tx) => void Object.assign(tx, { sourceAccount: muxed(outsider) }), /its source is G/],
    ['a memo', (tx) => void Object.assign(tx, { memo: xdr.Memo.memoText('x') }), /it has a memo/],
    ['a high fee', (tx) => void Object.assign(tx, { fee: 1_000_000 }), /its fee may be 1000000/],
  ];
};

const muxed = (address: string): xdr.MuxedAccount =>
  xdr.MuxedAccount.keyTypeEd25519(StrKey.decodeEd25519PublicKey(address));

/** Refuses each tampering, then signs and sends the honest one. */
const actWarily = async (signing: Signing, { by, purpose }: Step): Promise<string> => {
  const text = await signing.prepare(purpose.step);
  const ask = { expectation: signing.expect(by.address, purpose), wallets: [by] };
  let args = 0;
  tampered(text, (tx) => {
    args = callOf(tx).call.args.length;
  });
  for (const [what, change, sentence] of tamperings(by.address, args)) {
    assert.match(await signing.refused(tampered(text, change), ask), sentence, `${purpose.step.kind}: ${what}`);
  }
  return signing.act(by, purpose);
};

const open = async (t: TestContext, type: DeployStep['type']) => {
  const signing = await openSigning(t);
  const parties = await openParties(signing);
  const terms = termsOf(signing, { parties, type });
  const contractId = await actWarily(signing, { by: parties.buyer, purpose: { kind: 'escrow', step: terms } });
  const step = { type, contractId, signer: parties.buyer.address, kind: 'fund', amount: usdc('30') } as const;
  await actWarily(signing, { by: parties.buyer, purpose: { kind: 'escrow', step, terms } });
  assert.equal((await balances(signing.ledger, parties.buyer.address)).usdc, '970.0000000');
  return { signing, parties, terms, contractId };
};

const finish = async (
  signing: Signing,
  { parties, ...at }: { parties: Parties; type: DeployStep['type']; contractId: string; milestone: number },
) => {
  const { seller, buyer } = parties;
  const status = { ...at, kind: 'change-status', signer: seller.address, status: 'completed' } as const;
  const evidence = at.milestone === 0 ? {} : { evidence: 'a photo' };
  await actWarily(signing, { by: seller, purpose: { kind: 'escrow', step: { ...status, ...evidence } } });
  const approval = { ...at, kind: 'approve', signer: buyer.address } as const;
  await actWarily(signing, { by: buyer, purpose: { kind: 'escrow', step: approval } });
};

test('a single-release escrow is deployed, funded, approved and released; every tampering on the way is refused', async (t) => {
  const { signing, parties, contractId } = await open(t, 'single-release');
  const at = { type: 'single-release', contractId } as const;
  await finish(signing, { parties, ...at, milestone: 0 });
  const step = { ...at, kind: 'release', signer: parties.buyer.address } as const;
  await actWarily(signing, { by: parties.buyer, purpose: { kind: 'escrow', step } });
  assert.equal((await balances(signing.ledger, parties.seller.address)).usdc, '28.4100000');
});

test('a multi-release escrow is released milestone by milestone; every tampering on the way is refused', async (t) => {
  const { signing, parties, contractId } = await open(t, 'multi-release');
  for (const milestone of [0, 1]) {
    const at = { type: 'multi-release', contractId, milestone } as const;
    await finish(signing, { parties, ...at });
    const step = { ...at, kind: 'release', signer: parties.buyer.address } as const;
    await actWarily(signing, { by: parties.buyer, purpose: { kind: 'escrow', step } });
  }
  assert.equal((await balances(signing.ledger, parties.seller.address)).usdc, '28.4100000');
});

test('a single-release dispute is opened and resolved in two parts; every tampering on the way is refused', async (t) => {
  const { signing, parties, contractId } = await open(t, 'single-release');
  const { buyer, seller, platform } = parties;
  const at = { type: 'single-release', contractId } as const;
  const dispute = { ...at, kind: 'dispute', signer: buyer.address } as const;
  await actWarily(signing, { by: buyer, purpose: { kind: 'escrow', step: dispute } });
  const shares = [
    { address: seller.address, amount: usdc('10') },
    { address: buyer.address, amount: usdc('20') },
  ];
  const step = { ...at, kind: 'resolve', signer: platform.address, shares } as const;
  await actWarily(signing, { by: platform, purpose: { kind: 'escrow', step } });
});

test('a multi-release dispute is resolved per milestone; every tampering on the way is refused', async (t) => {
  const { signing, parties, contractId } = await open(t, 'multi-release');
  const { buyer, platform } = parties;
  for (const milestone of [0, 1]) {
    const at = { type: 'multi-release', contractId, milestone } as const;
    const dispute = { ...at, kind: 'dispute', signer: buyer.address } as const;
    await actWarily(signing, { by: buyer, purpose: { kind: 'escrow', step: dispute } });
    const shares = [{ address: buyer.address, amount: usdc(milestone === 0 ? '10' : '20') }];
    const step = { ...at, kind: 'resolve', signer: platform.address, shares } as const;
    await actWarily(signing, { by: platform, purpose: { kind: 'escrow', step } });
  }
});

test('the remaining funds of a multi-release escrow are withdrawn as asked, and not otherwise', async (t) => {
  const { signing, parties, terms, contractId } = await open(t, 'multi-release');
  const { buyer, platform } = parties;
  const more = { type: 'multi-release', contractId, signer: buyer.address, kind: 'fund', amount: usdc('5') } as const;
  await signing.act(buyer, { kind: 'escrow', step: more, terms });
  for (const milestone of [0, 1]) {
    const at = { type: 'multi-release', contractId, milestone } as const;
    await signing.act(buyer, { kind: 'escrow', step: { ...at, kind: 'dispute', signer: buyer.address } });
    const shares = [{ address: buyer.address, amount: usdc(milestone === 0 ? '10' : '20') }];
    await signing.act(platform, { kind: 'escrow', step: { ...at, kind: 'resolve', signer: platform.address, shares } });
  }
  const shares = [{ address: buyer.address, amount: usdc('5') }];
  const step = {
    type: 'multi-release',
    contractId,
    kind: 'withdraw-remaining',
    signer: platform.address,
    shares,
  } as const;
  await actWarily(signing, { by: platform, purpose: { kind: 'escrow', step } });
});

test('a provider that prepares another amount than asked gets no signature: deployment, funding, resolution', async (t) => {
  const { signing, parties, terms, contractId } = await open(t, 'single-release');
  const { buyer, platform } = parties;
  const { faults } = signing.ledger.sandbox;
  const fund = { type: 'single-release', contractId, signer: buyer.address, kind: 'fund', amount: usdc('4') } as const;
  const dispute = { type: 'single-release', contractId, signer: buyer.address, kind: 'dispute' } as const;
  const shares = [{ address: buyer.address, amount: usdc('30') }];
  const resolve = { type: 'single-release', contractId, kind: 'resolve', signer: platform.address, shares } as const;
  const again: DeployStep = { ...terms, engagementId: 'ord_2' };
  const cases: [string, PreparedWallet, EscrowPurpose, RegExp][] = [
    ['deploy', buyer, { kind: 'escrow', step: again }, /the argument "escrow" of tw_new_single_release_escrow/],
    ['fund', buyer, { kind: 'escrow', step: fund, terms }, /the argument "amount" of fund_escrow/],
    ['resolve', platform, { kind: 'escrow', step: resolve }, /the argument "distributions" of resolve_dispute/],
  ];
  for (const [operation, by, purpose, sentence] of cases) {
    if (operation === 'resolve') await signing.act(buyer, { kind: 'escrow', step: dispute });
    faults.arm({ operation, fault: 'wrong-amount' });
    const text = await signing.prepare(purpose.step);
    const ask = { expectation: signing.expect(by.address, purpose), wallets: [by] };
    assert.match(await signing.refused(text, ask), sentence, operation);
  }
});

test('what was prepared for one step is not signed for another: other party, milestone, status, share or escrow', async (t) => {
  const { signing, parties, terms, contractId } = await open(t, 'multi-release');
  const { buyer, seller, platform } = parties;
  const at = { type: 'multi-release', contractId } as const;
  const change = { ...at, milestone: 0, kind: 'change-status', signer: seller.address, status: 'completed' } as const;
  const fund = { ...at, kind: 'fund', signer: buyer.address, amount: usdc('1') } as const;
  await signing.act(buyer, { kind: 'escrow', step: { ...at, milestone: 1, kind: 'dispute', signer: buyer.address } });
  const share = { address: buyer.address, amount: usdc('20') };
  const resolve = { ...at, milestone: 1, kind: 'resolve', signer: platform.address, shares: [share] } as const;
  const toSeller = { ...resolve, shares: [{ ...share, address: seller.address }] };
  const renamed: DeployStep = { ...terms, engagementId: 'ord_9' };
  const richer: DeployStep = { ...terms, platformFeeBps: 900 };
  const cases: [PreparedWallet, EscrowPurpose, EscrowPurpose, RegExp][] = [
    [seller, { kind: 'escrow', step: change }, { kind: 'escrow', step: { ...change, milestone: 1 } }, /"milestone"/],
    [seller, { kind: 'escrow', step: change }, { kind: 'escrow', step: { ...change, status: 'x' } }, /"status"/],
    [seller, { kind: 'escrow', step: change }, { kind: 'escrow', step: { ...change, evidence: 'x' } }, /"evidence"/],
    [platform, { kind: 'escrow', step: resolve }, { kind: 'escrow', step: toSeller }, /"distributions"/],
    [buyer, { kind: 'escrow', step: fund, terms }, { kind: 'escrow', step: fund, terms: renamed }, /"escrow"/],
    [buyer, { kind: 'escrow', step: terms }, { kind: 'escrow', step: richer }, /"escrow"/],
    [
      buyer,
      { kind: 'escrow', step: fund, terms },
      { kind: 'escrow', step: { ...fund, contractId: OTHER_CONTRACT }, terms },
      /it calls the contract/,
    ],
    [
      seller,
      { kind: 'escrow', step: change },
      { kind: 'escrow', step: { ...change, signer: buyer.address } },
      /has to sign this step/,
    ],
  ];
  for (const [by, prepared, asked, sentence] of cases) {
    const text = await signing.prepare(prepared.step);
    const ask = { expectation: signing.expect(by.address, asked), wallets: [by] };
    assert.match(await signing.refused(text, ask), sentence);
  }
});

test('a funding whose authorised transfer goes elsewhere, or is larger, or is of another asset is refused', async (t) => {
  const { signing, parties, terms, contractId } = await open(t, 'single-release');
  const { buyer } = parties;
  const step = { type: 'single-release', contractId, signer: buyer.address, kind: 'fund', amount: usdc('1') } as const;
  const text = await signing.prepare(step);
  const ask = { expectation: signing.expect(buyer.address, { kind: 'escrow', step, terms }), wallets: [buyer] };
  const transferOf = (tx: xdr.Transaction) => {
    const { function: named } = callOf(tx).auth[0]!.rootInvocation.subInvocations[0]!;
    if (named.type !== 'sorobanAuthorizedFunctionTypeContractFn') throw new Error('not a call');
    return named.contractFn;
  };
  const outsider = Address.fromString(Keypair.random().publicKey());
  const changes: ((tx: xdr.Transaction) => void)[] = [
    (tx) => void transferOf(tx).args.splice(1, 1, outsider.toScVal()),
    (tx) => void transferOf(tx).args.splice(2, 1, nativeToScVal(9_999_999_999n, { type: 'i128' })),
    (tx) => void Object.assign(transferOf(tx), { contractAddress: Address.fromString(OTHER_CONTRACT).toScAddress() }),
    (tx) => void Object.assign(transferOf(tx), { functionName: 'approve' }),
    (tx) => void callOf(tx).auth[0]!.rootInvocation.subInvocations.pop(),
    (tx) => {
      const below = callOf(tx).auth[0]!.rootInvocation.subInvocations;
      below.push(below[0]!);
    },
  ];
  for (const change of changes) {
    assert.match(
      await signing.refused(tampered(text, change), ask),
      /its authorisation is not for this call of fund_escrow/,
    );
  }
  await signing.signed(text, ask);
});

test('an escrow is deployed only by a known factory and, where its code is pinned, with that code', async (t) => {
  const signing = await openSigning(t);
  const parties = await openParties(signing);
  const step = termsOf(signing, { parties, type: 'single-release' });
  const envelopeXdr = await signing.prepare(step);
  const expectation = signing.expect(parties.buyer.address, { kind: 'escrow', step });
  const ask = { marketplaceId: MARKETPLACE, envelopeXdr, expectation, wallets: [parties.buyer] };
  const address = signing.factories['single-release'].address;
  let pinned = '';
  tampered(envelopeXdr, (tx) => {
    const [, code] = callOf(tx).call.args;
    pinned = code?.type === 'scvBytes' ? Buffer.from(code.bytes.toBytes()).toString('hex') : '';
  });
  const judged = async (factories: Parameters<typeof createSigner>[0]['factories']) => {
    const outcome = await createSigner({ ...signing.common, factories: factories! }).sign(ask);
    return outcome.kind === 'yes' ? 'signed' : outcome.reason;
  };
  assert.equal(await judged({ 'single-release': { address, codeHash: pinned } }), 'signed');
  assert.match(
    await judged({ 'single-release': { address, codeHash: '00'.repeat(32) } }),
    /it deploys the code [0-9a-f]{64}, not 00/,
  );
  assert.match(
    await judged({ 'single-release': { address: OTHER_CONTRACT, codeHash: null } }),
    /it calls the contract/,
  );
  assert.match(await judged({}), /no factory of single-release escrows is known here/);
});

test('the bound on the fee holds for the resources of a contract call too', async (t) => {
  const signing = await openSigning(t);
  const parties = await openParties(signing);
  const step = termsOf(signing, { parties, type: 'multi-release' });
  const text = await signing.prepare(step);
  const expectation = { ...signing.expect(parties.buyer.address, { kind: 'escrow', step }), feeMax: fromUnits(99n) };
  assert.match(
    await signing.refused(text, { expectation, wallets: [parties.buyer] }),
    /its fee may be 100, more than 99/,
  );
});
