// The ledger and its escrows survive the end of the sandbox, in the middle of a contract.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/src/sandbox.ts';
import { balances, ledgerOf } from '../../tools/simulation/ledger-accounts.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import * as escrows from './escrow-parties.ts';

const S = 'single-release';

test('an escrow begun before a restart is finished after it, with the envelope signed before it', async (t) => {
  const stateFile = path.join(await temporaryFolder(t), 'sandbox.json');
  const before = await escrows.openEscrows(t, { stateFile });
  const contractId = await escrows.deploy(before, S);
  await escrows.fund(before, { type: S, contractId, amount: 10 });
  await escrows.finish(before, { type: S, contractId, index: 0 });
  const body = { contractId, releaseSigner: before.buyer.publicKey() };
  const prepared = await escrows.ask(before, `/escrow/${S}/release-funds`, body);
  const signed = escrows.sign(prepared.body.unsignedTransaction, before.buyer);
  const told = before.ledger.sandbox.describe();
  await before.ledger.sandbox.close();

  const sandbox = await startSandbox({ port: 0, stateFile });
  afterwards(t, () => sandbox.close());
  const after = { ...before, ledger: ledgerOf(sandbox) };
  const { accounts, contracts, transactions } = sandbox.describe();
  assert.deepEqual(
    { accounts, contracts, transactions },
    {
      accounts: told.accounts,
      contracts: told.contracts,
      transactions: told.transactions,
    },
  );
  assert.equal((await escrows.send(after, signed)).body.status, 'SUCCESS');
  assert.equal((await escrows.send(after, signed)).body.status, 'SUCCESS');
  const seller = after.seller.publicKey();
  assert.equal((await balances(after.ledger, seller)).usdc, '9.4700000');
  const { records } = await after.ledger.horizon.payments().forAccount(seller).call();
  assert.deepEqual(
    records.map(({ type }) => type as string),
    ['create_account', 'invoke_host_function'],
  );
  const found = `/helper/get-escrows-by-signer?signer=${after.buyer.publicKey()}&engagementId=ord_1`;
  assert.equal(((await escrows.ask(after, found)).body as unknown as unknown[]).length, 1);
});

test('a reset empties the ledger and keeps its issuer', async (t) => {
  const cast = await escrows.openEscrows(t);
  await escrows.deploy(cast, S);
  await fetch(`${cast.ledger.sandbox.urls.control}/reset`, { method: 'POST' });
  const { accounts, contracts, transactions, network } = cast.ledger.sandbox.describe();
  assert.deepEqual([(accounts as unknown[]).length, contracts, transactions], [3, [], []]);
  assert.equal((network as { usdcIssuer: string }).usdcIssuer, cast.ledger.issuer);
  const missing = await fetch(`${cast.ledger.sandbox.urls.ledger}/accounts/${cast.buyer.publicKey()}`);
  assert.equal(missing.status, 404);
});
