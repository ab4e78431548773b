// The ledger parts of one server process, on a database and a ledger that several may share: real code with the
// sandbox's ledger. Tests end with the comparison of the books with the ledger.

import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import type pg from 'pg';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import { parseAmount, ZERO } from '../../server/src/books/money.ts';
import { proveBooks } from '../../server/src/books/proof.ts';
import type { Command, Submit } from '../../server/src/commit/command.ts';
import { createReactions, type ReactionHandlers } from '../../server/src/commit/reactions.ts';
import { createAdoptionReads } from '../../server/src/ledger/adoption/queries.ts';
import { createDeposits } from '../../server/src/ledger/deposits/deposits.ts';
import { createFindOrigins } from '../../server/src/ledger/deposits/find-origins.ts';
import { createLedgerCursor } from '../../server/src/ledger/deposits/ledger-cursor.ts';
import { createDepositReads } from '../../server/src/ledger/deposits/queries.ts';
import { createHoldReads } from '../../server/src/ledger/holds/queries.ts';
import { createUnexplainedPayments } from '../../server/src/ledger/holds/unexplained.ts';
import { createCheckContract } from '../../server/src/ledger/keys/check-contract.ts';
import type { EscrowFactories } from '../../server/src/ledger/keys/check-escrow.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { createSigner } from '../../server/src/ledger/keys/signer.ts';
import type { Wallet } from '../../server/src/ledger/keys/wallet.ts';
import { walletMaker } from '../../server/src/ledger/keys/wallet-keys.ts';
import { createWalletReads } from '../../server/src/ledger/keys/wallet-queries.ts';
import { createLedgerParts, type LedgerPartsOptions } from '../../server/src/ledger/ledger-parts.ts';
import { createLedgerTransactionReads } from '../../server/src/ledger/transactions/queries.ts';
import { createTreasuryPaymentReads } from '../../server/src/ledger/treasury/queries.ts';
import { createFindCallRows } from '../../server/src/modules/escrows/call-rows.ts';
import { createEscrowCalls } from '../../server/src/modules/escrows/operations/escrow-calls.ts';
import { createBreaks, uncreditedDeposits } from '../../server/src/modules/reconciliation/breaks.ts';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import type { Connection } from '../../server/src/postgres/connection.ts';
import { createEscrowProvider } from '../../server/src/providers/escrow/escrow-provider.ts';
import { createLedgerNetwork } from '../../server/src/providers/network/ledger-network.ts';
import type { EscrowProvider, LedgerAsset, LedgerNetwork } from '../../server/src/providers/ports.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import { PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { newDatabase, openFixture, replyOf } from '../commit/fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { endOperation, openOperation } from './operation-rows.ts';

export const MARKETPLACE = 'mkt_default';
const KEEPER = keepKeks([{ version: 1, key: Buffer.alloc(32, 7) }]);

export const amount = (text: string) => parseAmount(text)!;

/** What a process needs to know of its environment, in a form that can be passed to another process. */
type EnvironmentSettings = {
  readonly urls: { readonly ledger: string; readonly escrow: string; readonly control: string };
  readonly issuer: string;
  readonly factories?: EscrowFactories;
  readonly connection: Connection;
};

export type Environment = EnvironmentSettings & { readonly sandbox: Sandbox };

/** A ledger and a database, for one process or several. */
export const openEnvironment = async (t: Hooks): Promise<Environment> => {
  const connection = await newDatabase(t);
  const sandbox = await startSandbox({ port: 0 });
  afterwards(t, () => sandbox.close());
  return { sandbox, connection, urls: sandbox.urls, issuer: issuerOf(sandbox), factories: factoriesOf(sandbox) };
};

type Choice = Partial<
  Pick<
    LedgerPartsOptions,
    | 'batchMax'
    | 'feesXlm'
    | 'fundWaitMs'
    | 'onStep'
    | 'activationLimits'
    | 'today'
    | 'feeMax'
    | 'bumpAfterMs'
    | 'statsReadEveryMs'
  > & {
    /** Whether the network has a friendbot. */
    readonly friendbot: boolean;
    readonly fill: string | null;
    readonly timeoutMs: number;
    readonly depositCurrency: 'USD' | 'USDC';
    /** Instead of the sandbox's. */
    readonly factories: EscrowFactories;
    /** The handlers of what the commands of this process cause. */
    readonly reactions: ReactionHandlers;
    /** Whether there is an escrow provider. */
    readonly escrow: boolean;
    /** Called just before a signed envelope is sent to the provider. */
    beforeSubmit(): Promise<void>;
  }
>;

const issuerOf = (sandbox: Sandbox): string => (sandbox.describe().network as Record<string, string>).usdcIssuer!;

const factoriesOf = (sandbox: Sandbox): EscrowFactories => {
  const described = sandbox.describe() as Record<string, Record<string, string>>;
  const of = (type: string) => ({
    address: described.escrowFactories![type]!,
    codeHash: described.escrowCodeHashes![type]!,
  });
  return { 'single-release': of('single-release'), 'multi-release': of('multi-release') };
};

let made = 0;

export const faucet = async (control: string, body: { address: string; asset: 'USDC' | 'XLM'; amount: string }) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${control}/faucet`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
};

/** The adapters of the simulators. */
const openOutside = (urls: EnvironmentSettings['urls'], choice: Choice) => {
  const network = createLedgerNetwork({
    baseUrl: urls.ledger,
    rpcUrl: `${urls.ledger}/rpc`,
    passphrase: PASSPHRASE,
    timeoutMs: choice.timeoutMs ?? 10_000,
    attemptsMax: 1,
    breaker: { failuresMax: 1_000, pauseMs: 10 },
  });
  const adapter = createEscrowProvider({
    baseUrl: urls.escrow,
    apiKey: 'sandbox-escrow-key',
    timeoutMs: choice.timeoutMs ?? 10_000,
    attemptsMax: 1,
    breaker: { failuresMax: 1_000, pauseMs: 10 },
  });
  const provider: EscrowProvider = {
    ...adapter,
    async submit(envelope) {
      await choice.beforeSubmit?.();
      return adapter.submit(envelope);
    },
    forMarketplace: () => provider,
  };
  const noAccounts = { kind: 'no', reason: 'This network gives no accounts away.', code: null, status: null } as const;
  const ledger = choice.friendbot === false ? { ...network, friendbot: async () => noAccounts } : network;
  return { adapter, provider, ledger };
};

const signerOf = (asset: { code: string; issuer: string }, factories: EscrowFactories) =>
  createSigner({ keeper: KEEPER, networkPassphrase: PASSPHRASE, asset, log: { warn() {} }, factories });

const runnerOf =
  (submit: LedgerPartsOptions['submit'], marketplaceId: string = MARKETPLACE) =>
  async <Input, Reply>(command: Command<Input, Reply>, input: Input): Promise<Reply> => {
    const actor = { type: 'system', id: 'test' } as const;
    return replyOf(await submit({ command, input, context: { marketplaceId, actor, requestId: `r${++made}` } }));
  };

const adoptionOf = ({ pool, submit, wallets }: Pick<LedgerPartsOptions, 'submit' | 'wallets'> & { pool: pg.Pool }) => {
  const holds = createHoldReads(pool);
  const unexplained = createUnexplainedPayments({ submit, wallets, holds, onUnexplained: async () => {} });
  return { holds, adoption: { reads: createAdoptionReads(pool), usdcCurrency: 'USD' as const, unexplained } };
};

type Shared = {
  readonly parts: ReturnType<typeof createLedgerParts>;
  readonly wallets: ReturnType<typeof createWalletReads>;
  readonly deposits: ReturnType<typeof createDeposits>;
  readonly prepare: ReturnType<typeof walletMaker>;
  readonly submit: LedgerPartsOptions['submit'];
  readonly run: ReturnType<typeof runnerOf>;
  readonly urls: EnvironmentSettings['urls'];
  readonly troubles: readonly string[];
};

const usersOf = ({ parts, deposits, prepare, submit, urls, troubles }: Shared) => {
  /** A user with a pending wallet whose activation was not started. */
  const pendingUser = async (marketplaceId: string = MARKETPLACE): Promise<Wallet> => {
    const wallet = await prepare(marketplaceId);
    const more = { baseCurrency: 'USD', email: null, type: 'BOTH', metadata: {} } as const;
    return (await runnerOf(submit, marketplaceId)(createUser, { ...more, externalUserId: wallet.id, wallet })).wallet!;
  };
  const activate = async (wallet: Wallet): Promise<Wallet> => {
    const active = await parts.activation.waitUntilActive({ marketplaceId: MARKETPLACE, walletId: wallet.id });
    assert.ok(active, `the wallet did not become active: ${troubles.join('; ')}`);
    return active;
  };
  /** Gives an active wallet its fees, as the first operation that it pays for does. */
  const payFees = async (wallet: Wallet): Promise<Wallet> => {
    const place = { marketplaceId: MARKETPLACE, walletId: wallet.id };
    const ask = { ...place, currency: 'XLM', amount: ZERO, reference: `opn_fees_${wallet.id}` } as const;
    await until(async () => (await parts.fundWallet(ask)).kind === 'yes', 'the wallet has its fees');
    return wallet;
  };
  const user = async (): Promise<Wallet> => payFees(await activate(await pendingUser()));

  return {
    pendingUser,
    activate,
    payFees,
    /** A user whose wallet is active and has its fees. */
    user,
    /** A user whose wallet has this balance on the ledger. */
    async richUser(sum: string): Promise<Wallet> {
      const wallet = await user();
      await faucet(urls.control, { address: wallet.address, asset: 'USDC', amount: sum });
      await deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: wallet.id });
      return wallet;
    },
  };
};

const paymentsOf = ({ parts, wallets, run }: Shared) => ({
  run,
  /** Funds what an operation is to pay; the operation runs until it is ended. */
  async fundWallet(
    walletId: string,
    sum: string,
    more: { reference?: string; currency?: 'USD' | 'USDC' | 'XLM' } = {},
  ) {
    const { reference: id = `opn_${++made}`, currency = 'USD' } = more;
    const place = { id, orderId: `ord_${id}_${walletId}`, escrowId: `esc_${id}`, kind: 'fund-escrow' } as const;
    await run(openOperation, { ...place, walletId, currency, amount: amount(sum) });
    const ask = { marketplaceId: MARKETPLACE, walletId, currency, amount: amount(sum), reference: id };
    return { id, ...(await parts.fundWallet(ask)) };
  },
  fundAsIs: parts.fundWallet,
  endOperation: (id: string) => run(endOperation, { id }),
  treasury: () => wallets.ofPlatform(MARKETPLACE, 'treasury'),
  /** Pays from one custodial wallet to another, not through the treasury. */
  pay: (from: Wallet, to: Wallet, sum: string) =>
    parts.sender.send({
      marketplaceId: MARKETPLACE,
      wallet: from,
      purpose: 'test',
      actions: [
        {
          type: 'pay',
          to: to.address,
          asset: 'USDC',
          currency: 'USD',
          units: String(amount(sum)),
          paymentId: null,
        } as const,
      ],
    }),
});

export type Process = Awaited<ReturnType<typeof startProcess>>;

type DepositParts = {
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly network: LedgerNetwork;
  readonly usdc: LedgerAsset;
  readonly depositCurrency: 'USD' | 'USDC';
  onTrouble(message: string, error: unknown): void;
};

const depositsOf = ({ pool, submit, network, usdc: settlement, depositCurrency, onTrouble }: DepositParts) => {
  const reads = createDepositReads(pool);
  const cursor = createLedgerCursor(pool);
  const findOrigins = createFindOrigins({ network, reads });
  const setAside = uncreditedDeposits(createBreaks(pool));
  return createDeposits({
    network,
    reads,
    submit,
    findOrigins,
    cursor,
    settlement,
    depositCurrency,
    setAside,
    onTrouble,
  });
};

/** What the test has chosen; the rest is as in a server. */
const settingsOf = ({ onStep, activationLimits, today, feeMax, bumpAfterMs, statsReadEveryMs }: Choice) => ({
  ...(onStep ? { onStep } : {}),
  ...(activationLimits ? { activationLimits } : {}),
  ...(today ? { today } : {}),
  ...(feeMax ? { feeMax } : {}),
  ...(bumpAfterMs === undefined ? {} : { bumpAfterMs }),
  ...(statsReadEveryMs === undefined ? {} : { statsReadEveryMs }),
});

const noteTroubles = () => {
  const troubles: string[] = [];
  const onTrouble = (message: string, error: unknown): void =>
    void troubles.push(`${message}: ${error instanceof Error ? error.message : error}`);
  return { troubles, onTrouble };
};

/** The ledger parts of one server process. */
export const startProcess = async (t: Hooks, environment: EnvironmentSettings, choice: Choice = {}) => {
  const { urls } = environment;
  const usdc = { code: 'USDC', issuer: environment.issuer };
  const reactions = choice.reactions ?? createReactions(() => {});
  const { pool, committer } = await openFixture(t, { connection: environment.connection, reactions });
  const { submit } = committer;
  const { adapter, provider, ledger } = openOutside(urls, choice);
  const { troubles, onTrouble } = noteTroubles();
  const depositReads = createDepositReads(pool);
  const depositCurrency = choice.depositCurrency ?? 'USD';
  const deposits = depositsOf({ pool, submit, network: ledger, usdc, depositCurrency, onTrouble });
  const prepare = walletMaker(KEEPER);
  const wallets = createWalletReads(pool);
  const payments = createTreasuryPaymentReads(pool);
  const transactions = createLedgerTransactionReads(pool);
  const fill = choice.fill === undefined ? '1000000' : choice.fill;
  const factories = choice.factories ?? environment.factories ?? {};
  const signer = signerOf(usdc, factories);
  const parts = createLedgerParts({
    submit,
    reactions,
    owners: ACTION_OWNERS,
    ledger,
    signer,
    prepare,
    usdc,
    wallets,
    payments,
    escrow: choice.escrow === false ? null : provider,
    transactions,
    pollToSettle: deposits.pollToSettle,
    ...adoptionOf({ pool, submit, wallets }),
    feesXlm: choice.feesXlm ?? amount('3'),
    batchMax: choice.batchMax ?? 50,
    fundWaitMs: choice.fundWaitMs ?? 15_000,
    ...(fill === null
      ? {}
      : { fill: (address: string) => faucet(urls.control, { address, asset: 'USDC', amount: fill }) }),
    onTrouble,
    ...settingsOf(choice),
  });
  afterwards(t, () => parts.close());
  const calls = createEscrowCalls({
    sender: parts.sender,
    escrow: choice.escrow === false ? null : provider,
    signer,
    memory: parts.memory,
    findCallRows: createFindCallRows(pool),
    checkContract: createCheckContract({ ledger, factories }),
    feeBids: parts.feeBids,
  });

  const shared = { parts, wallets, deposits, prepare, troubles, urls, submit, run: runnerOf(submit) };

  return {
    ...parts,
    calls,
    pool,
    submit,
    ledger,
    provider: adapter,
    signer,
    usdc,
    depositReads,
    deposits,
    wallets,
    payments,
    transactions,
    troubles,
    ...usersOf(shared),
    ...paymentsOf(shared),
  };
};

/** One process in an environment that all tests of a file share. Faults are cleared after each test. */
export const shareServer = (choice: Choice = {}): (() => { environment: Environment; server: Process }) => {
  const shared = shareInFile(async (t) => {
    const environment = await openEnvironment(t);
    return { environment, server: await startProcess(t, environment, choice) };
  });
  afterEach(() => shared().environment.sandbox.faults.clear());
  return shared;
};

export type OnLedger = { usdc: string; xlm: string };

type Described = { address: string; sequence: string; balances: Record<string, string> };

const holdsOf = ({ balances }: Described): OnLedger => {
  const usdc = Object.entries(balances).find(([asset]) => asset !== 'native');
  return { usdc: usdc?.[1] ?? 'no trust', xlm: balances.native! };
};

const accountsOn = (sandbox: Sandbox): Described[] => sandbox.describe().accounts as Described[];

/** The balances of an address on the ledger, read without any adapter. */
export const onLedger = (sandbox: Sandbox, address: string): OnLedger | null => {
  const account = accountsOn(sandbox).find((one) => one.address === address);
  return account ? holdsOf(account) : null;
};

type Tx = { hash: string; successful: boolean; source: string };

export const transactionsOf = (sandbox: Sandbox, address: string): Tx[] =>
  (sandbox.describe().transactions as Tx[]).filter(({ source }) => source === address);

/** The books equal the ledger to 10^-7, fees included, for every wallet and contract, and the proof of the books holds. */
export const assertBooksEqualLedger = async (pool: pg.Pool, sandbox: Sandbox): Promise<void> => {
  await until(async () => {
    const { rows } = await pool.query(`select 1 from ledger_transactions where state = 'SIGNED'`);
    return rows.length === 0;
  }, 'no transaction is in flight');
  const sql = async (text: string, values: unknown[]) => (await pool.query(text, values)).rows;
  assert.deepEqual(await compareBooksWithLedger({ sql, state: sandbox.describe(), isOwnLedger: true }), []);
  const { checks } = await proveBooks(pool, MARKETPLACE);
  assert.deepEqual(
    checks.filter(({ holds }) => !holds),
    [],
  );
};
