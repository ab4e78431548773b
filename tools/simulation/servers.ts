// The servers of an environment, each a process of its own with a data folder of its own. A server that may be killed at a commit
// reaches PostgreSQL through a proxy that counts its commits.

import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import { urlOf } from '../cluster/database.ts';
import { archiveDir } from './archives/archives.ts';
import { STREAMS_PER_MARKETPLACE } from './attackers/stream-hoarder.ts';
import { type CommitProxy, openCommitProxy } from './commit-proxy.ts';
import type { Plan } from './plan.ts';
import { type Program, SERVER, startProgram } from './programs.ts';
import { SECRETS, type Simulators } from './simulators.ts';

export const MASTER_KEY = 'master_of-the-simulation-0123456789abcdef';

/** The address that clients know. The environment sends each request to one of the servers. */
export const FRONT = 'http://holdfast';

export type Server = {
  readonly dataDir: string;
  readonly commitProxy: CommitProxy | null;
  program: Program | null;
  url: string;
};

export const settingsOf = ({ facts }: Simulators, { depositPollS }: Plan): Record<string, string> => ({
  // Only its clock is used, which deadlines follow: every outside system has the address of the simulators that all servers share.
  SANDBOX: 'on',
  SANDBOX_PORT: '0',
  PORT: '0',
  LOG_LEVEL: 'error',
  MASTER_KEY,
  RATE_LIMIT_MAX: '10000000',
  // Providers and attackers have the same address here.
  WEBHOOK_RATE_LIMIT_MAX: '10000000',
  JWT_SECRET: 'a-secret-of-the-simulation-0123456789abcdef',
  WALLET_KEK: `1:${createHash('sha256').update('wallets of the simulation').digest('base64')}`,
  ESCROW_PROVIDER_URL: facts.urls.escrow,
  LEDGER_URL: facts.urls.ledger,
  PAYMENT_PROVIDER_URL: facts.urls.payment,
  ESCROW_FACTORY_SINGLE: facts.factories['single-release']!,
  ESCROW_FACTORY_MULTI: facts.factories['multi-release']!,
  ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
  LEDGER_RATE_PER_MINUTE: '0',
  PAYMENT_PROVIDER_RATE_PER_SECOND: '0',
  PAYMENT_WEBHOOK_SECRET: SECRETS.payment,
  ESCROW_WEBHOOK_SECRET: SECRETS.escrow,
  PROVIDER_TIMEOUT_MS: '3000',
  OPERATION_WAIT_MS: '9000',
  DEPOSIT_POLL_S: String(depositPollS),
  DEPOSIT_CHECK_S: String(2 * depositPollS),
  // The two readers of a marketplace need fewer.
  SSE_CONNECTIONS_PER_MARKETPLACE_MAX: String(STREAMS_PER_MARKETPLACE),
  PUBLIC_URL: FRONT,
});

/** Gives the running servers in turn; null while none is running. */
export const inTurn = (servers: readonly Server[]): (() => Server | null) => {
  let turn = 0;
  return () => {
    const running = servers.filter(({ program }) => program?.isAlive());
    return running[turn++ % Math.max(running.length, 1)] ?? null;
  };
};

/** A server that is not started yet. */
export const prepareServer = async (
  plan: Plan,
  { folder, connection }: { folder: string; connection: Connection },
): Promise<Server> => {
  const { host, port } = connection;
  const commitProxy = plan.hasCrashes ? await openCommitProxy({ host, port }) : null;
  return { dataDir: await mkdtemp(path.join(folder, 'server-')), commitProxy, program: null, url: FRONT };
};

/** Servers have a data folder each, and one folder of archives together. */
const foldersOf = ({ dataDir }: Server) => ({ DATA_DIR: dataDir, ARCHIVE_DIR: archiveDir(path.dirname(dataDir)) });

type Starting = {
  readonly connection: Connection;
  readonly env: Record<string, string>;
  readonly onStart: (server: Server) => Promise<void>;
};

/** Starts a server for the first time or after a kill, with the same settings. */
export const starterOf = ({ connection, env, onStart }: Starting) => {
  return async (server: Server): Promise<void> => {
    const through = server.commitProxy ? { host: '127.0.0.1', port: server.commitProxy.port } : {};
    const DATABASE_URL = urlOf({ ...connection, ...through });
    const how = { file: SERVER, folder: server.dataDir, ready: /API\s+(http:\S+)\/api\/v1/ };
    const program = await startProgram({ ...how, env: { ...env, ...foldersOf(server), DATABASE_URL } });
    server.url = program.ready;
    server.program = program;
    await onStart(server);
  };
};

export const endServers = async (servers: readonly Server[]): Promise<void> => {
  for (const { program, commitProxy } of servers) {
    await program?.kill();
    commitProxy?.close();
  }
};

type Stopped = { readonly start: (server: Server) => Promise<void>; work(): Promise<void> };

/** Stops all servers, without a word to them, for the time of this work. */
export const whileStopped = async (servers: readonly Server[], { start, work }: Stopped): Promise<void> => {
  await Promise.all(servers.map(({ program }) => program?.kill()));
  await work();
  await Promise.all(servers.map(start));
};
