// Starts the service: settings, secrets, database, server. Stops them in the opposite order on a signal.

import { composeServer, type Server } from './compose.ts';
import { type Config, readConfig } from './config/config.ts';
import { warningsOf } from './config/dangers.ts';
import { whyNoDevelopmentKey } from './config/reach.ts';
import { loadSecrets, openDataDir } from './config/secrets.ts';
import { buildConsole, CONSOLE_FOLDER } from './http/console/build.ts';
import { openConsoleSite } from './http/console/site.ts';
import { keySourceOf } from './ledger/keys/key-sources.ts';
import { keepDevelopmentKey, withdrawDevelopmentKeys } from './modules/api-keys/development-keys.ts';
import { createLog, type Log, writeLastWords } from './observability/logs.ts';
import { startTracing } from './observability/tracing.ts';
import { type Connection, openPool } from './postgres/connection.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres/embedded.ts';
import { findRestored, unmarkRestored } from './postgres/restored.ts';
import { checkAtStart } from './programs/doctor/start-checks.ts';
import { logCalls } from './providers/call-record.ts';
import { openProviders, wantsSandbox } from './providers/providers.ts';
import { startSandboxServer } from './providers/sandbox-server.ts';
import { showWelcome } from './welcome.ts';

const fail = (lines: readonly string[]): never => {
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exit(1);
};

const configured = (): Config => {
  const read = readConfig(process.env);
  if (read.ok) return read.config;
  return fail(['Holdfast cannot start with these settings:', ...read.problems.map((problem) => `  - ${problem}`)]);
};

/** Logs the failed checks of the doctor that can be checked quickly. */
const warnOfWeaknesses = async (config: Config, { connection, log }: { connection: Connection; log: Log }) => {
  const pool = openPool(connection, { max: 1, onError: () => {} });
  const settings = { config, sandboxIsOn: wantsSandbox(config) };
  for (const { name, detail, remedy } of await checkAtStart(settings, pool)) {
    log.warn({ check: name }, [detail, remedy].filter(Boolean).join(' '));
  }
  await pool.end();
};

type Listening = {
  readonly address: string;
  readonly developmentKey: string | null;
  readonly firstAdminUrl: string | null;
};

/** The start leaves 30 MB of garbage, which V8 keeps for as long as the server is idle. Only this kind of collection gives it back. */
const returnGarbage = (): void => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });

/** With the development key where the settings allow one; everywhere else such keys are revoked before the first request. */
const listen = async (
  server: Server,
  { config, sandboxIsOn, log }: { config: Config; sandboxIsOn: boolean; log: Log },
): Promise<Listening> => {
  returnGarbage();
  const parts = { dataDir: config.data.dir, keys: server.developmentKeys, log };
  const why = whyNoDevelopmentKey({ config, sandboxIsOn });
  if (why !== null) {
    await withdrawDevelopmentKeys({ ...parts, why });
    const address = await server.listen();
    return { address, developmentKey: null, firstAdminUrl: await server.firstAdminUrl() };
  }
  const address = await server.listen();
  const marketplaceId = config.sandbox.keyMarketplace;
  const developmentKey = await keepDevelopmentKey({ ...parts, url: address, marketplaceId });
  return { address, developmentKey, firstAdminUrl: await server.firstAdminUrl() };
};

const databaseOf = (embedded: EmbeddedPostgres | null, config: Config) =>
  embedded
    ? { connection: embedded.connection, hasDatabaseEnded: embedded.hasEnded }
    : { connection: { connectionString: config.database.url! } };

const start = async (): Promise<void> => {
  const config = configured();
  const log = createLog({ level: config.observe.logLevel });
  for (const warning of warningsOf(config)) log.warn(warning);
  await openDataDir(config.data.dir);
  const kekIsElsewhere = config.walletKeys.source !== 'settings';
  const secrets = await loadSecrets({ dataDir: config.data.dir, keys: config.keys, kekIsElsewhere });
  for (const note of secrets.notes) log.warn(note);

  // Started parts are stopped in the opposite order, also when the start is interrupted.
  const running: { name: string; stop(): Promise<unknown> }[] = [];
  let stopping: Promise<void> | null = null;
  const stopAll = async (code: number): Promise<void> => {
    for (const { name, stop } of running.reverse()) {
      const stopped = () => log.info(`the ${name} stopped`);
      await stop().then(stopped, (error) => log.error({ err: error }, `the ${name} did not stop cleanly`));
    }
    log.info('stopped');
    process.exitCode = code;
    await writeLastWords();
    // The process does not wait for handles that are still open.
    setTimeout(() => process.exit(code), 500).unref();
  };
  const stop = (reason: string, code: number): Promise<void> => {
    if (!stopping) log.info({ reason }, 'stopping: what is in flight is finished first');
    stopping ??= stopAll(code);
    return stopping;
  };
  // A second signal does not end the process at once: that would leave the embedded PostgreSQL running, and stopping has a time limit.
  process.on('SIGINT', () => void stop('SIGINT', 0));
  process.on('SIGTERM', () => void stop('SIGTERM', 0));

  const tracing = await startTracing({
    endpoint: config.observe.otlpEndpoint,
    serviceName: config.observe.serviceName,
  });
  running.push({ name: 'tracing', stop: tracing.stop });
  const embedded: EmbeddedPostgres | null =
    config.database.url === null
      ? await startEmbeddedPostgres({ dataDir: config.data.dir, log: (message: string) => log.info(message) })
      : null;
  if (embedded) running.push({ name: 'database', stop: embedded.stop });
  const sandbox = wantsSandbox(config) ? await startSandboxServer(config) : null;
  if (sandbox) running.push({ name: 'sandbox', stop: sandbox.close });

  try {
    const providers = openProviders(config, { sandboxUrl: sandbox?.url ?? null, onCall: logCalls(log) });
    const database = databaseOf(embedded, config);
    const consoleSite = openConsoleSite(CONSOLE_FOLDER);
    const server = await composeServer({
      restored: await findRestored(config.data.dir),
      config,
      secrets,
      keySource: keySourceOf(config),
      ...database,
      log,
      tracing,
      providers,
      consoleSite,
      ...(sandbox ? { sandbox } : {}),
    });
    running.push({ name: 'server', stop: server.close });
    // From now on the hold is a row of the database.
    await unmarkRestored(config.data.dir);
    void embedded?.exited.then(() => {
      if (stopping) return;
      log.fatal('PostgreSQL ended on its own; see postgres.log in the data folder, then start again');
      void stop('PostgreSQL ended', 1);
    });
    const listening = await listen(server, { config, sandboxIsOn: sandbox !== null, log });
    running.push({ name: 'console', stop: buildConsole({ site: consoleSite, log }).stop });
    const masterKey = secrets.created.includes('MASTER_KEY') ? secrets.masterKey : null;
    showWelcome({ ...listening, config, sandboxUrl: sandbox?.url ?? null, masterKey });
    await warnOfWeaknesses(config, { connection: database.connection, log });
  } catch (error) {
    if (stopping) return;
    await stop('the start failed', 1);
    throw error;
  }
};

/** Wrong password, role not allowed, no such database. */
const NOT_ADMITTED = ['28P01', '28000', '3D000'];

const sentenceOf = (error: unknown): string => {
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop it, or choose another: PORT for the server, SANDBOX_PORT for the sandbox.`;
  }
  const message = error instanceof Error ? error.message : String(error);
  return NOT_ADMITTED.includes(code ?? '')
    ? `PostgreSQL refused the connection: ${message}. Check DATABASE_URL.`
    : message;
};

await start().catch((error: unknown) => fail([sentenceOf(error)]));
