// A crash at any step of a transaction leaves something from which the next process goes on: nothing is lost, nothing is
// paid twice, and the books equal the ledger.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Step } from '../../server/src/custody/purser.ts';
import { until } from '../committer/bend.ts';
import { seeded } from '../crash/server-process.ts';
import { afterwards } from '../support/afterwards.ts';
import {
  assertBooksEqualLedger,
  MARKETPLACE,
  onLedger,
  openWorld,
  type Process,
  startProcess,
  transactionsOf,
  type World,
} from './custody-stand.ts';

const STEPS: readonly Step[] = ['signed', 'recorded', 'submitted', 'looked-up', 'settled'];

/** A process that ends, as far as the ledger and the books can tell, at this step of its next transaction. */
const startMortal = async (t: TestContext, world: World, step: Step) => {
  let [isArmed, isDead] = [false, false];
  const house = await startProcess(t, world, {
    onStep(now) {
      if (isArmed && now === step) isDead = true;
      if (isDead) throw new Error(`crashed at ${step}`);
    },
  });
  return {
    ...house,
    arm() {
      isArmed = true;
    },
    async crashed() {
      await until(() => isDead, 'it crashed');
      await house.close();
    },
  };
};

const allActive = (house: Process, ids: readonly string[]) =>
  until(async () => {
    const wallets = await Promise.all(ids.map((id) => house.wallets.find(MARKETPLACE, id)));
    return wallets.every((wallet) => wallet?.status === 'ACTIVE');
  }, 'every wallet is active');

for (const step of STEPS) {
  test(`a crash at "${step}" of the treasury's very first transaction does not stop activation`, async (t) => {
    const world = await openWorld(t);
    const mortal = await startMortal(t, world, step);
    const wallet = await mortal.pendingUser();
    mortal.arm();
    await mortal.activation.begin({ marketplaceId: MARKETPLACE, walletId: wallet.id });
    await mortal.crashed();
    const next = await startProcess(t, world);
    await next.purser.resumeAll();
    await next.activation.sweep();
    await allActive(next, [wallet.id]);
    assert.equal(onLedger(world.sandbox, wallet.address)!.xlm, '3.0000000');
    await assertBooksEqualLedger(next.pool, world.sandbox);
  });

  test(`a crash at "${step}" of an activation leaves each wallet activated once`, async (t) => {
    const world = await openWorld(t);
    const mortal = await startMortal(t, world, step);
    await mortal.user();
    const wallets = await Promise.all(Array.from({ length: 5 }, () => mortal.pendingUser()));
    mortal.arm();
    await Promise.all(wallets.map(({ id }) => mortal.activation.begin({ marketplaceId: MARKETPLACE, walletId: id })));
    await mortal.crashed();
    const next = await startProcess(t, world);
    await next.purser.resumeAll();
    await next.activation.sweep();
    await allActive(
      next,
      wallets.map(({ id }) => id),
    );
    for (const { address } of wallets) assert.equal(onLedger(world.sandbox, address)!.xlm, '3.0000000');
    const sent = transactionsOf(world.sandbox, (await next.treasury())!.address);
    assert.ok(sent.every(({ successful }) => successful));
    await assertBooksEqualLedger(next.pool, world.sandbox);
  });

  test(`a crash at "${step}" of a payment of the treasury pays it once, also when the order asks again`, async (t) => {
    const world = await openWorld(t);
    const mortal = await startMortal(t, world, step);
    const wallet = await mortal.user();
    mortal.arm();
    const lost = mortal.cover(wallet.id, '9.00', { reference: 'opn_1' }).catch(() => null);
    await mortal.crashed();
    const next = await startProcess(t, world);
    const covered = await next.cover(wallet.id, '9.00', { reference: 'opn_1' });
    assert.equal(covered.kind, 'yes');
    assert.equal(onLedger(world.sandbox, wallet.address)!.usdc, '9.0000000');
    await assertBooksEqualLedger(next.pool, world.sandbox);
    await lost;
  });
}

const PROCESS = path.join(import.meta.dirname, 'custody-process.ts');

const spawnProcess = (t: TestContext, { sandbox: _, ...surroundings }: World): { kill(): Promise<void> } => {
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, SURROUNDINGS: JSON.stringify(surroundings) };
  const child: ChildProcess = spawn(process.execPath, [PROCESS], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  afterwards(t, kill);
  return { kill };
};

test('after kill -9 of processes in the middle of many activations and payments each happened once', async (t) => {
  const world = await openWorld(t);
  const house = await startProcess(t, world, { fill: '100000' });
  await house.user();
  const random = seeded(2_026);
  const count = async (state: string): Promise<number> =>
    (await house.pool.query('select count(*)::int as n from treasury_payments where state = $1', [state])).rows[0].n;
  for (let round = 0; round < 3; round++) {
    const target = (await count('DONE')) + 1 + Math.floor(random() * 60);
    const child = spawnProcess(t, world);
    await until(async () => (await count('DONE')) >= target, 'enough was paid');
    await child.kill();
  }
  const left = (await count('QUEUED')) + (await count('SENT'));
  await house.purser.resumeAll();
  await until(async () => {
    await house.activation.sweep();
    const { rows } = await house.pool.query(`select 1 from wallets where status = 'PENDING'`);
    return rows.length === 0 && (await count('QUEUED')) + (await count('SENT')) === 0;
  }, 'everything is done');
  const wallets = await house.pool.query<{ id: string; address: string }>(
    `select id, address from wallets where owner = 'user'`,
  );
  const paid = await house.pool.query<{ id: string; count: number }>(
    `select wallet_id as id, count(*)::int from treasury_payments where kind = 'pay' and state = 'DONE' group by 1`,
  );
  const payments = new Map(paid.rows.map(({ id, count: times }) => [id, times]));
  for (const { id, address } of wallets.rows) {
    const times = payments.get(id) ?? 0;
    assert.ok(times <= 1, `${id} was paid ${times} times`);
    assert.deepEqual(onLedger(world.sandbox, address), {
      usdc: times === 1 ? '5.0000000' : '0.0000000',
      xlm: '3.0000000',
    });
  }
  t.diagnostic(`${wallets.rows.length} wallets, ${left} payments were left by the killed processes`);
  await assertBooksEqualLedger(house.pool, world.sandbox);
});
