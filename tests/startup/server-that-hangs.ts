// A server process for tests to kill: starts PostgreSQL in the folder it is given, says its process id, and stays.

import { startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';

const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2]!, log: () => {} });
process.once('SIGTERM', () => postgres.stop());
console.log(postgres.pid);
