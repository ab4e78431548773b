// The one PostgreSQL of all servers: the project's own in a temporary folder, waiting for the disk as it does for real money.

import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import type { Stage } from '../drills/stage.ts';

/** For DATABASE_URL. */
export const urlOf = ({ host, port, user, database }: Connection): string =>
  `postgres:///${database}?host=${encodeURIComponent(host)}&user=${user}&port=${port}`;

/** What one server may hold at most: its pool, four lanes, one for news, one for jobs. */
const CONNECTIONS_EACH = 16;
/** For whoever looks: psql, backups, a migration before an upgrade. */
const CONNECTIONS_SPARE = 20;

/** Room for all servers at once, and for each one's successor while it still ends. */
export const connectionsFor = (servers: number): number => 2 * servers * CONNECTIONS_EACH + CONNECTIONS_SPARE;

export const startDatabase = async (stage: Stage, servers: number): Promise<EmbeddedPostgres> => {
  const settings = { max_connections: connectionsFor(servers) };
  const postgres = await startEmbeddedPostgres({ dataDir: await stage.folder(), settings, log() {} });
  stage.afterwards(postgres.stop);
  return postgres;
};
