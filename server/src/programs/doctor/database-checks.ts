// The part of the checklist that the database decides: whether what it acknowledges is on disk, what time it has, which
// schema it carries, and whether books and audit chains hold. It only reads.

import type pg from 'pg';
import { judgeDevelopmentKeys } from './development-key-checks.ts';
import { failed, fine, type Look, unknown, type Verdict, warning } from './verdict.ts';

export type Books = {
  /** Names of this version's migrations, in order. */
  migrations(): Promise<readonly string[]>;
  prove(): Promise<{ readonly holds: boolean; readonly checks: readonly { holds: boolean; detail: string }[] }>;
  marketplaces(): Promise<readonly string[]>;
  /** Ids of the active ones. */
  developmentKeys(): Promise<readonly string[]>;
  verifyChain(marketplaceId: string): Promise<{ readonly holds: boolean; readonly brokenAt: bigint | null }>;
};

const SKEW_MS = { warning: 1_000, failed: 5_000 };

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Durability = { readonly fsync: string; readonly pages: string; readonly commit: string };

export const judgeDurability = ({ fsync, pages, commit }: Durability): Look => {
  const off = [
    ...(fsync === 'on' ? [] : ['fsync']),
    ...(pages === 'on' ? [] : ['full_page_writes']),
    ...(commit === 'off' ? ['synchronous_commit'] : []),
  ];
  if (off.length === 0) return fine(`What is acknowledged is on disk (synchronous_commit=${commit}).`);
  return failed(
    `Off: ${off.join(', ')}. Money that was acknowledged can be gone after a power cut.`,
    'Turn them on in postgresql.conf and for this role and database, then restart PostgreSQL.',
  );
};

export const judgeSkew = (skewMs: number): Look => {
  const shown = `The clocks of this machine and of the database differ by ${Math.abs(Math.round(skewMs))} ms.`;
  const remedy = 'Have both keep time with NTP: tokens, webhooks and signed transactions are judged by it.';
  if (Math.abs(skewMs) >= SKEW_MS.failed) return failed(shown, remedy);
  return Math.abs(skewMs) >= SKEW_MS.warning ? warning(shown, remedy) : fine(shown);
};

export const judgeMigrations = (known: readonly string[], applied: readonly string[]): Look => {
  const strange = applied.filter((name) => !known.includes(name));
  if (strange.length > 0) {
    return failed(`Applied by a newer version: ${strange.join(', ')}.`, 'Run that version or a later one.');
  }
  const pending = known.filter((name) => !applied.includes(name));
  if (pending.length === 0) return fine(`All ${known.length} migrations are applied.`);
  return failed(`Not applied yet: ${pending.join(', ')}.`, 'Run `holdfast migrate`, or start the server.');
};

const lookAtDurability = async (pool: pg.Pool): Promise<Look> => {
  const { rows } = await pool.query<Durability>(`select current_setting('fsync') as fsync,
    current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as commit`);
  return judgeDurability(rows[0]!);
};

const lookAtClock = async (pool: pg.Pool): Promise<Look> => {
  const before = Date.now();
  const { rows } = await pool.query<{ ms: string }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`,
  );
  // The best estimate of the database's reading time is the middle of the round trip.
  return judgeSkew(Number(rows[0]!.ms) - (before + Date.now()) / 2);
};

const lookAtRole = async (pool: pg.Pool): Promise<Look> => {
  const { rows } = await pool.query<{ super: boolean }>(
    'select rolsuper as super from pg_roles where rolname = current_user',
  );
  if (rows[0]?.super !== true) return fine('Our role may do only what it was granted.');
  return warning(
    'Our role is a superuser of that PostgreSQL: a flaw of ours would reach its other databases.',
    'Give the service a role of its own that owns its database and nothing else.',
  );
};

const appliedIn = async (pool: pg.Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ there: boolean }>("select to_regclass('schema_migrations') is not null as there");
  if (rows[0]?.there !== true) return [];
  const applied = await pool.query<{ name: string }>('select name from schema_migrations order by name collate "C"');
  return applied.rows.map(({ name }) => name);
};

const lookAtProof = async (books: Books): Promise<Look> => {
  const { holds, checks } = await books.prove();
  if (holds) return fine('Recomputed from every posting: no cent is lost or made.');
  const broken = checks.filter((check) => !check.holds).map(({ detail }) => detail);
  return failed(broken.join(' '), 'Keep the database as it is, and read `holdfast proof`.');
};

const lookAtChains = async (books: Books): Promise<Look> => {
  const marketplaces = await books.marketplaces();
  for (const marketplaceId of marketplaces) {
    const { holds, brokenAt } = await books.verifyChain(marketplaceId);
    if (holds) continue;
    return failed(
      `The audit chain of ${marketplaceId} is broken at entry ${brokenAt}: somebody has changed the database by hand.`,
      'Compare with a backup, and find out who could write to the database.',
    );
  }
  return fine(`The audit chains of ${marketplaces.length} marketplaces hold.`);
};

/** What can be seen at once, and without reading the books. `isOurs`: the embedded one, whose role is its own. */
export const examineDatabase = async (pool: pg.Pool, { isOurs }: { isOurs: boolean }): Promise<Verdict[]> => [
  await named('durability', () => lookAtDurability(pool)),
  await named('clock', () => lookAtClock(pool)),
  ...(isOurs ? [] : [await named('database-role', () => lookAtRole(pool))]),
];

/** `whyNoDevelopmentKey` is null where the server may have one. */
export const examineBooks = async (
  pool: pg.Pool,
  { books, whyNoDevelopmentKey }: { books: Books; whyNoDevelopmentKey: string | null },
): Promise<Verdict[]> => {
  const schema = await named('migrations', async () =>
    judgeMigrations(await books.migrations(), await appliedIn(pool)),
  );
  if (schema.state !== 'ok') {
    const later = unknown('Cannot be said before the schema is up to date.');
    return [schema, ...['proof', 'audit-chain', 'development-keys'].map((name) => ({ name, ...later }))];
  }
  return [
    schema,
    await named('proof', () => lookAtProof(books)),
    await named('audit-chain', () => lookAtChains(books)),
    await named('development-keys', async () =>
      judgeDevelopmentKeys(await books.developmentKeys(), whyNoDevelopmentKey),
    ),
  ];
};

const named = async (name: string, look: () => Promise<Look>): Promise<Verdict> => ({
  name,
  ...(await look().catch((error: unknown) =>
    failed(`It could not be looked at: ${sentence(error)}`, 'See PostgreSQL’s own log.'),
  )),
});
