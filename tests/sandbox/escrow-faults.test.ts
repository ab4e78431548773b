// The fault scripts that strike the escrow provider's simulator, each by name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotFoundError, scValToNative, TransactionBuilder } from '@stellar/stellar-sdk';
import { balances, PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';
import { shareInFile } from '../support/share-in-file.ts';
import * as escrows from './escrow-parties.ts';

const S = 'single-release';

/** The parties that most tests of this file share; each has contracts of its own. */
const people = shareInFile((t) => escrows.openEscrows(t));

// The calls of one escrow, each with the operation that a fault names.
function steps(cast: escrows.Cast, contractId: string) {
  const [buyer, seller, platform] = [cast.buyer, cast.seller, cast.platform].map((person) => person.publicKey());
  const distributions = [{ address: buyer, amount: 10 }];
  return {
    deploy: { path: `/deployer/${S}`, body: escrows.singleBody(cast), by: cast.buyer },
    fund: { path: `/escrow/${S}/fund-escrow`, body: { contractId, signer: buyer, amount: 10 }, by: cast.buyer },
    'change-status': {
      path: `/escrow/${S}/change-milestone-status`,
      body: { contractId, milestoneIndex: '0', newStatus: 'done', serviceProvider: seller },
      by: cast.seller,
    },
    approve: {
      path: `/escrow/${S}/approve-milestone`,
      body: { contractId, milestoneIndex: '0', approver: buyer },
      by: cast.buyer,
    },
    dispute: { path: `/escrow/${S}/dispute-escrow`, body: { contractId, signer: buyer }, by: cast.buyer },
    resolve: {
      path: `/escrow/${S}/resolve-dispute`,
      body: { contractId, disputeResolver: platform, distributions },
      by: cast.platform,
    },
    release: { path: `/escrow/${S}/release-funds`, body: { contractId, releaseSigner: buyer }, by: cast.buyer },
  } as const;
}

const REFUND = ['fund', 'change-status', 'approve', 'dispute', 'resolve'] as const;

test('refusal, outage, timeout and slow strike the named call itself, whichever it is, and change nothing', async () => {
  const cast = people();
  const { faults } = cast.ledger.sandbox;
  const refunded = steps(cast, await escrows.deploy(cast, S));
  const released = steps(cast, await escrows.deploy(cast, S));
  await escrows.mustAct(cast, released.fund);
  await escrows.mustAct(cast, released.approve);
  for (const operation of ['deploy', ...REFUND, 'release'] as const) {
    const step = (operation === 'release' ? released : refunded)[operation];
    faults.arm({ operation, fault: 'refusal', match: 'ord_1' });
    assert.equal((await escrows.ask(cast, step.path, step.body)).status, 400);
    faults.arm({ operation, fault: 'outage', match: 'ord_1' });
    await assert.rejects(escrows.ask(cast, step.path, step.body));
    faults.arm({ operation, fault: 'timeout', match: 'ord_1', delayMs: 5 });
    await assert.rejects(escrows.ask(cast, step.path, step.body));
    faults.arm({ operation, fault: 'slow', match: 'ord_1', delayMs: 1 });
    await escrows.mustAct(cast, step);
    assert.deepEqual(faults.list(), []);
  }
});

test('http-200-failed and lost-answer strike the submission of the named call, by our order’s id', async () => {
  const cast = people();
  const { faults } = cast.ledger.sandbox;
  const contractId = await escrows.deploy(cast, S);
  const refunded = steps(cast, contractId);
  const released = steps(cast, await escrows.deploy(cast, S));
  await escrows.mustAct(cast, released.fund);
  await escrows.mustAct(cast, released.approve);
  for (const operation of ['deploy', ...REFUND, 'release'] as const) {
    const step = (operation === 'release' ? released : refunded)[operation];
    faults.arm({ operation, fault: 'http-200-failed', match: 'ord_1' });
    faults.arm({ operation, fault: 'lost-answer', match: 'ord_1', delayMs: 5 });
    const prepared = await escrows.ask(cast, step.path, step.body);
    assert.equal(prepared.status, 201);
    const signed = escrows.sign(prepared.body.unsignedTransaction, step.by);
    const failed = await escrows.send(cast, signed);
    assert.deepEqual([failed.status, failed.body.status], [200, 'FAILED']);
    const hash = Buffer.from(TransactionBuilder.fromXDR(signed, PASSPHRASE).hash()).toString('hex');
    const lookUp = () => cast.ledger.horizon.transactions().transaction(hash).call();
    await assert.rejects(lookUp(), NotFoundError);
    await assert.rejects(escrows.send(cast, signed));
    assert.equal((await lookUp()).successful, true);
    assert.equal((await escrows.send(cast, signed)).body.status, 'SUCCESS');
    assert.deepEqual(faults.list(), []);
  }
  assert.deepEqual((await escrows.record(cast, contractId)).flags, {
    disputed: false,
    released: false,
    resolved: true,
  });
});

test('a deployment whose answer has no contract, or is lost, is found again by the order’s id', async () => {
  const cast = people();
  const { faults } = cast.ledger.sandbox;
  const find = async (engagementId: string) => {
    const path = `/helper/get-escrows-by-signer?signer=${cast.buyer.publicKey()}&engagementId=${engagementId}`;
    return (await escrows.ask(cast, path)).body as unknown as unknown[];
  };
  faults.arm({ operation: 'deploy', fault: 'no-contract-id', match: 'ord_7' });
  const nameless = escrows.singleBody(cast, { engagementId: 'ord_7' });
  const told = await escrows.mustAct(cast, { path: `/deployer/${S}`, body: nameless, by: cast.buyer });
  assert.deepEqual(Object.keys(told), ['status', 'message']);
  assert.equal((await find('ord_7')).length, 1);
  faults.arm({ operation: 'deploy', fault: 'lost-answer', match: 'ord_8', delayMs: 5 });
  const body = escrows.singleBody(cast, { engagementId: 'ord_8' });
  await assert.rejects(escrows.act(cast, { path: `/deployer/${S}`, body, by: cast.buyer }));
  assert.equal((await find('ord_8')).length, 1);
});

test('a wrong amount is in what is to be signed, for a deployment, a funding and a resolution', async () => {
  const cast = people();
  const { faults } = cast.ledger.sandbox;
  const contractId = await escrows.deploy(cast, S);
  const all = steps(cast, contractId);
  await escrows.mustAct(cast, all.fund);
  await escrows.mustAct(cast, all.dispute);
  const argumentsOf = async (operation: 'deploy' | 'fund' | 'resolve') => {
    faults.arm({ operation, fault: 'wrong-amount' });
    const { status, body } = await escrows.ask(cast, all[operation].path, all[operation].body);
    assert.equal(status, 201);
    const [call] = TransactionBuilder.fromXDR(body.unsignedTransaction!, PASSPHRASE).operations as unknown as [
      { func: { invokeContract: { args: Parameters<typeof scValToNative>[0][] } } },
    ];
    return call.func.invokeContract.args.map((argument) => scValToNative(argument));
  };
  assert.equal((await argumentsOf('deploy'))[4][0].amount, 50_000_000n);
  assert.equal((await argumentsOf('fund'))[2], 50_000_000n);
  assert.deepEqual((await argumentsOf('resolve'))[1], { [cast.buyer.publicKey()]: 50_000_000n });
});

test('a release of a wrong amount pays it', async (t) => {
  const cast = await escrows.openEscrows(t);
  const contractId = await escrows.deploy(cast, S);
  const all = steps(cast, contractId);
  await escrows.mustAct(cast, all.fund);
  await escrows.mustAct(cast, all['change-status']);
  await escrows.mustAct(cast, all.approve);
  cast.ledger.sandbox.faults.arm({ operation: 'release', fault: 'wrong-amount', match: contractId });
  await escrows.mustAct(cast, all.release);
  assert.equal((await balances(cast.ledger, cast.seller.publicKey())).usdc, '4.7350000');
  assert.equal((await escrows.record(cast, contractId)).balance, 5);
});

test('send-transaction has every fault of its own', async () => {
  const cast = people();
  const { faults } = cast.ledger.sandbox;
  const contractId = await escrows.deploy(cast, S);
  const { fund, deploy } = steps(cast, contractId);
  const prepared = await escrows.ask(cast, fund.path, fund.body);
  const signed = escrows.sign(prepared.body.unsignedTransaction, cast.buyer);
  const arm = (fault: string, delayMs?: number) => faults.arm({ operation: 'send-transaction', fault, delayMs });
  arm('refusal');
  assert.equal((await escrows.send(cast, signed)).status, 400);
  arm('outage');
  await assert.rejects(escrows.send(cast, signed));
  arm('timeout', 5);
  await assert.rejects(escrows.send(cast, signed));
  arm('http-200-failed');
  assert.equal((await escrows.send(cast, signed)).body.status, 'FAILED');
  assert.equal((await escrows.record(cast, contractId)).balance, 0);
  arm('wrong-amount');
  assert.equal((await escrows.send(cast, signed)).body.status, 'SUCCESS');
  assert.equal((await escrows.record(cast, contractId)).balance, 5);
  arm('lost-answer', 5);
  await assert.rejects(escrows.act(cast, fund));
  assert.equal((await escrows.record(cast, contractId)).balance, 15);
  arm('slow', 1);
  await escrows.mustAct(cast, fund);
  arm('no-contract-id');
  assert.equal((await escrows.mustAct(cast, deploy)).contractId, undefined);
});

test('get-escrow can be refused, cut, late, silent, or tell another amount', async () => {
  const cast = people();
  const { faults } = cast.ledger.sandbox;
  const contractId = await escrows.deploy(cast, S);
  const arm = (fault: string, delayMs?: number) =>
    faults.arm({ operation: 'get-escrow', fault, delayMs, match: 'ord_1' });
  const path = `/helper/get-escrow-by-contract-ids?contractIds=${contractId}`;
  arm('refusal');
  assert.equal((await escrows.ask(cast, path)).status, 400);
  arm('outage');
  await assert.rejects(escrows.ask(cast, path));
  arm('timeout', 5);
  await assert.rejects(escrows.ask(cast, path));
  arm('slow', 1);
  assert.equal((await escrows.record(cast, contractId)).amount, 10);
  arm('wrong-amount');
  assert.equal((await escrows.record(cast, contractId)).amount, 5);
  await escrows.fund(cast, { type: S, contractId, amount: 10 });
  arm('wrong-amount');
  const { body } = await escrows.ask(cast, `/helper/get-multiple-escrow-balance?addresses=${contractId}`);
  assert.deepEqual(body, [{ address: contractId, balance: 5 }]);
});

test('a fault that names another order waits for it', async () => {
  const cast = people();
  const { faults } = cast.ledger.sandbox;
  faults.arm({ operation: 'deploy', fault: 'refusal', match: 'ord_9' });
  await escrows.deploy(cast, S);
  assert.equal(faults.list().length, 1);
  const other = await escrows.ask(cast, `/deployer/${S}`, escrows.singleBody(cast, { engagementId: 'ord_9' }));
  assert.equal(other.status, 400);
  assert.deepEqual(faults.list(), []);
});
