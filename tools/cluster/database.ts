// The PostgreSQL of all servers: the embedded one in a temporary folder. It waits for the disk, as in production.

import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import type { Stage } from '../drills/stage.ts';

/** For DATABASE_URL. */
export const urlOf = (connection: Connection & { readonly password?: string }): string => {
  const { host, port, user, database, password } = connection;
  const access = { host, user, port: String(port), ...(password === undefined ? {} : { password }) };
  return `postgres:///${database}?${new URLSearchParams(access)}`;
};

/** Where a proxy connects to this PostgreSQL: a host that is a folder has a socket in it. */
export const socketOf = ({ host, port }: Pick<Connection, 'host' | 'port'>) =>
  path.isAbsolute(host) ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port };

/** The most connections of one server: its pool, four lanes, one for notifications, one for jobs. */
const CONNECTIONS_EACH = 16;
/** For an operator: psql, backups, a migration before an upgrade. */
const CONNECTIONS_SPARE = 20;

/** Enough for all servers, and for the successor of each one while the old one still ends. */
export const connectionsFor = (servers: number): number => 2 * servers * CONNECTIONS_EACH + CONNECTIONS_SPARE;

export const startDatabase = async (stage: Stage, servers: number): Promise<EmbeddedPostgres> => {
  const settings = { max_connections: connectionsFor(servers) };
  const postgres = await startEmbeddedPostgres({ dataDir: await stage.folder(), settings, log() {} });
  stage.afterwards(postgres.stop);
  return postgres;
};
