// What a run of load stands on: the server as anybody starts it, the simulators of the outside systems in a process of their own
// that sends its webhooks to the server, and a look into the database. Everything is gone afterwards.

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { type Connection, openPool } from '../../server/src/postgres/connection.ts';
import { runningConnection } from '../../server/src/postgres/for-command.ts';
import { freePort } from '../drills/server.ts';
import { type Program, startProgram } from './programs.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SERVER = path.join(ROOT, 'server/src/main.ts');
const SIMULATORS = path.join(ROOT, 'tools/simulation/simulators-process.ts');

const PAYMENT_SECRET = `whsec_${Buffer.from('a secret of the payments under load').toString('base64')}`;
const ESCROW_SECRET = 'whsec_of-the-escrows-under-load';

/** No rate limits: the run itself decides how many requests it sends. */
const OPEN = {
  RATE_LIMIT_MAX: '10000000',
  WEBHOOK_RATE_LIMIT_MAX: '10000000',
  LOGIN_FAILURES_MAX: '1000',
  ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
  LEDGER_RATE_PER_MINUTE: '0',
  PAYMENT_PROVIDER_RATE_PER_SECOND: '0',
  SANDBOX: 'off',
  LOG_LEVEL: 'warn',
  DEPOSIT_POLL_S: '30',
};

export type Simulators = {
  /** Of the control API, through which the outside world does things. */
  readonly control: string;
  /** An address on the ledger that is none of ours. */
  readonly stranger: string;
};

export type Fixture = {
  readonly url: string;
  readonly masterKey: string;
  readonly server: Program;
  /** Null for a run without outside systems. */
  readonly sandbox: Program | null;
  readonly simulators: Simulators | null;
  readonly pool: pg.Pool;
  readonly folder: string;
};

export type FixtureOptions = {
  readonly withSandbox: boolean;
  /** Instead of a PostgreSQL of the server's own. */
  readonly database?: Connection;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
  /** The program of another version of the server. */
  readonly main?: string;
};

const databaseUrl = ({ host, user, port, database }: Connection): string =>
  `postgres:///${database}?${new URLSearchParams({ host: String(host), user: String(user), port: String(port) })}`;

const startSimulators = (
  cleanUp: AsyncDisposableStack,
  { folder, webhookUrl }: { folder: string; webhookUrl: string },
) =>
  startProgram(
    {
      file: SIMULATORS,
      folder,
      ready: /SIMULATORS (\{.*\})/,
      logFile: path.join(folder, 'sandbox.log'),
      env: {
        SIMULATORS_PORT: '0',
        SIMULATORS_STATE: path.join(folder, 'sandbox.jsonl'),
        SIMULATORS_WEBHOOK_URL: webhookUrl,
        SIMULATORS_SPELLING: 'native',
        SIMULATORS_PAYMENT_SECRET: PAYMENT_SECRET,
        SIMULATORS_ESCROW_SECRET: ESCROW_SECRET,
      },
    },
    cleanUp,
  );

type Facts = {
  readonly urls: Readonly<Record<'escrow' | 'payment' | 'ledger' | 'control', string>>;
  readonly stranger: string;
  readonly factories: Readonly<Record<string, string>>;
};

const simulatorsSettings = ({ urls, factories }: Facts): Record<string, string> => ({
  ESCROW_PROVIDER_URL: urls.escrow,
  LEDGER_URL: urls.ledger,
  PAYMENT_PROVIDER_URL: urls.payment,
  ESCROW_FACTORY_SINGLE: factories['single-release']!,
  ESCROW_FACTORY_MULTI: factories['multi-release']!,
  PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
  ESCROW_WEBHOOK_SECRET: ESCROW_SECRET,
});

export const openFixture = async (cleanUp: AsyncDisposableStack, options: FixtureOptions): Promise<Fixture> => {
  const folder = await mkdtemp(path.join(await realpath(os.tmpdir()), 'holdfast-load-'));
  // Other accounts may walk through it: PostgreSQL runs as one of them.
  await chmod(folder, 0o711);
  cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const masterKey = `master_${randomBytes(24).toString('hex')}`;

  const sandbox = options.withSandbox
    ? await startSimulators(cleanUp, { folder, webhookUrl: `${url}/api/v1/webhooks` })
    : null;
  const facts = sandbox ? (JSON.parse(sandbox.ready) as Facts) : null;

  const dataDir = path.join(folder, 'data');
  const server = await startProgram(
    {
      file: options.main ?? SERVER,
      folder,
      ready: /API\s+(http:\S+)\/api\/v1/,
      logFile: path.join(folder, 'server.log'),
      nodeOptions: options.nodeOptions ?? [],
      env: {
        ...OPEN,
        DATA_DIR: dataDir,
        PORT: String(port),
        MASTER_KEY: masterKey,
        ...(facts ? simulatorsSettings(facts) : {}),
        ...(options.database ? { DATABASE_URL: databaseUrl(options.database) } : {}),
        ...options.env,
      },
    },
    cleanUp,
  );
  const connection = options.database ?? (await runningConnection(dataDir));
  if (!connection) throw new Error('the database of the server does not answer');
  const pool = openPool(connection, { max: 2, onError() {} });
  cleanUp.defer(() => pool.end());
  const simulators = facts ? { control: facts.urls.control, stranger: facts.stranger } : null;
  return { url, masterKey, server, sandbox, simulators, pool, folder };
};
