// Rare deposits: paid by a contract, while no server runs, over several pages, and in another currency.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { depositCurrencyOf } from '../../server/src/ledger/deposits/deposits.ts';
import { perform, settle } from '../../tools/simulation/ledger-accounts.ts';
import { deploy, finish, fund, mustAct, openEscrows, roles } from '../sandbox/escrow-parties.ts';
import { MARKETPLACE, openDepositFixture, pollAll, startProcess } from './deposit-fixture.ts';

const DEPOSITS = `select d.id, d.user_id, d.asset, d.currency, d.amount, d.transaction_hash, d.from_address
  from deposits d where d.user_id is not null order by d.id`;

const EVENTS = `select envelope::json as event from events where event_type = 'balance.credited' order by position`;

test("a payment of a contract counts: an escrow between outsiders with a user's wallet as receiver", async (t) => {
  const cast = await openEscrows(t);
  const { user, pollAll, books, sql } = await openDepositFixture(t, { ledger: cast.ledger });
  const { userId, address } = await user();
  const type = 'single-release';
  const contractId = await deploy(cast, type, { roles: { ...roles(cast), receiver: address } });
  await fund(cast, { type, contractId, amount: 10 });
  await finish(cast, { type, contractId, index: 0 });
  const body = { contractId, releaseSigner: cast.buyer.publicKey() };
  await mustAct(cast, { path: `/escrow/${type}/release-funds`, body, by: cast.buyer });
  assert.equal(await pollAll(), 1);
  assert.equal(await pollAll(), 0);
  assert.equal(await books(`${userId}:available:USD`), '9.4700000');
  assert.deepEqual(
    (await sql(DEPOSITS)).map((row) => row.from_address),
    [contractId],
  );
});

test('a deposit while no server runs is credited by the next one, and only once by several at the same time', async (t) => {
  const fixture = await openDepositFixture(t);
  const { user, pay, ledger, connection, books, sql } = fixture;
  const ann = await user();
  const bob = await user();
  for (let i = 0; i < 12; i++) await pay(i % 2 ? ann.address : bob.address, '1.10');
  const processes = [
    await startProcess(t, { ledger, connection }),
    await startProcess(t, { ledger, connection }),
    await startProcess(t, { ledger, connection }),
  ];
  const recorded = await Promise.all(processes.map(pollAll));
  assert.equal(
    recorded.reduce((sum, count) => sum + count, 0),
    12,
  );
  assert.equal(await books(`${ann.userId}:available:USD`), '6.6000000');
  assert.equal(await books(`${bob.userId}:available:USD`), '6.6000000');
  assert.equal((await sql(DEPOSITS)).length, 12);
  assert.equal((await sql(EVENTS)).length, 12);
});

test('more than a page of payments is followed to its end, our own among them', async (t) => {
  const { user, pay, ledger, deposits, books, sql } = await openDepositFixture(t);
  const { userId, address, id: walletId } = await user();
  const payer = await settle(ledger, { usdc: '1000' });
  for (let batch = 0; batch < 3; batch++) {
    const operations = Array.from({ length: 80 }, () =>
      Operation.payment({ destination: address, asset: ledger.usdc, amount: '0.0000003' }),
    );
    await perform(ledger, { by: payer, operations, fee: '100' });
  }
  await pay(address, '1');
  const polled = await deposits.pollNow({ marketplaceId: MARKETPLACE, walletId });
  assert.deepEqual(polled, { kind: 'yes', value: { recorded: 241 } });
  assert.equal(await books(`${userId}:available:USD`), '1.0000720');
  assert.equal((await sql(DEPOSITS)).length, 241);
});

test('DEPOSIT_CURRENCY says in which currency a deposit is credited', async (t) => {
  const { user, pay, pollAll, books } = await openDepositFixture(t, { depositCurrency: 'USDC' });
  const { userId, address } = await user();
  await pay(address, '3');
  await pay(address, '2', 'XLM');
  assert.equal(await pollAll(), 2);
  assert.equal(await books(`${userId}:available:USD`), '0.0000000');
  assert.equal(await books(`${userId}:available:USDC`), '3.0000000');
  assert.equal(await books(`${userId}:available:XLM`), '2.0000000');
  assert.deepEqual(
    [depositCurrencyOf('USD', null), depositCurrencyOf('USD', 'USDC'), depositCurrencyOf('XLM', null)],
    ['USD', 'USDC', 'USDC'],
  );
});
