// A crash at one step of a transaction of the treasury: the next process continues, nothing is lost, nothing is paid twice, and
// the books equal the ledger.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Step } from '../../server/src/ledger/transactions/finish-transaction.ts';
import { seeded } from '../../tools/processes/server-process.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import {
  assertBooksEqualLedger,
  type Environment,
  MARKETPLACE,
  onLedger,
  openEnvironment,
  type Process,
  startProcess,
  transactionsOf,
} from './ledger-fixture.ts';

export const STEPS: readonly Step[] = ['signed', 'recorded', 'submitted', 'looked-up', 'settled'];

/** A process that throws at this step of its next transaction and at every later one. For ledger and books it ends there. */
const startCrashing = async (t: Hooks, environment: Environment, step: Step) => {
  let isArmed = false;
  let isDead = false;
  const server = await startProcess(t, environment, {
    onStep(now) {
      if (isArmed && now === step) isDead = true;
      if (isDead) throw new Error(`crashed at ${step}`);
    },
  });
  return {
    ...server,
    arm() {
      isArmed = true;
    },
    async crashed() {
      await until(() => isDead, 'it crashed');
      await server.close();
    },
  };
};

const allActive = (server: Process, ids: readonly string[]) =>
  until(async () => {
    const wallets = await Promise.all(ids.map((id) => server.wallets.find(MARKETPLACE, id)));
    return wallets.every((wallet) => wallet?.status === 'ACTIVE');
  }, 'every wallet is active');

/** The very first transaction of a treasury. Returns what the wallet has that waits for it. */
export const crashFirst = async (t: Hooks, step: Step): Promise<string> => {
  const environment = await openEnvironment(t);
  const crashing = await startCrashing(t, environment, step);
  const wallet = await crashing.pendingUser();
  crashing.arm();
  await crashing.activation.begin({ marketplaceId: MARKETPLACE, walletId: wallet.id });
  await crashing.crashed();
  const next = await startProcess(t, environment);
  await next.sender.resumeAll();
  await next.activation.sweep();
  await allActive(next, [wallet.id]);
  await assertBooksEqualLedger(next.pool, environment.sandbox);
  return onLedger(environment.sandbox, wallet.address)!.xlm;
};

/** Returns what each of five wallets has. */
export const crashActivation = async (t: Hooks, step: Step): Promise<string[]> => {
  const environment = await openEnvironment(t);
  const crashing = await startCrashing(t, environment, step);
  await crashing.user();
  const wallets = await Promise.all(Array.from({ length: 5 }, () => crashing.pendingUser()));
  const ids = wallets.map(({ id }) => id);
  crashing.arm();
  await Promise.all(ids.map((walletId) => crashing.activation.begin({ marketplaceId: MARKETPLACE, walletId })));
  await crashing.crashed();
  const next = await startProcess(t, environment);
  await next.sender.resumeAll();
  await next.activation.sweep();
  await allActive(next, ids);
  const sent = transactionsOf(environment.sandbox, (await next.treasury())!.address);
  assert.ok(sent.every(({ successful }) => successful));
  await assertBooksEqualLedger(next.pool, environment.sandbox);
  return wallets.map(({ address }) => onLedger(environment.sandbox, address)!.xlm);
};

/** Returns what the wallet has that was to be paid 9.00, also after the order has asked again. */
export const crashPayment = async (t: Hooks, step: Step): Promise<string> => {
  const environment = await openEnvironment(t);
  const crashing = await startCrashing(t, environment, step);
  const wallet = await crashing.user();
  crashing.arm();
  const lost = crashing.fundWallet(wallet.id, '9.00', { reference: 'opn_1' }).catch(() => null);
  await crashing.crashed();
  const next = await startProcess(t, environment);
  const covered = await next.fundWallet(wallet.id, '9.00', { reference: 'opn_1' });
  assert.equal(covered.kind, 'yes');
  await assertBooksEqualLedger(next.pool, environment.sandbox);
  await lost;
  return onLedger(environment.sandbox, wallet.address)!.usdc;
};

const PROCESS = path.join(import.meta.dirname, 'ledger-process.ts');

const spawnProcess = (t: Hooks, { sandbox: _, ...settings }: Environment): { kill(): Promise<void> } => {
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, ENVIRONMENT: JSON.stringify(settings) };
  const child: ChildProcess = spawn(process.execPath, [PROCESS], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  afterwards(t, kill);
  return { kill };
};

const count = async ({ pool }: Process, state: string): Promise<number> =>
  (await pool.query('select count(*)::int as n from treasury_payments where state = $1', [state])).rows[0].n;

const finish = async (server: Process): Promise<void> => {
  await server.sender.resumeAll();
  await until(async () => {
    await server.activation.sweep();
    const { rows } = await server.pool.query(
      `select 1 from wallets where status = 'PENDING' and activation_requested_at is not null`,
    );
    return rows.length === 0 && (await count(server, 'QUEUED')) + (await count(server, 'SENT')) === 0;
  }, 'everything is done');
};

/** Kills so many processes, one after the other. Returns how many wallets there are and how often each was paid at most. */
export const killProcesses = async (t: Hooks, { kills }: { kills: number }) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { fill: '100000' });
  await server.user();
  const random = seeded(2_026);
  const paid = async (): Promise<number> =>
    (await server.pool.query(`select from treasury_payments where asset = 'USDC' and state = 'DONE'`)).rows.length;
  for (let round = 0; round < kills; round++) {
    const target = (await paid()) + 1 + Math.floor(random() * 30);
    const child = spawnProcess(t, environment);
    await until(async () => (await paid()) >= target, 'enough was paid');
    await child.kill();
  }
  await finish(server);
  const { rows } = await server.pool.query<{ address: string; times: number; fees: number }>(
    `select address, (select count(*)::int from treasury_payments p
       where p.wallet_id = w.id and asset = 'USDC' and state = 'DONE') as times,
       (select count(*)::int from treasury_payments p
       where p.wallet_id = w.id and kind = 'pay' and asset = 'XLM' and state = 'DONE') as fees
     from wallets w where owner = 'user' and activation_requested_at is not null`,
  );
  for (const { address, times, fees } of rows) {
    const usdc = times === 0 ? '0.0000000' : '5.0000000';
    const xlm = fees === 0 ? '0.0000000' : '3.0000000';
    assert.deepEqual(onLedger(environment.sandbox, address), { usdc, xlm });
  }
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  return { wallets: rows.length, timesMax: Math.max(...rows.map(({ times, fees }) => Math.max(times, fees))) };
};
