// Drill: a server is backed up, makes more payments, loses its database, and is restored from the backup while the ledger is ahead.
// What it has forgotten is read from the ledger. Nothing is paid a second time, and the books equal the ledger again.

import path from 'node:path';
import { Holdfast } from '@holdfast/sdk';
import { restoreBackup, takeBackup } from '../../server/src/programs/backup/backup.ts';
import { compareBooksWithLedger, describeDifference, heldOnLedger } from '../books-and-ledger.ts';
import { openEmbedded } from './drill-backup.ts';
import { type Any, runSandbox, type Simulators } from './sandbox.ts';
import { freePort, runService, type Service } from './server.ts';
import { type Drill, type Stage, until } from './stage.ts';

const TREASURY = { USDC: '100000.00', XLM: '100000.00' } as const;
const FILLED = `select count(distinct d.asset)::int as n from deposits d join wallets w
  on w.marketplace_id = d.marketplace_id and w.id = d.wallet_id and w.owner = 'treasury'`;

type Scene = { readonly stage: Stage; readonly simulators: Simulators };
type Open = Scene & { readonly client: Holdfast; readonly pool: ReturnType<typeof openEmbedded> };

const clientOf = async ({ url, masterKey }: Service): Promise<{ master: Holdfast; client: Holdfast }> => {
  const master = new Holdfast({ url, apiKey: masterKey });
  const { key } = await master.keys.create({ name: 'drill', scopes: ['*'] });
  return { master, client: new Holdfast({ url, apiKey: key }) };
};

/** Repeated while the service answers that the outcome is not known yet. */
const untilDone = async (what: string, attempt: () => Promise<boolean>): Promise<void> =>
  until(() => attempt().catch(() => false), what);

const ACTIVE = `select count(*)::int as n from wallets where owner = 'treasury' and status = 'ACTIVE'`;

const fillTreasury = async ({ client, pool, simulators }: Open): Promise<void> => {
  await until(async () => (await pool.query(ACTIVE)).rows[0].n === 1, 'the treasury is active');
  const { address } = await client.wallets.treasuryDeposit();
  for (const [asset, amount] of Object.entries(TREASURY)) {
    await until(
      async () => (await simulators.sendControl('POST /faucet', { address, asset, amount })) !== null,
      'a payment in',
    );
  }
  await until(async () => (await pool.query(FILLED)).rows[0].n === 2, 'the treasury is filled');
};

const newUser = async ({ client }: Open, name: string): Promise<string> => {
  const { id } = await client.users.create({ externalUserId: name, email: `${name}@shop.example` });
  await client.balances.credit(id, { amount: '1000.00', reference: `grant-${name}` });
  await client.wallets.deposit(id);
  return id;
};

/** To an address outside; not committed. */
const newWithdrawal = async (
  { client, simulators }: Open,
  of: { readonly userId: string; readonly amount: string },
): Promise<string> => {
  const destination = { type: 'crypto', address: simulators.stranger } as const;
  return (await client.withdrawals.create({ ...of, currency: 'USD', destination })).id;
};

/** With the buyer's money set aside, and without an escrow. */
const newOrder = async ({ client }: Open, between: { buyerId: string; sellerId: string }): Promise<string> => {
  const { id } = await client.orders.create({ ...between, amount: '100.00', title: 'drill' });
  await client.orders.reserve(id);
  return id;
};

const createEscrow = ({ client }: Open, id: string): Promise<void> =>
  untilDone('the escrow is created', async () => {
    const order = await client.orders.get(id);
    if (order.status === 'FUNDS_RESERVED') await client.orders.createEscrow(id);
    return (await client.orders.get(id)).escrow?.status !== 'CREATING';
  });

const fund = ({ client }: Open, id: string): Promise<void> =>
  untilDone('the escrow is funded', async () => {
    const order = await client.orders.get(id);
    if (order.status === 'ESCROW_FUNDING' && order.operation === null) await client.orders.fundEscrow(id);
    return (await client.orders.get(id)).status === 'IN_PROGRESS';
  });

const release = ({ client }: Open, id: string): Promise<void> =>
  untilDone('the order is released', async () => {
    const order = await client.orders.get(id);
    if (order.status === 'IN_PROGRESS' && order.operation === null) {
      await client.orders.release(id, { reason: 'drill' });
    }
    return (await client.orders.get(id)).status === 'CLOSED';
  });

const pay = ({ client }: Open, id: string): Promise<void> =>
  untilDone('the withdrawal is paid', async () => {
    const { status } = await client.withdrawals.get(id);
    if (status === 'WITHDRAWAL_CREATED') await client.withdrawals.commit(id);
    return (await client.withdrawals.get(id)).status === 'WITHDRAWAL_COMPLETED';
  });

/** What has left our wallets, and what the contracts have got and paid. */
const paidOutside = async ({ simulators }: Scene) => {
  const state: Any = await simulators.sendControl('GET /state');
  return {
    stranger: heldOnLedger(state, { address: simulators.stranger, asset: 'USDC' }),
    contracts: state.contracts.map(({ contractId }: Any) => contractId).length,
    payouts: state.payouts
      .map(({ code }: Any) => code)
      .sort()
      .join(' '),
  };
};

const waitForBooks = async ({ pool, simulators }: Open): Promise<string[]> => {
  let differences: string[] = [];
  await until(async () => {
    const state = await simulators.sendControl('GET /state');
    const sql = async (text: string, values: unknown[]) => (await pool.query(text, values)).rows;
    differences = (await compareBooksWithLedger({ sql, state })).map(describeDifference);
    return differences.length === 0;
  }, 'the books equal the ledger').catch(() => {});
  return differences;
};

/** The orders are without an escrow, with an empty one, and with a funded one when the backup is taken. */
type Before = {
  readonly withdrawals: readonly string[];
  readonly reserved: string;
  readonly unfunded: string;
  readonly funded: string;
};

const prepare = async (open: Open): Promise<Before & { buyerId: string }> => {
  const buyerId = await newUser(open, 'buyer');
  await fillTreasury(open);
  const sellerId = await newUser(open, 'seller');
  const withdrawals = [
    await newWithdrawal(open, { userId: buyerId, amount: '25.50' }),
    await newWithdrawal(open, { userId: sellerId, amount: '12.00' }),
  ];
  const reserved = await newOrder(open, { buyerId, sellerId });
  const unfunded = await newOrder(open, { buyerId, sellerId });
  const funded = await newOrder(open, { buyerId, sellerId });
  for (const id of [unfunded, funded]) await createEscrow(open, id);
  await fund(open, funded);
  return { withdrawals, reserved, unfunded, funded, buyerId };
};

/** What was requested before the backup: each of it is done afterwards, and done once more by callers of the restored server. */
const carryOut = async (open: Open, { withdrawals, reserved, unfunded, funded }: Before): Promise<void> => {
  for (const id of withdrawals) await pay(open, id);
  await createEscrow(open, reserved);
  for (const id of [reserved, unfunded]) await fund(open, id);
  for (const id of [reserved, funded]) await release(open, id);
};

const goOn = async (open: Open, { buyerId, ...before }: Before & { buyerId: string }) => {
  await carryOut(open, before);
  // Requests that are lost with the database, one of them with its user and the key of the user's wallet.
  await pay(open, await newWithdrawal(open, { userId: buyerId, amount: '7.00' }));
  const lostId = await newUser(open, 'lost');
  await pay(open, await newWithdrawal(open, { userId: lostId, amount: '11.00' }));
};

type Restored = { readonly open: Open; readonly master: Holdfast; readonly before: Before };

const proveHeld = async ({ open, master, before }: Restored): Promise<void> => {
  const { stage, client } = open;
  const { held } = await master.service.paymentHold();
  stage.found('a restored backup starts on hold', { holds: held, detail: held ? 'on hold' : 'not on hold' });
  const statusOf = async (id: string) => (await client.withdrawals.get(id)).status;
  await until(async () => {
    const statuses = await Promise.all(before.withdrawals.map(statusOf));
    return statuses.every((status) => status === 'WITHDRAWAL_COMPLETED');
  }, 'the forgotten withdrawals are adopted');
  const adopted = await open.pool.query(`select count(*)::int as n from ledger_transactions where purpose = 'adopted'`);
  stage.found('what the wallets did after the backup is adopted while payments are on hold', {
    holds: adopted.rows[0].n > 0,
    detail: `${adopted.rows[0].n} transactions`,
  });
};

/** As an operator would: compare, accept, release. */
const releaseAll = async ({ open, master }: Restored): Promise<void> => {
  const accepted: string[] = [];
  await until(async () => {
    const { wallets } = await master.service.paymentHold();
    for (const { walletId, transactions } of wallets) {
      for (const { payments } of transactions) {
        accepted.push(...payments.map(({ asset, amount }) => `${amount} ${asset}`));
      }
      await master.service.releasePayments({ walletId });
    }
    return wallets.length === 0 && accepted.length > 0;
  }, 'the held wallets are released');
  await untilDone('everything was compared, and payments are released', async () => {
    return !(await master.service.releasePayments({ acceptLostPayouts: true })).held;
  });
  open.stage.found('payments whose request was lost are shown before anything is paid again', {
    holds: ['7.0000000 USDC', '11.0000000 USDC'].every((one) => accepted.includes(one)),
    detail: accepted.join(', '),
  });
};

const play: Drill['play'] = async (stage) => {
  const port = await freePort();
  const simulators = await runSandbox(stage, `http://127.0.0.1:${port}`);
  const env = simulators.settings;
  const service = await runService(stage, { dataDir: await stage.folder(), port, env });
  const first: Open = {
    stage,
    simulators,
    client: (await clientOf(service)).client,
    pool: openEmbedded(stage, service.dataDir),
  };
  const before = await prepare(first);
  const backup = path.join(await stage.folder(), 'backup');
  await takeBackup(service.dataDir, backup);
  stage.say('A backup is taken, and the server makes more payments');
  await goOn(first, before);
  const paid = await paidOutside(first);
  await service.kill('SIGKILL');
  await service.stop();

  stage.say('The database is lost, and the backup is restored while the ledger is ahead');
  const dataDir = await stage.folder();
  await restoreBackup(backup, dataDir);
  const next = await runService(stage, { dataDir, port, env });
  const { client, master } = await clientOf(next);
  const open: Open = { stage, simulators, client, pool: openEmbedded(stage, dataDir) };
  const restored = { open, master, before };
  await proveHeld(restored);
  await releaseAll(restored);
  await carryOut(open, before);
  const differences = await waitForBooks(open);
  const now = await paidOutside(open);
  stage.found('nothing was paid a second time', {
    holds: now.stranger === paid.stranger && now.contracts === paid.contracts && now.payouts === paid.payouts,
    detail: `${paid.stranger} units outside before, ${now.stranger} after; ${paid.contracts} contracts, ${now.contracts} after`,
  });
  stage.found('the books equal the ledger', {
    holds: differences.length === 0,
    detail: differences.join('; ') || 'every wallet and every contract, to 10^-7',
  });
};

export const olderDatabase: Drill = {
  name: 'older-database',
  about: 'a backup is restored while the ledger is ahead of it, and nothing is paid twice',
  seconds: 1,
  play,
};
