// The checks that need the database: whether committed data is on disk, the clock, the schema, the books and the audit chains. It only
// reads.

import type pg from 'pg';
import { formatAmount, ZERO } from '../../books/money.ts';
import { FOREIGN_DATABASE_REMEDY, findForeignTables } from '../../commit/foreign-database.ts';
import type { DepositLag } from '../../ledger/deposits/lag.ts';
import type { HoldSummary } from '../../ledger/holds/queries.ts';
import type { CreditSummary } from '../../modules/float/queries.ts';
import { assessDevelopmentKeys } from './development-key-checks.ts';
import { type CheckResult, failed, fine, unknown, type Verdict, warning } from './verdict.ts';

export type Books = {
  /** Names of the migrations of this version, in order. */
  migrations(): Promise<readonly string[]>;
  prove(): Promise<{ readonly holds: boolean; readonly checks: readonly { holds: boolean; detail: string }[] }>;
  marketplaces(): Promise<readonly string[]>;
  /** The credit lines that the operator has granted. */
  credit(): Promise<CreditSummary>;
  /** How far the search for deposits is behind the ledger. */
  depositLag(): Promise<DepositLag | null>;
  /** Ids of the active development keys. */
  developmentKeys(): Promise<readonly string[]>;
  /** Outgoing payments that are held. */
  holds(): Promise<HoldSummary>;
  /** Whether the key-encryption keys open every secret. */
  walletKeys(): Promise<CheckResult>;
  verifyChain(marketplaceId: string): Promise<{ readonly holds: boolean; readonly brokenAt: bigint | null }>;
};

/** As the health check has it. */
const DEPOSITS_BEHIND_S = 300;

const SKEW_MS = { warning: 1_000, failed: 5_000 };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Durability = { readonly fsync: string; readonly pages: string; readonly commit: string };

export const assessDurability = ({ fsync, pages, commit }: Durability): CheckResult => {
  const off = [
    ...(fsync === 'on' ? [] : ['fsync']),
    ...(pages === 'on' ? [] : ['full_page_writes']),
    ...(commit === 'off' ? ['synchronous_commit'] : []),
  ];
  if (off.length === 0) return fine(`Committed data is on disk (synchronous_commit=${commit}).`);
  return failed(
    `These settings of PostgreSQL are off: ${off.join(', ')}. A power cut can lose committed payments.`,
    'Turn them on in postgresql.conf and for this role and database, then restart PostgreSQL.',
  );
};

export const assessSkew = (skewMs: number): CheckResult => {
  const detail = `The clocks of this machine and of the database differ by ${Math.abs(Math.round(skewMs))} ms.`;
  const remedy = 'Synchronise both clocks with NTP: tokens, webhooks and signed transactions depend on the time.';
  if (Math.abs(skewMs) >= SKEW_MS.failed) return failed(detail, remedy);
  return Math.abs(skewMs) >= SKEW_MS.warning ? warning(detail, remedy) : fine(detail);
};

export const assessMigrations = (known: readonly string[], applied: readonly string[]): CheckResult => {
  const unknownNames = applied.filter((name) => !known.includes(name));
  if (unknownNames.length > 0) {
    return failed(
      `Migrations were applied by a newer version: ${unknownNames.join(', ')}.`,
      'Run that version of the server or a later one.',
    );
  }
  const pending = known.filter((name) => !applied.includes(name));
  if (pending.length === 0) return fine(`All ${known.length} migrations are applied.`);
  return failed(
    `Migrations are not applied yet: ${pending.join(', ')}.`,
    'Run `holdfast migrate`, or start the server.',
  );
};

const inspectDurability = async (pool: pg.Pool): Promise<CheckResult> => {
  const { rows } = await pool.query<Durability>(`select current_setting('fsync') as fsync,
    current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as commit`);
  return assessDurability(rows[0]!);
};

const inspectClock = async (pool: pg.Pool): Promise<CheckResult> => {
  const before = Date.now();
  const { rows } = await pool.query<{ ms: string }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`,
  );
  // The database read its clock about in the middle of the round trip.
  return assessSkew(Number(rows[0]!.ms) - (before + Date.now()) / 2);
};

const inspectRole = async (pool: pg.Pool): Promise<CheckResult> => {
  const { rows } = await pool.query<{ super: boolean }>(
    'select rolsuper as super from pg_roles where rolname = current_user',
  );
  if (rows[0]?.super !== true) return fine('The database role of the server is not a superuser.');
  return warning(
    'The database role of the server is a superuser: a flaw of the server could reach the other databases of this PostgreSQL.',
    'Create a role for the server that owns only its own database.',
  );
};

const appliedIn = async (pool: pg.Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ there: boolean }>("select to_regclass('schema_migrations') is not null as there");
  if (rows[0]?.there !== true) return [];
  const applied = await pool.query<{ name: string }>('select name from schema_migrations order by name collate "C"');
  return applied.rows.map(({ name }) => name);
};

const inspectMigrations = async (pool: pg.Pool, books: Books): Promise<CheckResult> => {
  const known = await books.migrations();
  const foreign = await findForeignTables(pool, known);
  if (foreign !== null) return failed(foreign, FOREIGN_DATABASE_REMEDY);
  return assessMigrations(known, await appliedIn(pool));
};

const inspectProof = async (books: Books): Promise<CheckResult> => {
  const { holds, checks } = await books.prove();
  if (holds) return fine('The books were recomputed from every posting: every cent is accounted for.');
  const broken = checks.filter((check) => !check.holds).map(({ detail }) => detail);
  return failed(broken.join(' '), 'Do not change the database. Run `holdfast proof` for the details.');
};

const inspectChains = async (books: Books): Promise<CheckResult> => {
  const marketplaces = await books.marketplaces();
  for (const marketplaceId of marketplaces) {
    const { holds, brokenAt } = await books.verifyChain(marketplaceId);
    if (holds) continue;
    return failed(
      `The audit chain of ${marketplaceId} is broken at entry ${brokenAt}: the database was changed outside the server.`,
      'Compare the database with a backup, and find out who had write access to it.',
    );
  }
  return fine(`The audit chains of all marketplaces hold (${marketplaces.length}).`);
};

const inspectCredit = async (books: Books): Promise<CheckResult> => {
  const { lines, granted, used } = await books.credit();
  if (lines === 0 && used === ZERO)
    return fine('No marketplace has a credit line: each pays out only from its own float.');
  const detail = `Marketplaces with a credit line: ${lines}, together ${formatAmount(granted)} USD. Paid or promised beyond the own float: ${formatAmount(used)} USD.`;
  if (used === ZERO) return fine(detail);
  return warning(
    `${detail} That is the money of the operator or of other marketplaces.`,
    'See `holdfast marketplaces list`, and allot float to these marketplaces. Lowering a line does not repay what is used.',
  );
};

export const assessHolds = ({ reason, since, wallets }: HoldSummary): CheckResult => {
  const held = wallets === 0 ? '' : ` Wallets with payments that nothing in the books explains: ${wallets}.`;
  if (reason !== null) {
    return warning(
      `Payments are on hold since ${since}: ${reason}${held} Nothing is paid until an operator releases them.`,
      'Run `holdfast payments status`, compare what it shows with your records, then run `holdfast payments release`.',
    );
  }
  if (wallets === 0) return fine('Payments are not on hold.');
  return warning(
    `Payments are not on hold, and wallets are.${held} These wallets pay nothing until an operator releases them.`,
    'Run `holdfast payments status`, compare the payments with your records, then run `holdfast payments release --wallet ID`.',
  );
};

/** While no server runs, the ledger is not read: then this says for how long. */
const inspectDeposits = async (books: Books): Promise<CheckResult> => {
  const lag = await books.depositLag();
  if (lag === null || lag.seconds === null) return fine('The payments of the ledger were not read yet.');
  const { ledgers, seconds } = lag;
  const detail = `The payments of the ledger are read up to ${seconds} s ago; ${ledgers} ledgers were not read when a server last looked.`;
  if (seconds < DEPOSITS_BEHIND_S) return fine(detail);
  return warning(detail, 'Deposits are credited late. Start a server, or see docs/operating.md#depositsbehind.');
};

/** The quick checks, which do not read the books. `isOurs` is true for the embedded PostgreSQL, whose role belongs to the server. */
export const checkDatabase = async (pool: pg.Pool, { isOurs }: { isOurs: boolean }): Promise<Verdict[]> => [
  await named('durability', () => inspectDurability(pool)),
  await named('clock', () => inspectClock(pool)),
  ...(isOurs ? [] : [await named('database-role', () => inspectRole(pool))]),
];

/** `whyNoDevelopmentKey` is null when the server may have a development key. */
export const checkBooks = async (
  pool: pg.Pool,
  { books, whyNoDevelopmentKey }: { books: Books; whyNoDevelopmentKey: string | null },
): Promise<Verdict[]> => {
  const schema = await named('migrations', () => inspectMigrations(pool, books));
  if (schema.state !== 'ok') {
    const later = unknown('Not checked: the schema is not up to date.');
    return [
      schema,
      ...['proof', 'audit-chain', 'credit-lines', 'payment-hold', 'deposits', 'wallet-keys', 'development-keys'].map(
        (name) => ({
          name,
          ...later,
        }),
      ),
    ];
  }
  return [
    schema,
    await named('proof', () => inspectProof(books)),
    await named('audit-chain', () => inspectChains(books)),
    await named('credit-lines', () => inspectCredit(books)),
    await named('payment-hold', async () => assessHolds(await books.holds())),
    await named('deposits', () => inspectDeposits(books)),
    await named('wallet-keys', books.walletKeys),
    await named('development-keys', async () =>
      assessDevelopmentKeys(await books.developmentKeys(), whyNoDevelopmentKey),
    ),
  ];
};

const named = async (name: string, check: () => Promise<CheckResult>): Promise<Verdict> => ({
  name,
  ...(await check().catch((error: unknown) =>
    failed(`The check could not run: ${messageOf(error)}`, 'Read the log of PostgreSQL.'),
  )),
});
