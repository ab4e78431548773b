// Counts the requests to the ledger that the search for deposits and reconciliation need with 10, 1,000 and 100,000 wallets, in a quiet
// minute and for 250 deposits, which is 50 per second for one ledger. Beside it, in the same run: one round of reading wallet by wallet,
// as the server did before, for as many wallets as that takes seconds.

import { randomBytes } from 'node:crypto';
import { Asset, Keypair, Operation, StrKey } from '@stellar/stellar-sdk';
import { systemClock } from '../server/src/base/instant.ts';
import { runCommand } from '../server/src/commit/command.ts';
import { createCommitter } from '../server/src/commit/committer.ts';
import { createDeposits } from '../server/src/ledger/deposits/deposits.ts';
import { createFindOrigins } from '../server/src/ledger/deposits/find-origins.ts';
import { createFollower } from '../server/src/ledger/deposits/follow-ledger.ts';
import { createLedgerCursor } from '../server/src/ledger/deposits/ledger-cursor.ts';
import { createMovedWallets } from '../server/src/ledger/deposits/moved-wallets.ts';
import { createDepositReads } from '../server/src/ledger/deposits/queries.ts';
import { createBreaks, uncreditedDeposits } from '../server/src/modules/reconciliation/breaks.ts';
import { compareBalances } from '../server/src/modules/reconciliation/compare-balances.ts';
import { reconcile } from '../server/src/modules/reconciliation/jobs.ts';
import { createWalletRounds } from '../server/src/modules/reconciliation/wallet-rounds.ts';
import { createUser } from '../server/src/modules/users/create-user.ts';
import { openLane, openPool } from '../server/src/postgres/connection.ts';
import { createLedgerNetwork } from '../server/src/providers/network/ledger-network.ts';
import { TABLES } from '../server/src/registry.ts';
import { openLedger, PASSPHRASE, perform, settle } from '../tools/simulation/ledger-accounts.ts';
import { createDatabase } from '../tools/test-database/database.ts';

const WALLETS = [10, 1_000, 100_000];
/** With fewer, the round of the former way is run; with more, it is wallets × rounds. */
const ROUND_MAX = 1_000;
/** Rounds in a minute, at the default of DEPOSIT_POLL_S. */
const ROUNDS = 12;
const DEPOSITS = 250;
const RECEIVERS = 10;
/** The default of the setting. One run is ten minutes. */
const RECONCILE_WALLETS_MAX = 100;
const MARKETPLACE = 'mkt_default';
const NATIVE = Asset.native();

const ADD = `insert into wallets (marketplace_id, id, version, owner, user_id, address, type, sealed_secret, status, is_primary,
    payments_cursor, created_at, updated_at)
  select 'mkt_many', 'wal_' || lpad((row_number() over () + $2)::text, 8, '0'), 1, 'user', 'usr_' || a, a, 'INVISIBLE', 'sealed',
    'ACTIVE', true, '0', now(), now() from unnest($1::text[]) a`;

const hooks = { after() {} };
const trouble = (message: string, error: unknown): void => console.error(message, error);

const ledger = await openLedger(hooks);
const database = await createDatabase();
const pool = openPool(database.connection, { max: 4, onError() {} });
const { submit, close } = createCommitter({
  tables: TABLES,
  connect: () => openLane(database.connection),
  clock: systemClock,
  lanes: 2,
  groupMax: 512,
  queueMax: 10_000,
  patienceMs: 10_000,
  watch: { committed() {}, refused() {}, retried() {} },
  onEvents() {},
  onTrouble: trouble,
});
let requests = 0;
const network = createLedgerNetwork({
  baseUrl: ledger.sandbox.urls.ledger,
  passphrase: PASSPHRASE,
  timeoutMs: 10_000,
  onCall: ({ attempts }) => {
    requests += attempts;
  },
});
const reads = createDepositReads(pool);
const cursor = createLedgerCursor(pool);
const settlement = { code: 'USDC', issuer: ledger.issuer };
const breaks = createBreaks(pool);
const common = {
  network,
  reads,
  cursor,
  submit,
  settlement,
  depositCurrency: 'USD',
  findOrigins: createFindOrigins({ network, reads }),
  setAside: uncreditedDeposits(breaks),
  onTrouble: trouble,
} as const;
const deposits = createDeposits(common);
const moved = createMovedWallets(pool);
const follower = createFollower({ ...common, moved });
const reconciliation = reconcile({
  rounds: createWalletRounds({ pool, reads, moved, walletsMax: RECONCILE_WALLETS_MAX }),
  compare: (wallet) => compareBalances({ network, reads, cursor, settlement }, wallet),
  arePending: deposits.arePending,
  readTo: deposits.readTo,
  breaks,
  depositPatienceMs: 480_000,
  onBreak(seen) {
    throw new Error(`A break of ${seen.subject}.`);
  },
});

/** Requests of the work, and how long it took. */
const count = async (work: () => Promise<void>): Promise<{ requests: number; ms: number }> => {
  requests = 0;
  const startedAt = performance.now();
  await work();
  return { requests, ms: Math.round(performance.now() - startedAt) };
};

const followToEnd = async (): Promise<number> => {
  let recorded = 0;
  for (;;) {
    const page = await follower.readPage();
    if (page.kind !== 'yes') throw new Error(page.reason);
    recorded += page.value.recorded;
    if (!page.value.more) return recorded;
  }
};

const newReceiver = async (number: number): Promise<string> => {
  const address = Keypair.random().publicKey();
  const wallet = { id: `wal_receiver${number}`, address, sealedSecret: 'sealed' };
  const user = { externalUserId: `user-${number}`, email: null, type: 'BOTH', metadata: {} } as const;
  await runCommand(submit, {
    command: createUser,
    input: { baseCurrency: 'USD', ...user, wallet },
    context: { marketplaceId: MARKETPLACE, actor: { type: 'system', id: 'bench' }, requestId: `bench-${number}` },
  });
  await network.friendbot(address);
  return address;
};

const addWallets = async (from: number, to: number): Promise<void> => {
  // A key pair would take longer, and no wallet of these pays.
  const newAddress = () => StrKey.encodeEd25519PublicKey(randomBytes(32));
  for (let start = from; start < to; start += 10_000) {
    const length = Math.min(10_000, to - start);
    await pool.query(ADD, [Array.from({ length }, newAddress), start]);
  }
};

const readWalletByWallet = async (): Promise<void> => {
  for (const { marketplaceId, id: walletId } of await reads.custodial(null, ROUND_MAX))
    await deposits.pollNow({ marketplaceId, walletId });
};

const receivers: string[] = [];
for (let i = 0; i < RECEIVERS; i++) receivers.push(await newReceiver(i));
const payer = await settle(ledger);
const pay = (_: unknown, i: number) =>
  Operation.payment({ destination: receivers[i % RECEIVERS]!, asset: NATIVE, amount: '0.0001' });

const newest = await network.networkPayments({ order: 'desc', limit: 1 });
if (newest.kind !== 'yes') throw new Error(newest.reason);
await cursor.begin(newest.value.cursor ?? '0');

console.log(
  '| Wallets | Quiet minute, 12 ledgers | 250 deposits | credited after | second read | wallet by wallet, a minute, per server | reconciliation, ten minutes | its time | each wallet, ten minutes |',
);
console.log('|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
let made = RECEIVERS;
for (const wallets of WALLETS) {
  await addWallets(made, wallets);
  made = wallets;
  // The first round also records what has arrived before.
  if (wallets <= ROUND_MAX) await readWalletByWallet();
  const former = wallets <= ROUND_MAX ? await count(readWalletByWallet) : null;
  await followToEnd();
  await cursor.finishCatchUp();
  const quiet = await count(async () => {
    for (let round = 0; round < ROUNDS; round++) await followToEnd();
  });
  await follower.check();
  for (let left = DEPOSITS; left > 0; left -= 50) {
    await perform(ledger, { by: payer, operations: Array.from({ length: 50 }, pay), fee: '100' });
  }
  let recorded = 0;
  const busy = await count(async () => {
    recorded = await followToEnd();
  });
  if (recorded !== DEPOSITS) throw new Error(`${recorded} deposits were recorded instead of ${DEPOSITS}.`);
  const second = await count(() => follower.check());
  const shown = former === null ? `${wallets * ROUNDS} (computed)` : `${former.requests * ROUNDS}`;
  // The accounts of the receivers are on the ledger, and reconciliation compares active wallets.
  await pool.query(`update wallets set status = 'ACTIVE' where status <> 'ACTIVE'`);
  // What moved before, and then a run like every other.
  await reconciliation.run();
  const compared = await count(() => reconciliation.run());
  const following = [quiet.requests, busy.requests, `${busy.ms} ms`, second.requests, shown];
  console.log(`| ${[wallets, ...following, compared.requests, `${compared.ms} ms`, wallets].join(' | ')} |`);
  // The next, larger round reads wallet by wallet from the start again.
  await pool.query('update ledger_cursors set caught_up = false');
}

await close();
await pool.end();
await database.drop();
await ledger.sandbox.close();
process.exit(0);
