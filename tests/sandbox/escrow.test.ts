// Escrows through the provider's simulator from deployment to their end, with the exact amounts that each party gets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Address, Asset, scValToNative, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { balances, faucet, PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';
import { shareInFile } from '../support/share-in-file.ts';
import * as escrows from './escrow-parties.ts';

const S = 'single-release';
const M = 'multi-release';

/** The parties that most tests of this file share; each has contracts of its own. */
const people = shareInFile((t) => escrows.openEscrows(t));

const unitsOf = async (cast: escrows.Cast): Promise<Record<string, bigint>> => {
  const addresses = {
    buyer: cast.buyer.publicKey(),
    seller: cast.seller.publicKey(),
    platform: cast.platform.publicKey(),
    protocol: cast.ledger.protocolFees,
  };
  const read = async (address: string) => BigInt((await balances(cast.ledger, address)).usdc!.replace('.', ''));
  return Object.fromEntries(
    await Promise.all(Object.entries(addresses).map(async ([who, at]) => [who, await read(at)])),
  );
};

/** What each has more than before, in units of 10^-7. */
async function gainsSince(before: Record<string, bigint>, cast: escrows.Cast): Promise<Record<string, bigint>> {
  const after = await unitsOf(cast);
  return Object.fromEntries(Object.entries(after).map(([who, units]) => [who, units - before[who]!]));
}

test('ten at five percent is released as 9.47, 0.50 and 0.03', async () => {
  const cast = people();
  const before = await unitsOf(cast);
  const contractId = await escrows.deploy(cast, S);
  await escrows.fund(cast, { type: S, contractId, amount: 10 });
  await escrows.finish(cast, { type: S, contractId, index: 0 });
  const body = { contractId, releaseSigner: cast.buyer.publicKey() };
  await escrows.mustAct(cast, { path: `/escrow/${S}/release-funds`, body, by: cast.buyer });
  assert.deepEqual(await gainsSince(before, cast), {
    buyer: -100_000_000n,
    seller: 94_700_000n,
    platform: 5_000_000n,
    protocol: 300_000n,
  });
  const { flags, balance } = await escrows.record(cast, contractId);
  assert.deepEqual([flags, balance], [{ disputed: false, released: true, resolved: false }, 0]);
});

test('a refund pays the buyer the balance less both fees', async () => {
  const cast = people();
  const before = await unitsOf(cast);
  const contractId = await escrows.deploy(cast, S);
  await escrows.fund(cast, { type: S, contractId, amount: 10 });
  const dispute = { contractId, signer: cast.buyer.publicKey() };
  await escrows.mustAct(cast, { path: `/escrow/${S}/dispute-escrow`, body: dispute, by: cast.buyer });
  const distributions = [{ address: cast.buyer.publicKey(), amount: 10 }];
  const body = { contractId, disputeResolver: cast.platform.publicKey(), distributions };
  await escrows.mustAct(cast, { path: `/escrow/${S}/resolve-dispute`, body, by: cast.platform });
  assert.deepEqual(await gainsSince(before, cast), {
    buyer: -5_300_000n,
    seller: 0n,
    platform: 5_000_000n,
    protocol: 300_000n,
  });
  assert.deepEqual((await escrows.record(cast, contractId)).flags, {
    disputed: false,
    released: false,
    resolved: true,
  });
});

test('fees of a split are rounded down for each recipient, and nothing is left or missing', async () => {
  const cast = people();
  const before = await unitsOf(cast);
  const contractId = await escrows.deploy(cast, S, { amount: 10.0000001, platformFee: 3.33 });
  await escrows.fund(cast, { type: S, contractId, amount: 10.0000001 });
  const dispute = { contractId, signer: cast.seller.publicKey() };
  await escrows.mustAct(cast, { path: `/escrow/${S}/dispute-escrow`, body: dispute, by: cast.seller });
  const distributions = [
    { address: cast.buyer.publicKey(), amount: 3.3333334 },
    { address: cast.seller.publicKey(), amount: 6.6666667 },
  ];
  const body = { contractId, disputeResolver: cast.platform.publicKey(), distributions };
  await escrows.mustAct(cast, { path: `/escrow/${S}/resolve-dispute`, body, by: cast.platform });
  // Of 10.0000001: protocol 0.0300000, platform 0.3330000; per recipient 0.0100000 + 0.0199999 and 0.1110000 + 0.2219999.
  assert.deepEqual(await gainsSince(before, cast), {
    buyer: -67_876_667n,
    seller: 64_246_669n,
    platform: 3_329_999n,
    protocol: 299_999n,
  });
  assert.equal((await escrows.record(cast, contractId)).balance, 0);
});

test('a multi-release escrow pays one milestone, splits another and gives the rest back', async () => {
  const cast = people();
  const before = await unitsOf(cast);
  const contractId = await escrows.deploy(cast, M);
  await escrows.fund(cast, { type: M, contractId, amount: 10 });
  await escrows.fund(cast, { type: M, contractId, amount: 22 });
  await escrows.finish(cast, { type: M, contractId, index: 0 });
  const release = { contractId, releaseSigner: cast.buyer.publicKey(), milestoneIndex: '0' };
  await escrows.mustAct(cast, { path: `/escrow/${M}/release-milestone-funds`, body: release, by: cast.buyer });
  const dispute = { contractId, signer: cast.buyer.publicKey(), milestoneIndex: '1' };
  await escrows.mustAct(cast, { path: `/escrow/${M}/dispute-milestone`, body: dispute, by: cast.buyer });
  const parts = (...entries: [string, number][]) => entries.map(([address, amount]) => ({ address, amount }));
  const [buyer, seller, resolver] = [cast.buyer, cast.seller, cast.platform].map((person) => person.publicKey());
  const distributions = parts([buyer!, 5], [seller!, 15]);
  const resolve = { contractId, disputeResolver: resolver, milestoneIndex: '1', distributions };
  await escrows.mustAct(cast, { path: `/escrow/${M}/resolve-milestone-dispute`, body: resolve, by: cast.platform });
  const rest = { contractId, disputeResolver: resolver, distributions: parts([buyer!, 2]) };
  await escrows.mustAct(cast, { path: `/escrow/${M}/withdraw-remaining-funds`, body: rest, by: cast.platform });
  assert.deepEqual(await gainsSince(before, cast), {
    buyer: -253_710_000n,
    seller: 236_750_000n,
    platform: 16_000_000n,
    protocol: 960_000n,
  });
  const { milestones, balance } = await escrows.record(cast, contractId);
  const flags = (milestones as { flags: unknown }[]).map((milestone) => milestone.flags);
  assert.deepEqual(flags, [
    { approved: true, disputed: false, released: true, resolved: false },
    { approved: false, disputed: false, released: false, resolved: true },
  ]);
  assert.equal(balance, 0);
});

test('any account may fund, in parts, through the provider or directly at the contract', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S);
  const body = { contractId, signer: cast.stranger.publicKey(), amount: '4' };
  await escrows.mustAct(cast, { path: `/escrow/${S}/fund-escrow`, body, by: cast.stranger });
  assert.equal((await faucet(cast.ledger, { address: contractId, asset: 'USDC', amount: '6' })).status, 200);
  const { body: told } = await escrows.ask(cast, `/helper/get-multiple-escrow-balance?addresses[]=${contractId}`);
  assert.deepEqual(told, [{ address: contractId, balance: 10 }]);
});

test('an escrow in the native asset pays in it', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S, { trustline: { address: 'native', symbol: 'XLM' } });
  await escrows.fund(cast, { type: S, contractId, amount: 10 });
  await escrows.finish(cast, { type: S, contractId, index: 0 });
  const before = (await balances(cast.ledger, cast.seller.publicKey())).xlm;
  const body = { contractId, releaseSigner: cast.buyer.publicKey() };
  await escrows.mustAct(cast, { path: `/escrow/${S}/release-funds`, body, by: cast.buyer });
  const after = (await balances(cast.ledger, cast.seller.publicKey())).xlm;
  assert.equal((Number(after) - Number(before)).toFixed(7), '9.4700000');
});

test('what is to be signed names the contract, the function, the amount and the only transfer it authorises', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S);
  const buyer = cast.buyer.publicKey();
  const { status, body } = await escrows.ask(cast, `/escrow/${S}/fund-escrow`, {
    contractId,
    signer: buyer,
    amount: 2.5,
  });
  assert.deepEqual([status, body.status], [201, 'SUCCESS']);
  const envelope = xdr.TransactionEnvelope.fromXdr(body.unsignedTransaction!, 'base64');
  assert.ok(envelope.type === 'envelopeTypeTx');
  const { tx, signatures } = envelope.v1;
  const account = await cast.ledger.horizon.loadAccount(buyer);
  assert.deepEqual([signatures.length, tx.seqNum], [0, BigInt(account.sequenceNumber()) + 1n]);
  const operation = tx.operations[0]!.body;
  assert.ok(operation.type === 'invokeHostFunction' && tx.operations.length === 1);
  const { hostFunction, auth } = operation.invokeHostFunctionOp;
  assert.ok(hostFunction.type === 'hostFunctionTypeInvokeContract');
  const { contractAddress, functionName, args } = hostFunction.invokeContract;
  assert.equal(Address.fromScAddress(contractAddress).toString(), contractId);
  assert.equal(functionName.toString(), 'fund_escrow');
  const [signer, escrow, amount] = args.map((argument) => scValToNative(argument));
  assert.deepEqual([signer, escrow.engagement_id, escrow.amount, amount], [buyer, 'ord_1', 100_000_000n, 25_000_000n]);
  const token = cast.ledger.usdc.contractId(PASSPHRASE);
  assert.equal(escrow.trustline.address, token);
  const [transfer, ...others] = auth[0]!.rootInvocation.subInvocations;
  assert.ok(transfer!.function.type === 'sorobanAuthorizedFunctionTypeContractFn');
  const { contractFn } = transfer!.function;
  assert.deepEqual(
    [Address.fromScAddress(contractFn.contractAddress).toString(), contractFn.functionName.toString()],
    [token, 'transfer'],
  );
  assert.deepEqual(
    contractFn.args.map((argument) => scValToNative(argument)),
    [buyer, contractId, 25_000_000n],
  );
  assert.deepEqual([auth.length, others.length], [1, 0]);
});

test('an envelope without its authorisation, or with another amount than authorised, is refused by the ledger', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S);
  const request = { contractId, signer: cast.buyer.publicKey(), amount: 5 };
  const { body } = await escrows.ask(cast, `/escrow/${S}/fund-escrow`, request);
  const envelope = xdr.TransactionEnvelope.fromXdr(body.unsignedTransaction!, 'base64');
  assert.ok(envelope.type === 'envelopeTypeTx');
  const operation = envelope.v1.tx.operations[0]!.body;
  assert.ok(operation.type === 'invokeHostFunction');
  (operation.invokeHostFunctionOp.auth as unknown[]).length = 0;
  const stripped = TransactionBuilder.fromXDR(envelope.toXdr('base64'), PASSPHRASE).toXDR();
  const { status, body: told } = await escrows.send(cast, escrows.sign(stripped, cast.buyer));
  assert.equal(status, 500);
  assert.match(told.message!, /did not authorise fund_escrow/);
});

test('a deposit out of a contract is on the payment page of its receiver', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S);
  await escrows.fund(cast, { type: S, contractId, amount: 10 });
  await escrows.finish(cast, { type: S, contractId, index: 0 });
  const body = { contractId, releaseSigner: cast.buyer.publicKey() };
  await escrows.mustAct(cast, { path: `/escrow/${S}/release-funds`, body, by: cast.buyer });
  const payments = cast.ledger.horizon.payments().forAccount(cast.seller.publicKey());
  const [latest] = (await payments.order('desc').limit(1).call()).records;
  const shown = latest as unknown as { type: string; asset_balance_changes: Record<string, string>[] };
  assert.equal(shown.type, 'invoke_host_function');
  const received = shown.asset_balance_changes.filter(({ to }) => to === cast.seller.publicKey());
  assert.deepEqual(received, [
    {
      asset_type: 'credit_alphanum4',
      asset_code: 'USDC',
      asset_issuer: cast.ledger.issuer,
      type: 'transfer',
      from: contractId,
      to: cast.seller.publicKey(),
      amount: '9.4700000',
    },
  ]);
});

test('an escrow is found by signer and engagement, by role, and by contract, and updated before it is funded', async (t) => {
  const cast = await escrows.openEscrows(t);
  const one = await escrows.deploy(cast, S);
  const two = await escrows.deploy(cast, M);
  const list = async (path: string) => {
    const { body } = await escrows.ask(cast, path);
    return (body as unknown as { contractId: string }[]).map(({ contractId }) => contractId);
  };
  const signer = cast.buyer.publicKey();
  assert.deepEqual(await list(`/helper/get-escrows-by-signer?signer=${signer}&engagementId=ord_1`), [one]);
  assert.deepEqual(await list(`/helper/get-escrows-by-signer?signer=${signer}&orderDirection=asc`), [one, two]);
  assert.deepEqual(await list(`/helper/get-escrows-by-signer?signer=${signer}&minAmount=11`), [two]);
  assert.deepEqual(await list(`/helper/get-escrows-by-signer?signer=${signer}&page=2&pageSize=1`), [one]);
  assert.deepEqual(await list(`/helper/get-escrows-by-signer?signer=${cast.seller.publicKey()}`), []);
  const role = `role=serviceProvider&roleAddress=${cast.seller.publicKey()}`;
  assert.deepEqual(await list(`/helper/get-escrows-by-role?${role}&type=${M}`), [two]);
  const { signer: _, ...escrow } = escrows.singleBody(cast, { title: 'A bigger garden', amount: 12 });
  const body = { signer: cast.platform.publicKey(), contractId: one, escrow };
  const step = { path: `/escrow/${S}/update-escrow`, body, by: cast.platform, method: 'PUT' };
  const told = await escrows.mustAct(cast, step);
  assert.equal(told.contractId, one);
  const { title, amount, platformFee, trustline } = await escrows.record(cast, one);
  assert.deepEqual([title, amount, platformFee], ['A bigger garden', 12, 5]);
  assert.deepEqual(trustline, { address: cast.ledger.issuer, name: 'USDC', symbol: 'USDC' });
});

test('a deployment answers its contract and escrow, every other submission does not', async () => {
  const cast = people();
  const step = { path: `/deployer/${S}`, body: escrows.singleBody(cast), by: cast.buyer };
  const deployed = await escrows.mustAct(cast, step);
  assert.deepEqual(Object.keys(deployed), ['status', 'message', 'contractId', 'escrow']);
  assert.equal(deployed.escrow!.contractId, deployed.contractId);
  const funded = await escrows.fund(cast, { type: S, contractId: deployed.contractId!, amount: 1 });
  assert.deepEqual(Object.keys(funded), ['status', 'message']);
});

test('the trustline helper prepares a trustline and the index confirms a known transaction', async () => {
  const cast = people();
  const signer = cast.buyer.publicKey();
  const body = { signer, trustline: escrows.trustline(cast) };
  await escrows.mustAct(cast, { path: '/helper/set-trustline', body, by: cast.buyer });
  const [latest] = (await cast.ledger.horizon.transactions().forAccount(signer).order('desc').limit(1).call()).records;
  const known = await escrows.ask(cast, '/indexer/update-from-txhash', { txHash: latest!.hash }, 'PUT');
  assert.equal(known.body.status, 'SUCCESS');
  const unknown = await escrows.ask(cast, '/indexer/update-from-txhash', { txHash: 'ff' }, 'PUT');
  assert.equal(unknown.status, 404);
});

test('without the key it is 401, and past 50 requests in a minute 429 when the limit is on', async (t) => {
  const cast = await escrows.openEscrows(t, { escrow: { rateLimit: true } });
  const url = `${cast.ledger.sandbox.urls.escrow}/helper/get-escrows-by-signer?signer=${cast.buyer.publicKey()}`;
  assert.equal((await fetch(url)).status, 401);
  const headers = { 'x-api-key': 'sandbox-escrow-key' };
  for (let request = 0; request < 50; request++) assert.equal((await fetch(url, { headers })).status, 200);
  const refused = await fetch(url, { headers });
  assert.deepEqual([refused.status, ((await refused.json()) as { code: number }).code], [429, 429]);
  await cast.ledger.sandbox.clock.advance(60_000);
  assert.equal((await fetch(url, { headers })).status, 200);
});

test('the native asset has a token contract of its own', async () => {
  const cast = people();
  const contractId = await escrows.deploy(cast, S, {
    trustline: { address: Asset.native().contractId(PASSPHRASE), symbol: 'XLM' },
  });
  assert.equal(((await escrows.record(cast, contractId)).trustline as { symbol: string }).symbol, 'XLM');
});
