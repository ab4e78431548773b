// Every condition under which the escrow contract says no, as the provider's caller meets it: while the call is prepared,
// and again when it is executed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { CONTRACT_ERRORS, type ContractErrorName } from '../../sandbox/src/escrow-provider/contract/errors.ts';
import { PASSPHRASE, perform } from '../../tools/simulation/ledger-accounts.ts';
import { shareInFile } from '../support/share-in-file.ts';
import * as escrows from './escrow-parties.ts';

const S = 'single-release';
const M = 'multi-release';
const NOWHERE = 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC';

/** The parties that most tests of this file share; each has contracts of its own. */
const people = shareInFile((t) => escrows.openEscrows(t));

type Try = { path: string; body: unknown; method?: string };

async function refuses(cast: escrows.Cast, name: ContractErrorName, { path, body, method }: Try): Promise<void> {
  const answer = await escrows.ask(cast, path, body, method);
  assert.deepEqual(answer, { status: 500, body: { message: CONTRACT_ERRORS[name], code: 500 } }, `${path} ${name}`);
}

function calls(cast: escrows.Cast, { type, contractId }: { type: escrows.Kind; contractId: string }) {
  const [buyer, seller, platform] = [cast.buyer, cast.seller, cast.platform].map((person) => person.publicKey());
  const at = (path: string) => `/escrow/${type}/${path}`;
  return {
    fund: (change = {}) => ({ path: at('fund-escrow'), body: { contractId, signer: buyer, amount: 1, ...change } }),
    status: (change = {}) => ({
      path: at('change-milestone-status'),
      body: { contractId, milestoneIndex: '0', newStatus: 'done', serviceProvider: seller, ...change },
    }),
    approve: (change = {}) => ({
      path: at('approve-milestone'),
      body: { contractId, milestoneIndex: '0', approver: buyer, ...change },
    }),
    release: (change = {}) => ({ path: at('release-funds'), body: { contractId, releaseSigner: buyer, ...change } }),
    dispute: (change = {}) => ({ path: at('dispute-escrow'), body: { contractId, signer: buyer, ...change } }),
    resolve: (change = {}) => ({
      path: at('resolve-dispute'),
      body: { contractId, disputeResolver: platform, distributions: [{ address: buyer, amount: 10 }], ...change },
    }),
    releaseMilestone: (change = {}) => ({
      path: at('release-milestone-funds'),
      body: { contractId, releaseSigner: buyer, milestoneIndex: '0', ...change },
    }),
    disputeMilestone: (change = {}) => ({
      path: at('dispute-milestone'),
      body: { contractId, signer: buyer, milestoneIndex: '0', ...change },
    }),
    resolveMilestone: (change = {}) => ({
      path: at('resolve-milestone-dispute'),
      body: {
        contractId,
        disputeResolver: platform,
        milestoneIndex: '0',
        distributions: [{ address: buyer, amount: 10 }],
        ...change,
      },
    }),
    withdraw: (change = {}) => ({
      path: at('withdraw-remaining-funds'),
      body: { contractId, disputeResolver: platform, distributions: [{ address: buyer, amount: 1 }], ...change },
    }),
  };
}

test('a deployment is refused for no amount, a fee above 99 percent, no milestone or more than ten', async () => {
  const cast = people();
  const milestones = (count: number) => Array.from({ length: count }, () => ({ description: 'A part' }));
  const single = (change: Record<string, unknown>) => ({
    path: `/deployer/${S}`,
    body: escrows.singleBody(cast, change),
  });
  await refuses(cast, 'AmountZero', single({ amount: 0 }));
  await refuses(cast, 'AmountZero', single({ amount: -1 }));
  await refuses(cast, 'PlatformFeeTooHigh', single({ platformFee: 99.01 }));
  await refuses(cast, 'NoMilestone', single({ milestones: [] }));
  await refuses(cast, 'TooManyMilestones', single({ milestones: milestones(11) }));
  await refuses(cast, 'FlagsSet', single({ flags: { released: true } }));
  assert.equal(
    (await escrows.ask(cast, `/deployer/${S}`, escrows.singleBody(cast, { milestones: milestones(10) }))).status,
    201,
  );
  assert.equal((await escrows.ask(cast, `/deployer/${S}`, escrows.singleBody(cast, { platformFee: 99 }))).status, 201);
  const receiver = cast.seller.publicKey();
  const unpaid = escrows.multiBody(cast, { milestones: [{ description: 'Free', amount: 0, receiver }] });
  await refuses(cast, 'AmountZero', { path: `/deployer/${M}`, body: unpaid });
});

test('an escrow is initialised once: the same deployment cannot be signed into a second transaction', async () => {
  const cast = people();
  const { body } = await escrows.ask(cast, `/deployer/${S}`, escrows.singleBody(cast));
  const { operations } = TransactionBuilder.fromXDR(body.unsignedTransaction!, PASSPHRASE) as unknown as {
    operations: { func: never; auth: never }[];
  };
  await escrows.send(cast, escrows.sign(body.unsignedTransaction, cast.buyer));
  const { func, auth } = operations[0]!;
  const source = await cast.ledger.horizon.loadAccount(cast.buyer.publicKey());
  const again = new TransactionBuilder(new Account(source.accountId(), source.sequenceNumber()), {
    fee: '100',
    networkPassphrase: PASSPHRASE,
  });
  const repeated = again.addOperation(Operation.invokeHostFunction({ func, auth })).setTimeout(0).build().toXDR();
  const answer = await escrows.send(cast, escrows.sign(repeated, cast.buyer));
  assert.deepEqual([answer.status, answer.body.message], [500, CONTRACT_ERRORS.AlreadyInitialized]);
});

test('a body of the wrong form is 400 and says which field', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S);
  const { fund, approve } = calls(cast, { type: S, contractId });
  const cases: [RegExp, Try][] = [
    [/amount must be a number with at most 7/, fund({ amount: 1.12345678 })],
    [/amount must be a number with at most 7/, fund({ amount: 'ten' })],
    [/contractId must be a valid contract/, fund({ contractId: 'CABC' })],
    [/signer must be a valid account/, fund({ signer: undefined })],
    [/milestoneIndex must be a numeric string/, approve({ milestoneIndex: 'first' })],
    [
      /roles\.receiver belongs/,
      { path: `/deployer/${M}`, body: escrows.multiBody(cast, { roles: escrows.singleBody(cast).roles }) },
    ],
    [
      /trustline is not an asset/,
      {
        path: `/deployer/${S}`,
        body: escrows.singleBody(cast, { trustline: { address: contractId, symbol: 'USDC' } }),
      },
    ],
  ];
  for (const [words, { path, body }] of cases) {
    const answer = await escrows.ask(cast, path, body);
    assert.equal(answer.status, 400);
    assert.match(answer.body.message!, words);
  }
});

test('funding is refused for nothing, from too little, and into nowhere', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S);
  const { fund } = calls(cast, { type: S, contractId });
  await refuses(cast, 'AmountZero', fund({ amount: 0 }));
  await refuses(cast, 'AmountZero', fund({ amount: -5 }));
  await refuses(cast, 'FunderShort', fund({ amount: 1000.0000001 }));
  await refuses(cast, 'NotFound', fund({ contractId: NOWHERE }));
});

test('funding prepared for other properties than the escrow has by then is refused when executed', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S);
  const { fund } = calls(cast, { type: S, contractId });
  const prepared = await escrows.ask(cast, fund().path, fund().body);
  const { signer: _, ...escrow } = escrows.singleBody(cast, { amount: 11 });
  const body = { signer: cast.platform.publicKey(), contractId, escrow };
  await escrows.mustAct(cast, { path: `/escrow/${S}/update-escrow`, body, by: cast.platform, method: 'PUT' });
  const answer = await escrows.send(cast, escrows.sign(prepared.body.unsignedTransaction, cast.buyer));
  assert.deepEqual([answer.status, answer.body.message], [500, CONTRACT_ERRORS.PropertiesMismatch]);
});

test('a milestone’s status is the service provider’s and its approval the approver’s, once, with a status', async () => {
  const cast = people();
  for (const type of [S, M] as const) {
    const contractId = await escrows.deploy(cast, type);
    const { status, approve } = calls(cast, { type, contractId });
    await refuses(cast, 'OnlyServiceProvider', status({ serviceProvider: cast.buyer.publicKey() }));
    await refuses(cast, 'InvalidIndex', status({ milestoneIndex: '7' }));
    await refuses(cast, 'OnlyApprover', approve({ approver: cast.seller.publicKey() }));
    await refuses(cast, 'InvalidIndex', approve({ milestoneIndex: '2' }));
    await escrows.mustAct(cast, { ...status({ newStatus: '' }), by: cast.seller });
    await refuses(cast, 'EmptyStatus', approve());
    await escrows.finish(cast, { type, contractId, index: 0 });
    await refuses(cast, 'AlreadyApproved', approve());
    const nowhere = { contractId: NOWHERE };
    assert.equal((await escrows.ask(cast, status().path, status(nowhere).body)).status, 500);
  }
});

test('a release needs its signer, every approval, the whole balance, and no end or dispute before it', async () => {
  const cast = people();
  const two = { milestones: [{ description: 'One' }, { description: 'Two' }] };
  const contractId = await escrows.deploy(cast, S, two);
  const { release, dispute, resolve, status } = calls(cast, { type: S, contractId });
  await refuses(cast, 'OnlyReleaseSigner', release({ releaseSigner: cast.seller.publicKey() }));
  await refuses(cast, 'NotCompleted', release());
  await escrows.finish(cast, { type: S, contractId, index: 0 });
  await refuses(cast, 'NotCompleted', release());
  await escrows.finish(cast, { type: S, contractId, index: 1 });
  await escrows.fund(cast, { type: S, contractId, amount: 9.9999999 });
  await refuses(cast, 'BalanceShort', release());
  await escrows.fund(cast, { type: S, contractId, amount: 0.0000001 });
  await escrows.mustAct(cast, { ...dispute(), by: cast.buyer });
  await refuses(cast, 'InDispute', release());
  await escrows.mustAct(cast, { ...resolve(), by: cast.platform });
  await refuses(cast, 'EscrowResolved', release());
  await refuses(cast, 'EscrowResolved', dispute());
  await refuses(cast, 'EscrowResolved', status());
  const other = await escrows.deploy(cast, S);
  await escrows.fund(cast, { type: S, contractId: other, amount: 10 });
  await escrows.finish(cast, { type: S, contractId: other, index: 0 });
  const again = calls(cast, { type: S, contractId: other });
  await escrows.mustAct(cast, { ...again.release(), by: cast.buyer });
  await refuses(cast, 'EscrowReleased', again.release());
  await refuses(cast, 'EscrowReleased', again.dispute());
});

test('a dispute is opened by a role holder but not the resolver, once, and ended by the resolver with exact sums', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S);
  await escrows.fund(cast, { type: S, contractId, amount: 10 });
  const { dispute, resolve } = calls(cast, { type: S, contractId });
  const buyer = cast.buyer.publicKey();
  const seller = cast.seller.publicKey();
  const parts = (...amounts: number[]) => ({
    distributions: amounts.map((amount, index) => ({ address: [buyer, seller][index], amount })),
  });
  await refuses(cast, 'ResolverCannotDispute', dispute({ signer: cast.platform.publicKey() }));
  await refuses(cast, 'CannotDispute', dispute({ signer: cast.stranger.publicKey() }));
  await refuses(cast, 'NotDisputed', resolve());
  await escrows.mustAct(cast, { ...dispute(), by: cast.buyer });
  await refuses(cast, 'AlreadyDisputed', dispute());
  await refuses(cast, 'OnlyResolver', resolve({ disputeResolver: buyer }));
  await refuses(cast, 'TotalZero', resolve(parts()));
  await refuses(cast, 'PartNotPositive', resolve(parts(10, 0)));
  await refuses(cast, 'PartNotPositive', resolve(parts(11, -1)));
  await refuses(cast, 'SumNotBalance', resolve(parts(4, 5)));
  await refuses(cast, 'ResolutionShort', resolve(parts(4, 7)));
  await escrows.mustAct(cast, { ...resolve(parts(4, 6)), by: cast.platform });
  await refuses(cast, 'NotDisputed', resolve());
});

test('the milestones of a multi-release escrow have the same rules, each for itself', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, M);
  const { releaseMilestone, disputeMilestone, resolveMilestone, withdraw } = calls(cast, { type: M, contractId });
  const { status } = calls(cast, { type: M, contractId });
  const buyer = cast.buyer.publicKey();
  await refuses(cast, 'OnlyReleaseSigner', releaseMilestone({ releaseSigner: cast.seller.publicKey() }));
  await refuses(cast, 'InvalidIndex', releaseMilestone({ milestoneIndex: '2' }));
  await refuses(cast, 'MilestoneNotCompleted', releaseMilestone());
  await escrows.finish(cast, { type: M, contractId, index: 0 });
  await refuses(cast, 'BalanceShort', releaseMilestone());
  await escrows.fund(cast, { type: M, contractId, amount: 31 });
  await escrows.mustAct(cast, { ...releaseMilestone(), by: cast.buyer });
  await refuses(cast, 'MilestoneReleased', releaseMilestone());
  await refuses(cast, 'MilestoneReleased', disputeMilestone());
  await refuses(cast, 'MilestoneReleased', status());
  const second = { milestoneIndex: '1' };
  await refuses(cast, 'ResolverCannotDispute', disputeMilestone({ ...second, signer: cast.platform.publicKey() }));
  await refuses(cast, 'CannotDispute', disputeMilestone({ ...second, signer: cast.stranger.publicKey() }));
  await refuses(cast, 'InvalidIndex', disputeMilestone({ milestoneIndex: '2' }));
  await refuses(cast, 'MilestoneNotDisputed', resolveMilestone(second));
  await escrows.finish(cast, { type: M, contractId, index: 1 });
  await escrows.mustAct(cast, { ...disputeMilestone(second), by: cast.buyer });
  await refuses(cast, 'MilestoneAlreadyDisputed', disputeMilestone(second));
  await refuses(cast, 'MilestoneInDispute', releaseMilestone(second));
  await refuses(cast, 'OnlyResolver', resolveMilestone({ ...second, disputeResolver: buyer }));
  await refuses(cast, 'InvalidIndex', resolveMilestone({ milestoneIndex: '9' }));
  const much = { ...second, distributions: [{ address: buyer, amount: 20.0000001 }] };
  await refuses(cast, 'TotalAboveMilestone', resolveMilestone(much));
  await refuses(cast, 'NotAllProcessed', withdraw());
  await escrows.mustAct(cast, {
    ...resolveMilestone({ ...second, distributions: [{ address: buyer, amount: 20 }] }),
    by: cast.platform,
  });
  await refuses(cast, 'MilestoneResolved', releaseMilestone(second));
  await refuses(cast, 'MilestoneResolved', disputeMilestone(second));
  await refuses(cast, 'OnlyResolver', withdraw({ disputeResolver: buyer }));
  await refuses(cast, 'ResolutionShort', withdraw({ distributions: [{ address: buyer, amount: 1.0000001 }] }));
});

test('a milestone resolution needs its money in the contract', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, M);
  const { disputeMilestone, resolveMilestone } = calls(cast, { type: M, contractId });
  await escrows.mustAct(cast, { ...disputeMilestone(), by: cast.buyer });
  await refuses(cast, 'ResolutionShort', resolveMilestone());
});

test('an update is the platform’s, keeps the platform, and after funding only adds milestones', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S);
  const update = (change: Record<string, unknown>, signer = cast.platform.publicKey()) => {
    const { signer: _, ...escrow } = escrows.singleBody(cast, change);
    return { path: `/escrow/${S}/update-escrow`, body: { signer, contractId, escrow }, method: 'PUT' };
  };
  const { roles } = escrows.singleBody(cast);
  await refuses(cast, 'OnlyPlatform', update({ title: 'Mine' }, cast.buyer.publicKey()));
  await refuses(cast, 'PlatformFixed', update({ roles: { ...roles, platformAddress: cast.seller.publicKey() } }));
  await refuses(cast, 'FlagsSet', update({ flags: { disputed: true } }));
  await refuses(cast, 'AmountZero', update({ amount: 0 }));
  await escrows.fund(cast, { type: S, contractId, amount: 1 });
  await refuses(cast, 'HasFunds', update({ title: 'Other' }));
  const more = [{ description: 'All of it' }, { description: 'And more' }];
  await escrows.mustAct(cast, { ...update({ milestones: more }), by: cast.platform });
  const { dispute } = calls(cast, { type: S, contractId });
  await escrows.mustAct(cast, { ...dispute(), by: cast.buyer });
  await refuses(cast, 'InDispute', update({ milestones: more }));
  const unfunded = await escrows.deploy(cast, S);
  await escrows.finish(cast, { type: S, contractId: unfunded, index: 0 });
  const late = update({ title: 'Late' });
  await refuses(cast, 'ApprovedFixed', { ...late, body: { ...late.body, contractId: unfunded } });
});

test('a function of the other kind of escrow does not exist', async () => {
  const cast = people();
  const multi = await escrows.deploy(cast, M);
  const body = { contractId: multi, releaseSigner: cast.buyer.publicKey() };
  const answer = await escrows.ask(cast, `/escrow/${S}/release-funds`, body);
  assert.deepEqual([answer.status, /has no function release_funds/.test(answer.body.message!)], [500, true]);
  assert.equal((await escrows.ask(cast, `/escrow/${M}/release-funds`, body)).status, 404);
});

test('a receiver without the trustline stops the release, and nothing of it happens', async (t) => {
  const cast = await escrows.openEscrows(t);
  const contractId = await escrows.deploy(cast, S);
  await escrows.fund(cast, { type: S, contractId, amount: 10 });
  await escrows.finish(cast, { type: S, contractId, index: 0 });
  const prepared = await escrows.ask(cast, `/escrow/${S}/release-funds`, {
    contractId,
    releaseSigner: cast.buyer.publicKey(),
  });
  const forget = Operation.changeTrust({ asset: cast.ledger.usdc, limit: '0' });
  await perform(cast.ledger, { by: cast.seller, operations: [forget] });
  const answer = await escrows.send(cast, escrows.sign(prepared.body.unsignedTransaction, cast.buyer));
  assert.equal(answer.status, 500);
  assert.match(answer.body.message!, /trustline entry is missing/);
  const { balance, flags } = await escrows.record(cast, contractId);
  assert.deepEqual([balance, flags], [10, { disputed: false, released: false, resolved: false }]);
});

test('what was true when prepared is checked again when executed', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S);
  const { dispute } = calls(cast, { type: S, contractId });
  const one = await escrows.ask(cast, dispute().path, dispute().body);
  const two = await escrows.ask(cast, dispute().path, dispute({ signer: cast.seller.publicKey() }).body);
  assert.equal((await escrows.send(cast, escrows.sign(one.body.unsignedTransaction, cast.buyer))).status, 200);
  const late = await escrows.send(cast, escrows.sign(two.body.unsignedTransaction, cast.seller));
  assert.deepEqual([late.status, late.body.message], [500, CONTRACT_ERRORS.AlreadyDisputed]);
  const again = await escrows.send(cast, escrows.sign(two.body.unsignedTransaction, cast.seller));
  assert.deepEqual(again, late);
});

test('a submission that the network rejects is 400 with the network’s code', async (t) => {
  const cast = await escrows.openEscrows(t);
  const { body } = await escrows.ask(cast, `/deployer/${S}`, escrows.singleBody(cast));
  const forged = await escrows.send(cast, escrows.sign(body.unsignedTransaction, cast.seller));
  assert.deepEqual([forged.status, /tx_bad_auth/.test(forged.body.message!)], [400, true]);
  const signed = escrows.sign(body.unsignedTransaction, cast.buyer);
  await cast.ledger.sandbox.clock.advance(301_000);
  const late = await escrows.send(cast, signed);
  assert.deepEqual([late.status, /tx_too_late/.test(late.body.message!)], [400, true]);
  assert.equal((await escrows.send(cast, 'AAAA')).status, 400);
  const unknownAddress = Keypair.random().publicKey();
  const unknown = await escrows.ask(cast, `/deployer/${S}`, escrows.singleBody(cast, { signer: unknownAddress }));
  assert.deepEqual([unknown.status, /does not exist/.test(unknown.body.message!)], [400, true]);
});
