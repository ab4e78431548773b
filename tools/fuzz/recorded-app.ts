// A whole server like that of tests/support/app.ts, of which every log line is kept: at debug, as an operator would
// have it while looking for something. What it holds secret is known here, so that a test can search for it.

import pg from 'pg';
import { composeServer } from '../../server/src/compose.ts';
import { type Env, readConfig } from '../../server/src/config/config.ts';
import { createLog } from '../../server/src/observability/logs.ts';
import { NO_TRACING } from '../../server/src/observability/tracing.ts';
import { logCalls } from '../../server/src/providers/call-record.ts';
import { openProviders } from '../../server/src/providers/providers.ts';
import { startSandboxServer } from '../../server/src/providers/sandbox-server.ts';
import { createDatabase } from '../test-database/database.ts';

export const SECRETS = {
  masterKey: 'master_of-the-loud-server-5b1c77e09d3f42a8',
  jwtSecret: 'a-signing-secret-of-the-loud-server-0f9e8d7c',
  kek: Buffer.from('a key-encryption key of 32 bytes', 'latin1'),
  paymentWebhook: `whsec_${Buffer.from('payment webhooks are signed').toString('base64')}`,
  escrowWebhook: 'whsec_escrow-webhooks-are-signed-with-this-0123456789',
} as const;

export type LoudApp = {
  readonly url: string;
  readonly sandboxUrl: string;
  /** Every line of the log so far. */
  readonly lines: readonly string[];
  readonly connection: pg.ClientConfig;
  // biome-ignore lint/suspicious/noExplicitAny: rows of any table
  sql(text: string, values?: unknown[]): Promise<any[]>;
  close(): Promise<void>;
};

export const startLoudApp = async (env: Env = {}): Promise<LoudApp> => {
  const database = await createDatabase();
  const { connection } = database;
  const read = readConfig({
    PORT: '0',
    SANDBOX_PORT: '0',
    LOG_LEVEL: 'debug',
    RATE_LIMIT_MAX: '1000000',
    WEBHOOK_RATE_LIMIT_MAX: '1000000',
    PAYMENT_WEBHOOK_SECRET: SECRETS.paymentWebhook,
    ESCROW_WEBHOOK_SECRET: SECRETS.escrowWebhook,
    ...env,
  });
  if (!read.ok) throw new Error(read.problems.join(' '));
  const { config } = read;
  const lines: string[] = [];
  const log = createLog({
    level: config.observe.logLevel,
    destination: { write: (line: string) => void lines.push(line) },
  });
  const sandbox = await startSandboxServer(config, { stateFile: null });
  const server = await composeServer({
    secrets: {
      masterKey: SECRETS.masterKey,
      jwtSecrets: [SECRETS.jwtSecret],
      walletKeks: [{ version: 1, key: SECRETS.kek }],
    },
    providers: openProviders(config, { sandboxUrl: sandbox.url, onCall: logCalls(log) }),
    config,
    sandbox,
    connection,
    log,
    tracing: NO_TRACING,
  });
  const url = await server.listen();
  const pool = new pg.Pool({ ...connection, max: 1 });
  pool.on('error', () => {});
  return {
    url,
    sandboxUrl: sandbox.url,
    lines,
    connection,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    async close() {
      await server.close();
      await sandbox.close();
      await pool.end();
      await database.drop();
    },
  };
};
