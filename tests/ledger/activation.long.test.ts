// The activation of many wallets, by several processes, with a poor treasury, and after a kill.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { activationPlaces } from '../../server/src/ledger/treasury/activation-place.ts';
import { ledgerOf, perform, settle } from '../../tools/simulation/ledger-accounts.ts';
import { until } from '../../tools/until.ts';
import {
  assertBooksEqualLedger,
  type Environment,
  faucet,
  MARKETPLACE,
  openEnvironment,
  type Process,
  startProcess,
  transactionsOf,
} from './ledger-fixture.ts';

/** How many reserves the treasury locks for others, as its row and as the ledger say. */
const sponsoring = async ({ urls }: Environment, { treasury }: Process) => {
  const { address, sponsoredReserves: books } = (await treasury())!;
  const account = (await (await fetch(`${urls.ledger}/accounts/${address}`)).json()) as { num_sponsoring: number };
  return { books, ledger: account.num_sponsoring };
};

test('forty users at once are activated in few transactions', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment);
  const pending = await Promise.all(Array.from({ length: 40 }, () => server.pendingUser()));
  await Promise.all(pending.map(server.activate));
  const { address } = (await server.treasury())!;
  const sent = transactionsOf(environment.sandbox, address);
  // One for the trustline, and at most nineteen wallets in each of the others.
  assert.ok(sent.length >= 4 && sent.length <= 7, `${sent.length} transactions`);
  assert.ok(sent.every(({ successful }) => successful));
  assert.deepEqual(await sponsoring(environment, server), { books: 120, ledger: 120 });
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('an activation that the treasury cannot lock the reserve for waits until the treasury has more', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { fill: null, friendbot: false });
  const made = [await server.pendingUser(), await server.pendingUser()];
  for (const { id } of made) await server.activation.begin({ marketplaceId: MARKETPLACE, walletId: id });
  await until(async () => (await server.treasury()) !== null, 'the treasury has an address');
  const { address, id: walletId } = (await server.treasury())!;
  const ledger = ledgerOf(environment.sandbox);
  const operator = await settle(ledger);
  // 1.5 for its own account, 1 for fees, and enough for the reserve of one wallet.
  const create = Operation.createAccount({ destination: address, startingBalance: '4.1' });
  await perform(ledger, { by: operator, operations: [create] });
  const active = async () =>
    (await server.pool.query(`select from wallets where owner = 'user' and status = 'ACTIVE'`)).rows.length;
  await until(async () => (await active()) === 1, 'one is active');
  await until(() => server.troubles.some((line) => line.includes('too little to activate')), 'the log says why');
  assert.equal(await active(), 1);
  await faucet(environment.urls.control, { address, asset: 'XLM', amount: '2' });
  await server.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId });
  await until(async () => (await active()) === 2, 'both are active');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('many requests for one wallet activate it once', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment);
  const wallet = await server.pendingUser();
  await Promise.all(Array.from({ length: 10 }, () => server.activate(wallet)));
  await server.activate(wallet);
  const { rows } = await server.pool.query('select state from treasury_payments');
  assert.deepEqual(rows, [{ state: 'DONE' }]);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('the overall limit is exact for two processes and four marketplaces at once, and no place is lost to the limit of a marketplace', async (t) => {
  const environment = await openEnvironment(t);
  const limits = { activationLimits: { perMarketplace: 2, overall: 5 }, today: () => '2026-11-16' };
  const processes = [await startProcess(t, environment, limits), await startProcess(t, environment, limits)];
  const marketplaces = [MARKETPLACE, 'mkt_second', 'mkt_third', 'mkt_fourth'];
  const wanted = await Promise.all(
    marketplaces.flatMap((marketplaceId) =>
      Array.from({ length: 4 }, async () => {
        const { id: walletId } = await processes[0]!.pendingUser(marketplaceId);
        return { marketplaceId, walletId };
      }),
    ),
  );
  // Both processes request every wallet.
  const states = await Promise.all(
    wanted.flatMap((place) => processes.map(({ activation }) => activation.begin(place))),
  );
  assert.ok(
    states.every((state) => state === 'queued' || state === 'limited'),
    `${states}`,
  );
  const { pool } = processes[0]!;
  const queued = async (): Promise<number> =>
    (await pool.query(`select from treasury_payments where kind = 'activate'`)).rows.length;
  assert.ok((await queued()) <= 5);
  // A wallet beyond the limit of its own marketplace gave its place back: others get it, and no more than the limit.
  await until(async () => {
    await Promise.all(processes.map(({ activation }) => activation.sweep()));
    return (await queued()) >= 5;
  }, 'all places are used');
  await Promise.all(processes.map(({ activation }) => activation.sweep()));
  assert.equal(await queued(), 5);
  assert.equal(await processes[1]!.payments.placesTaken('2026-11-16'), 5);
  const { rows } = await pool.query('select max(activations) as most from activation_days');
  assert.ok(rows[0].most <= 2);
});

test('a wallet whose process was killed after it took its place is activated with the same place', async (t) => {
  const environment = await openEnvironment(t);
  const limits = { activationLimits: { perMarketplace: 10, overall: 1 }, today: () => '2026-11-16' };
  const server = await startProcess(t, environment, limits);
  const wallet = await server.pendingUser();
  const place = { walletId: wallet.id, day: '2026-11-16' };
  assert.equal(await activationPlaces(server.submit).take({ ...place, max: 1 }), true);
  const other = await server.pendingUser();
  assert.equal(await server.activation.begin({ marketplaceId: MARKETPLACE, walletId: other.id }), 'limited');
  await server.activate(wallet);
  assert.equal(await server.payments.placesTaken('2026-11-16'), 1);
  // The wallet of the marketplace itself is swept also when all places are taken.
  const platform = await server.platformWallets.platform(MARKETPLACE);
  await server.pool.query('update wallets set activation_requested_at = now() where id = $1', [platform.id]);
  await server.activation.sweep();
  await until(async () => (await server.wallets.find(MARKETPLACE, platform.id))?.status === 'ACTIVE', 'it is active');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});
