// An HTTP server with the user and wallet routes on real parts and the sandbox's ledger. Tests can read the log lines.
// Activation is the shortest that the ledger accepts; activation.test.ts tests the real one.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { pino } from 'pino';
import { systemClock } from '../../server/src/base/instant.ts';
import { fromUnits } from '../../server/src/books/money.ts';
import { type Context, command } from '../../server/src/commit/command.ts';
import { createCommitter } from '../../server/src/commit/committer.ts';
import { createReactions, type ReactionHandlers } from '../../server/src/commit/reactions.ts';
import { createFindAnswer } from '../../server/src/commit/stored-answers.ts';
import { buildApp } from '../../server/src/http/app.ts';
import { memoryLimiter } from '../../server/src/http/rate-limit.ts';
import type { Kek } from '../../server/src/ledger/keys/key-keeper.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { createSigner } from '../../server/src/ledger/keys/signer.ts';
import type { Wallet } from '../../server/src/ledger/keys/wallet.ts';
import { walletMaker } from '../../server/src/ledger/keys/wallet-keys.ts';
import { createWalletReads } from '../../server/src/ledger/keys/wallet-queries.ts';
import { createAuthenticator } from '../../server/src/modules/api-keys/authenticator.ts';
import { createTokens } from '../../server/src/modules/api-keys/tokens.ts';
import { createAccountCheck } from '../../server/src/modules/users/payment-account.ts';
import { createUserReads } from '../../server/src/modules/users/queries.ts';
import { userRoutes } from '../../server/src/modules/users/routes.ts';
import { walletRoutes } from '../../server/src/modules/wallets/routes.ts';
import { createWalletView } from '../../server/src/modules/wallets/wallet-view.ts';
import { type Connection, openLane, openPool } from '../../server/src/postgres/connection.ts';
import { createLedgerNetwork } from '../../server/src/providers/network/ledger-network.ts';
import { TABLES } from '../../server/src/registry.ts';
import { buildPayments } from '../../tools/ledger-envelopes.ts';
import { type Ledger, openLedger, PASSPHRASE, write } from '../../tools/simulation/ledger-accounts.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

const MASTER = 'master_of-the-tests-0123456789abcdef';
export const MARKETPLACE = 'mkt_default';

// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would, and the assertions are the types
export type Answer = { status: number; body: any; text: string };
type Ask = { body?: unknown; marketplaceId?: string; headers?: Record<string, string> };

const markActive = command<{ id: string }, null>({
  name: 'mark-active',
  needs: ({ id }) => ({ rows: [{ table: 'wallets', id }] }),
  decide({ id }, work) {
    work.put('wallets', { ...work.get('wallets', id), status: 'ACTIVE', activatedAt: work.now });
    work.audit({ action: 'WALLET_ACTIVATED', resourceType: 'Wallet', resourceId: id });
    return null;
  },
});

/** A test activates a wallet itself. */
const NOT_ACTIVATED = { network: PASSPHRASE, async activate() {} };

const contextOf = (marketplaceId: string): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'test' },
  requestId: 'test',
});

/** Settings of the HTTP server that these tests do not change. The master key is the only key. */
const serverSettings = () => {
  const { authenticate } = createAuthenticator({
    masterKey: MASTER,
    tokens: createTokens({ jwtSecrets: [MASTER], ttlMs: 60_000, clock: systemClock }),
    findKey: async () => null,
    clock: systemClock,
    onUse() {},
  });
  return {
    authenticate,
    limiter: memoryLimiter({ windowMs: 60_000, now: Date.now }),
    rateLimit: { max: 100_000, windowMs: 60_000 },
    bodyLimitBytes: 64 * 1024,
    trustProxy: false as const,
    corsOrigins: [],
    idempotencyRetentionHours: 24,
    shutdownGraceMs: 5_000,
    version: '0.1.0',
  };
};

const openCommitter = (connection: Connection, reactions: ReactionHandlers) =>
  createCommitter({
    reactions,
    tables: TABLES,
    connect: () => openLane(connection),
    clock: systemClock,
    lanes: 1,
    queueMax: 1_000,
    groupMax: 100,
    patienceMs: 5_000,
    onEvents() {},
    onTrouble() {},
  });

const callerOf =
  (url: string) =>
  async (request: string, { body, marketplaceId = MARKETPLACE, headers }: Ask = {}): Promise<Answer> => {
    const [method, path] = request.split(' ') as [string, string];
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${MASTER}`,
        'x-marketplace-id': marketplaceId,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  };

type Custody = {
  readonly ledger: Ledger;
  readonly network: ReturnType<typeof createLedgerNetwork>;
  readonly signer: ReturnType<typeof createSigner>;
  readonly submit: ReturnType<typeof createCommitter>['submit'];
};

/** Transactions of custodial wallets, signed by the signer and sent directly. */
const transactionsOf = ({ ledger, network, signer, submit }: Custody) => {
  const asset = { code: 'USDC', issuer: ledger.issuer };

  const frame = (source: string) => ({
    networkPassphrase: PASSPHRASE,
    source,
    feeMax: fromUnits(10_000n),
    ledgerTimeMs: ledger.sandbox.clock.now(),
    validMaxMs: 600_000,
  });

  /** Signs one payment with a custodial wallet and sends it. */
  const pay = async (wallet: Wallet, { to, units }: { to: string; units: bigint }): Promise<void> => {
    const account = await network.account(wallet.address);
    assert.ok(account.kind === 'yes' && account.value);
    const { unsigned } = buildPayments(
      {
        passphrase: PASSPHRASE,
        source: { address: wallet.address, sequence: account.value.sequence },
        feePerOperation: 100n,
        validUntil: ledger.sandbox.clock.now() + 60_000,
      },
      [{ to, asset, amount: fromUnits(units) }],
    );
    const action = { type: 'pay', to, asset: 'USDC', currency: 'USD', units: String(units), paymentId: null } as const;
    const outcome = await signer.sign({
      marketplaceId: MARKETPLACE,
      envelopeXdr: unsigned,
      expectation: { ...frame(wallet.address), purpose: { kind: 'actions', actions: [action] } },
      wallets: [wallet],
    });
    assert.ok(outcome.kind === 'yes');
    assert.equal((await network.submit(outcome.value.envelopeXdr)).kind, 'yes');
  };

  /** Puts the account on the ledger, lets it trust the asset, and notes it. */
  const activate = async (wallet: Wallet, marketplaceId = MARKETPLACE): Promise<void> => {
    assert.equal((await network.friendbot(wallet.address)).kind, 'yes');
    const by = { publicKey: () => wallet.address } as never;
    const operations = [Operation.changeTrust({ asset: ledger.usdc })];
    const outcome = await signer.sign({
      marketplaceId,
      envelopeXdr: (await write(ledger, { by, operations, signers: [] })).toXDR(),
      expectation: {
        ...frame(wallet.address),
        purpose: { kind: 'actions', actions: [{ type: 'trust', walletId: wallet.id }] },
      },
      wallets: [wallet],
    });
    assert.ok(outcome.kind === 'yes');
    assert.equal((await network.submit(outcome.value.envelopeXdr)).kind, 'yes');
    await submit({ command: markActive, input: { id: wallet.id }, context: contextOf(marketplaceId) });
  };

  return { pay, activate };
};

/** Without a payment provider. */
const USERS = {
  baseCurrency: 'USD',
  checkAccount: createAccountCheck({ current: async () => null }),
  changeWaitMs: 0,
} as const;

export const openWallets = async (t: TestContext, options: { keks?: readonly Kek[]; timeoutMs?: number } = {}) => {
  const ledger = await openLedger(t);
  const database = await createDatabase();
  const { connection } = database;
  const pool = openPool(connection, { max: 4, onError() {} });
  const announced: { marketplaceId: string; walletId: string }[] = [];
  const reactions = createReactions(() => {});
  reactions.on('wallet-created', ({ walletId }, { marketplaceId }) => void announced.push({ marketplaceId, walletId }));
  const committer = openCommitter(connection, reactions);
  const keks = options.keks ?? [{ version: 1, key: randomBytes(32) }];
  const keeper = keepKeks(keks);
  const logs: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void logs.push(line) });
  const timeoutMs = options.timeoutMs ?? 5_000;
  const network = createLedgerNetwork({
    baseUrl: ledger.sandbox.urls.ledger,
    timeoutMs,
    passphrase: PASSPHRASE,
    onCall: (call) => logger.info(call, 'a provider was asked'),
  });
  const asset = { code: 'USDC', issuer: ledger.issuer };
  const signer = createSigner({ keeper, networkPassphrase: PASSPHRASE, asset, log: logger });
  const { submit } = committer;
  const wallets = createWalletReads(pool);
  const prepareWallet = walletMaker(keeper);
  const app = await buildApp({
    routes: [
      ...userRoutes({ ...USERS, users: createUserReads(pool, 'USD'), prepareWallet }),
      ...walletRoutes({ wallets, ledger: createWalletView({ network, asset }), ...NOT_ACTIVATED, asset }),
    ],
    submit,
    findAnswer: createFindAnswer(pool),
    logger,
    ...serverSettings(),
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  afterwards(t, async () => {
    await app.close();
    await committer.close();
    await pool.end();
    await database.drop();
  });

  const call = callerOf(url);
  let made = 0;
  const user = async (ask: Ask = {}) => {
    const answer = await call('POST /users', { body: { externalUserId: `user-${++made}` }, ...ask });
    assert.equal(answer.status, 201, answer.text);
    const { wallet } = await wallets.ofUser(ask.marketplaceId ?? MARKETPLACE, answer.body.data.id);
    return { id: answer.body.data.id as string, answer, wallet: wallet! };
  };

  const { pay, activate } = transactionsOf({ ledger, network, signer, submit });

  // biome-ignore lint/suspicious/noExplicitAny: rows of any table
  const sql = async (text: string, values?: unknown[]): Promise<any[]> => (await pool.query(text, values)).rows;

  return {
    ledger,
    connection,
    keks,
    keeper,
    logs,
    announced,
    wallets,
    prepareWallet,
    network,
    submit,
    contextOf,
    call,
    user,
    activate,
    pay,
    sql,
  };
};

export type WalletFixture = Awaited<ReturnType<typeof openWallets>>;
