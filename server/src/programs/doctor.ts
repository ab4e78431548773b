// The command `npm run doctor`, also `holdfast doctor`: checks settings, machine and database, also while a server is running. --json
// prints the result for programs. Exits with 1 when a check failed.

import { stat } from 'node:fs/promises';
import { proveBooks } from '../books/proof.ts';
import type { Submit } from '../commit/command.ts';
import { MIGRATIONS, readMigrations } from '../commit/migrate.ts';
import { type Config, readConfig } from '../config/config.ts';
import { whyNoDevelopmentKey } from '../config/reach.ts';
import { readDepositLag } from '../ledger/deposits/lag.ts';
import { createHoldReads } from '../ledger/holds/queries.ts';
import { createApiKeyReads } from '../modules/api-keys/queries.ts';
import { createAuditReads } from '../modules/audit/queries.ts';
import { createFloatReads } from '../modules/float/queries.ts';
import { resealPartsOf } from '../modules/wallet-keys/wire.ts';
import { clusterFolder } from '../postgres/cluster.ts';
import { openPool } from '../postgres/connection.ts';
import { openCommandDatabase } from '../postgres/for-command.ts';
import { wantsSandbox } from '../providers/providers.ts';
import { type Books, checkBooks, checkDatabase } from './doctor/database-checks.ts';
import { checkDevelopmentKeyFile } from './doctor/development-key-checks.ts';
import { checkDocuments } from './doctor/document-checks.ts';
import { checkMachine } from './doctor/machine-checks.ts';
import { checkSettings } from './doctor/settings-checks.ts';
import { failed, fine, isHealthy, linesOf, unknown, type Verdict } from './doctor/verdict.ts';
import { inspectWalletKeys } from './doctor/wallet-key-checks.ts';

/** The checks only read. */
const submitNothing: Submit = () => Promise.reject(new Error('the doctor changes nothing'));

const checkAll = async (config: Config): Promise<Verdict[]> => [
  ...checkSettings({ config, sandboxIsOn: wantsSandbox(config) }),
  ...(await checkMachine({ dataDir: config.data.dir, connectionsMax: config.events.connectionsMax })),
  ...(await checkDocuments(config)),
  await checkDevelopmentKeyFile({ config, sandboxIsOn: wantsSandbox(config) }),
  ...(await checkInDatabase(config)),
];

// An embedded PostgreSQL that does not exist yet is not created for the checks.
const checkInDatabase = async (config: Config): Promise<Verdict[]> => {
  const { data, database } = config;
  const isOurs = database.url === null;
  if (isOurs && (await stat(clusterFolder(data.dir)).catch(() => null)) === null) {
    return [{ name: 'database', ...unknown('There is no database yet. The first start creates it.') }];
  }
  try {
    const { connection, close } = await openCommandDatabase({ url: database.url, dataDir: data.dir });
    const pool = openPool(connection, { max: 2, onError: () => {} });
    try {
      await pool.query('select 1');
      const audit = createAuditReads(pool);
      const books: Books = {
        migrations: async () => (await readMigrations(MIGRATIONS)).map(({ name }) => name),
        prove: () => proveBooks(pool, null),
        marketplaces: audit.marketplaces,
        verifyChain: audit.verifyChain,
        credit: createFloatReads(pool).credit,
        holds: createHoldReads(pool).summary,
        depositLag: () => readDepositLag(pool),
        walletKeys: () => inspectWalletKeys(config, (ring) => resealPartsOf({ ring, pool, submit: submitNothing })),
        developmentKeys: async () => (await createApiKeyReads(pool).listActiveDevelopment()).map(({ keyId }) => keyId),
      };
      return [
        { name: 'database', ...fine('The database answers.') },
        ...(await checkDatabase(pool, { isOurs })),
        ...(await checkBooks(pool, {
          books,
          whyNoDevelopmentKey: whyNoDevelopmentKey({ config, sandboxIsOn: wantsSandbox(config) }),
        })),
      ];
    } finally {
      await pool.end();
      await close();
    }
  } catch (error) {
    const detail = `The database does not answer: ${error instanceof Error ? error.message : String(error)}`;
    return [{ name: 'database', ...failed(detail, 'Check DATABASE_URL, and check that PostgreSQL is running.') }];
  }
};

const read = readConfig(process.env);
const verdicts: Verdict[] = read.ok
  ? await checkAll(read.config)
  : read.problems.map((problem) => ({ name: 'settings', ...failed(problem, 'See docs/settings.md.') }));
const ok = isHealthy(verdicts);
const text = process.argv.includes('--json') ? JSON.stringify({ ok, checks: verdicts }) : linesOf(verdicts).join('\n');
process.stdout.write(`${text}\n`);
process.exitCode = ok ? 0 : 1;
