// The PostgreSQL of a test run: the embedded one, the server that TEST_DATABASE_URL names, or a cluster of PostgreSQL with Citus.

import type { Programs } from '../distributed/programs.ts';
import { prepareGivenServer } from './given-server.ts';
import { prepareTemplate, startTestPostgres, type TestPostgres } from './template.ts';

type Opened = { readonly postgres: TestPostgres; stop(): Promise<void> };

/** On a cluster of these programs, in this folder. */
type OnCluster = { readonly programs: Programs; readonly folder: string };

const openEmbedded = async (): Promise<Opened> => {
  const { connection, stop } = await startTestPostgres();
  try {
    return { postgres: await prepareTemplate(connection), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const openCluster = async ({ programs, folder }: OnCluster): Promise<Opened> => {
  // Loaded only for a cluster: most runs have none.
  const { prepareTestCluster } = await import('./test-cluster.ts');
  const { stop, ...postgres } = await prepareTestCluster(programs, folder);
  return { postgres, stop };
};

export const openTestPostgres = async (cluster: OnCluster | null = null): Promise<Opened> => {
  const { TEST_DATABASE_URL } = process.env;
  if (cluster !== null) return openCluster(cluster);
  if (TEST_DATABASE_URL === undefined) return openEmbedded();
  const { stop, ...postgres } = await prepareGivenServer(TEST_DATABASE_URL);
  return { postgres, stop };
};
