// Custodial wallets on the sandbox's ledger, with their books and the parts that poll them. Their transactions are stored, sent
// and settled as in production; only the signing is done here, with keys of the test.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Keypair, Operation, type xdr } from '@stellar/stellar-sdk';
import type pg from 'pg';
import type { Sandbox } from '../../sandbox/src/sandbox.ts';
import { newId } from '../../server/src/base/ulid.ts';
import { type Amount, formatExact, fromUnits } from '../../server/src/books/money.ts';
import type { Command } from '../../server/src/commit/command.ts';
import { createDeposits } from '../../server/src/ledger/deposits/deposits.ts';
import { createFindOrigins } from '../../server/src/ledger/deposits/find-origins.ts';
import { createFollower } from '../../server/src/ledger/deposits/follow-ledger.ts';
import { createLagNotes } from '../../server/src/ledger/deposits/lag.ts';
import { createLedgerCursor } from '../../server/src/ledger/deposits/ledger-cursor.ts';
import { createMovedWallets } from '../../server/src/ledger/deposits/moved-wallets.ts';
import { createDepositReads, type FollowedWallet } from '../../server/src/ledger/deposits/queries.ts';
import { watchDeposits } from '../../server/src/ledger/deposits/watch-deposits.ts';
import type { LedgerAction, LedgerTransaction } from '../../server/src/ledger/transactions/ledger-transaction.ts';
import { createRecordTransaction } from '../../server/src/ledger/transactions/record-transaction.ts';
import { createSettleTransaction } from '../../server/src/ledger/transactions/settle-transaction.ts';
import { createPlatformWallet } from '../../server/src/ledger/treasury/platform-wallets.ts';
import { createBreaks, uncreditedDeposits } from '../../server/src/modules/reconciliation/breaks.ts';
import { compareBalances } from '../../server/src/modules/reconciliation/compare-balances.ts';
import { createLedgerBalances, waitUntilSettled } from '../../server/src/modules/reconciliation/ledger-balances.ts';
import { createBreakReads } from '../../server/src/modules/reconciliation/queries.ts';
import { createWalletRounds } from '../../server/src/modules/reconciliation/wallet-rounds.ts';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import type { Connection } from '../../server/src/postgres/connection.ts';
import type { LedgerNetwork } from '../../server/src/providers/ledger-port.ts';
import { createLedgerNetwork } from '../../server/src/providers/network/ledger-network.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { faucet, type Ledger, openLedger, PASSPHRASE, perform, write } from '../../tools/simulation/ledger-accounts.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openFixture, replyOf } from '../commit/fixture.ts';
import { openAdoption } from './adoption-parts.ts';

const recordTransaction = createRecordTransaction(ACTION_OWNERS);
const settleTransaction = createSettleTransaction(ACTION_OWNERS);

export const MARKETPLACE = 'mkt_default';
const USDC_CODE = 'USDC';

export type TestWallet = { readonly id: string; readonly key: Keypair; readonly address: string };
export type Owner = TestWallet & { readonly userId: string };

export type Process = Awaited<ReturnType<typeof startProcess>>;

type ProcessOptions = {
  readonly ledger: Ledger;
  readonly connection?: Connection;
  readonly depositCurrency?: 'USD' | 'USDC';
  readonly waitMs?: number;
};

/** The deposits and comparisons of one server process, on a database that other processes may share. */
export const startProcess = async (t: TestContext, options: ProcessOptions) => {
  const { ledger, depositCurrency = 'USD' } = options;
  const { pool, connection, committer } = await openFixture(
    t,
    options.connection ? { connection: options.connection } : {},
  );
  const calls: string[] = [];
  const network = createLedgerNetwork({
    baseUrl: ledger.sandbox.urls.ledger,
    passphrase: PASSPHRASE,
    timeoutMs: 2_000,
    attemptsMax: 1,
    onCall: ({ operation }) => void calls.push(operation),
  });
  const settlement = { code: USDC_CODE, issuer: ledger.issuer };
  const reads = createDepositReads(pool);
  const cursor = createLedgerCursor(pool);
  const findOrigins = createFindOrigins({ network, reads });
  const common = { network, reads, findOrigins, cursor, submit: committer.submit, settlement, depositCurrency };
  const troubles: string[] = [];
  const onTrouble = (message: string) => void troubles.push(message);
  const setAside = uncreditedDeposits(createBreaks(pool));
  const deposits = createDeposits({ ...common, setAside, onTrouble });
  const adoption = openAdoption({ ...common, pool, usdc: settlement, deposits, onTrouble });
  const moved = createMovedWallets(pool);
  /** The same, with other answers of the ledger. */
  const followWith = (answers: LedgerNetwork) =>
    createFollower({ ...common, network: answers, moved, setAside, onTrouble });
  const follower = followWith(network);
  const balances = createLedgerBalances({
    network,
    reads,
    cursor,
    deposits,
    adoption,
    settled: waitUntilSettled(reads),
    settlement,
    waitMs: options.waitMs ?? 400,
  });
  const parts = { network, reads, cursor, deposits, adoption, follower };
  /** Follows the ledger as a server does. */
  const watch = () => {
    const lag = createLagNotes({ pool, network });
    const watching = watchDeposits({ ...parts, lag, connection, pollMs: 20, checkMs: 200, onTrouble });
    afterwards(t, () => watching.stop());
    return watching;
  };
  /** Which wallets a run of reconciliation compares. */
  const rounds = (walletsMax: number) => createWalletRounds({ pool, reads, moved, walletsMax });
  return {
    ...parts,
    followWith,
    rounds,
    moved,
    pool,
    connection,
    submit: committer.submit,
    balances,
    compare: (wallet: FollowedWallet) => compareBalances({ network, reads, cursor, settlement }, wallet),
    settlement,
    calls,
    troubles,
    watch,
  };
};

export type DepositFixture = Process & {
  readonly ledger: Ledger;
  readonly sandbox: Sandbox;
  readonly breaks: ReturnType<typeof createBreaks>;
  readonly breakReads: ReturnType<typeof createBreakReads>;
  readonly treasury: TestWallet;
  run<Input, Reply>(command: Command<Input, Reply>, input: Input): Promise<Reply>;
  /** A user whose wallet is on the ledger and trusts the asset, created by a transaction of the treasury. */
  user(): Promise<Owner>;
  /** A user whose wallet is not on the ledger yet. */
  pendingUser(): Promise<Owner>;
  /** An outsider's payment. */
  pay(address: string, amount: string, asset?: 'USDC' | 'XLM'): Promise<void>;
  /** Signs and stores a transaction without sending it. The result sends and settles it. */
  keep(transaction: OwnTransaction): Promise<KeptTransaction>;
  /** Polls every watched wallet once. */
  pollAll(): Promise<number>;
  /** The balance of an account in the books, with seven decimal places; holdings are positive. */
  books(accountId: string): Promise<string>;
  sql(text: string, values?: unknown[]): Promise<Record<string, never>[]>;
};

type KeptTransaction = {
  readonly transaction: LedgerTransaction;
  send(): Promise<void>;
  settle(): Promise<void>;
  /** As after a refusal of the ledger: it is in no ledger, and a ledger may include it until it expires. */
  reject(): Promise<void>;
};

type OwnTransaction = { by: TestWallet; operations: xdr.Operation[]; actions: LedgerAction[]; signers?: Keypair[] };

let made = 0;

const prepare = (key: Keypair) => ({
  id: newId('wallet', Date.now()),
  address: key.publicKey(),
  sealedSecret: 'sealed elsewhere',
});

type Run = DepositFixture['run'];

/** Transactions of wallets whose keys the test has. */
const transactionsOf = (ledger: Ledger, run: Run) => {
  const keep: DepositFixture['keep'] = async ({ by, operations, actions, signers }) => {
    const written = await write(ledger, {
      by: by.key,
      operations,
      signers: signers ?? [by.key],
      fee: '100',
    });
    const id = Buffer.from(written.hash()).toString('hex');
    const validUntil = new Date(ledger.sandbox.clock.now() + 60_000).toISOString();
    const { sequence } = written;
    const kept = { id, source: by.address, sequence, purpose: 'test', envelope: written.toXDR(), validUntil, actions };
    const transaction = await run(recordTransaction, kept);
    return {
      transaction,
      async send() {
        await ledger.horizon.submitTransaction(written, { skipMemoRequiredCheck: true });
      },
      async settle() {
        const { fee_charged: fee, ledger_attr: number } = await ledger.horizon.transactions().transaction(id).call();
        const paid = actions.map((action) => ('units' in action ? fromUnits(BigInt(action.units ?? 0)) : null));
        const charge = { fee: fromUnits(BigInt(fee)), feeAccount: by.address, ledger: number };
        const ending = { kind: 'succeeded', paid, ...charge } as const;
        await run(settleTransaction, { transaction, ending });
      },
      async reject() {
        await run(settleTransaction, { transaction, ending: { kind: 'rejected', reason: 'tx_bad_auth' } });
      },
    };
  };

  const carryOut = async (transaction: OwnTransaction): Promise<void> => {
    const { send, settle } = await keep(transaction);
    await send();
    await settle();
  };

  return { keep, carryOut };
};

/** A user whose wallet is not on the ledger yet. */
const createOwner = async (run: Run): Promise<Owner> => {
  const key = Keypair.random();
  const input = {
    baseCurrency: 'USD',
    externalUserId: `owner-${++made}`,
    email: null,
    type: 'BOTH',
    metadata: {},
  } as const;
  const { user, wallet } = await run(createUser, { ...input, wallet: prepare(key) });
  return { userId: user.id, id: wallet!.id, key, address: wallet!.address };
};

type Opened = { process: Process; ledger: Ledger; run: Run; carryOut(transaction: OwnTransaction): Promise<void> };

const openTreasury = async ({ process, ledger, run, carryOut }: Opened): Promise<TestWallet> => {
  const key = Keypair.random();
  const { wallet } = await run(createPlatformWallet, { owner: 'treasury', wallet: prepare(key) });
  const treasury = { id: wallet.id, key, address: wallet.address };
  const given = await process.network.friendbot(treasury.address);
  if (given.kind !== 'yes') throw new Error(given.reason);
  await process.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: treasury.id });
  await carryOut({
    by: treasury,
    operations: [Operation.changeTrust({ asset: ledger.usdc })],
    actions: [{ type: 'trust', walletId: treasury.id }],
  });
  return treasury;
};

export const openDepositFixture = async (
  t: TestContext,
  options: Omit<ProcessOptions, 'ledger'> & { ledger?: Ledger } = {},
): Promise<DepositFixture> => {
  const ledger = options.ledger ?? (await openLedger(t));
  const process = await startProcess(t, { ...options, ledger });
  const { pool, submit } = process;

  const run: DepositFixture['run'] = async (command, input) =>
    replyOf(await submit({ command, input, context: contextOf(++made) }));

  const pay: DepositFixture['pay'] = async (address, amount, asset = 'USDC') => {
    const { status, error } = await faucet(ledger, { address, asset, amount });
    if (status !== 201 && status !== 200) throw new Error(error);
  };

  const { keep, carryOut } = transactionsOf(ledger, run);
  const newUser = () => createOwner(run);
  const treasury = await openTreasury({ process, ledger, run, carryOut });

  return {
    ...process,
    ledger,
    sandbox: ledger.sandbox,
    breaks: createBreaks(pool),
    breakReads: createBreakReads(pool),
    treasury,
    run,
    pay,
    keep,
    pendingUser: newUser,
    async user() {
      const owner = await newUser();
      const { id: walletId, address } = owner;
      await carryOut({
        by: treasury,
        operations: [
          Operation.createAccount({ destination: address, startingBalance: '5' }),
          Operation.changeTrust({ asset: ledger.usdc, source: address }),
        ],
        actions: [{ type: 'activate', walletId, address, units: '50000000', paymentId: null }],
        signers: [treasury.key, owner.key],
      });
      return owner;
    },
    pollAll: () => pollAll(process),
    async books(accountId) {
      const { rows } = await pool.query<{ balance: bigint; side: string }>(
        'select balance, side from accounts where marketplace_id = $1 and id = $2',
        [MARKETPLACE, accountId],
      );
      const [row] = rows;
      if (!row) return formatExact(0n as Amount);
      return formatExact(fromUnits(row.side === 'holding' ? -row.balance : row.balance));
    },
    sql: async (text, values) => (await pool.query(text, values)).rows,
  };
};

const contextOf = (number: number) => ({
  marketplaceId: MARKETPLACE,
  actor: { type: 'system', id: 'test' } as const,
  requestId: `req_${number}`,
});

export const pollAll = async ({ reads, deposits }: Pick<Process, 'reads' | 'deposits'>): Promise<number> => {
  let recorded = 0;
  for (const wallet of await reads.followed(null, 1_000)) {
    const { marketplaceId, id: walletId } = wallet;
    const polled = await deposits.pollNow({ marketplaceId, walletId });
    if (polled.kind !== 'yes') throw new Error(polled.reason);
    recorded += polled.value.recorded;
  }
  return recorded;
};

/** Every row that a command, a job or a read could have changed. */
export const everyRow = async (pool: pg.Pool): Promise<unknown> => {
  const tables = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  );
  const texts = tables.rows.map(({ name }) => `(select array_agg(r::text order by r::text) from ${name} r) as ${name}`);
  return (await pool.query(`select ${texts.join(', ')}`)).rows[0];
};

/** A payment out of a wallet that the books do not know: every holder of its key can make one. */
export const spendBehindTheBooks = async (
  ledger: Ledger,
  { from, amount }: { from: TestWallet; amount: string },
): Promise<void> => {
  const { usdc, issuer } = ledger;
  const thief = await outsiderOf(ledger);
  const operation = Operation.payment({ destination: issuer, asset: usdc, amount, source: from.address });
  await perform(ledger, { by: thief, operations: [operation], signers: [thief, from.key] });
};

/** An outsider with an account, who pays the fees. */
export const outsiderOf = async (ledger: Ledger): Promise<Keypair> => {
  const outsider = Keypair.random();
  const answer = await fetch(`${ledger.sandbox.urls.ledger}/friendbot?addr=${outsider.publicKey()}`);
  if (!answer.ok) throw new Error(await answer.text());
  return outsider;
};

/** Begins at the newest payment, as a new server does. */
export const beginAtNewest = async ({ network, cursor }: Pick<DepositFixture, 'network' | 'cursor'>): Promise<void> => {
  const newest = await network.networkPayments({ order: 'desc', limit: 1 });
  assert.ok(newest.kind === 'yes');
  await cursor.begin(newest.value.cursor ?? '0');
  await cursor.finishCatchUp();
};

/** Reads pages until there is no further one. */
export const followToEnd = async ({ follower }: Pick<DepositFixture, 'follower'>): Promise<number> => {
  let recorded = 0;
  for (;;) {
    const page = await follower.readPage();
    assert.ok(page.kind === 'yes', page.kind === 'yes' ? '' : page.reason);
    recorded += page.value.recorded;
    if (!page.value.more) return recorded;
  }
};
