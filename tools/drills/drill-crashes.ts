// Drills: kill -9 of the server, and of the PostgreSQL in its data folder, under load. A service manager starts the server
// again; nothing else is done.

import { openEmbedded } from './drill-backup.ts';
import { beginLoad, progress, settle } from './load.ts';
import { postgresPid, runService, type Service } from './server.ts';
import { type Drill, forSeconds, type Stage, until } from './stage.ts';

const ROUNDS = 3;
const ACKNOWLEDGED_MIN = 50;

type Kill = (service: Service) => Promise<void>;

const underKills = async (stage: Stage, { kill, seconds }: { kill: Kill; seconds: number }): Promise<void> => {
  const service = await runService(stage, { dataDir: await stage.folder() });
  const load = await beginLoad(stage, service);
  for (let round = 1; round <= ROUNDS; round++) {
    await progress(load, ACKNOWLEDGED_MIN);
    await forSeconds(seconds);
    stage.say(`Round ${round} of ${ROUNDS}: ${load.acknowledged.length} acknowledged, now the kill`);
    await kill(service);
    await service.ready();
  }
  await progress(load, ACKNOWLEDGED_MIN);
  const ends = service.exits.map(({ code, signal }) => signal ?? `code ${code}`).join(', ');
  stage.found('each kill ended the server, and it was started again', {
    holds: service.exits.length === ROUNDS,
    detail: ends,
  });
  await settle(stage, { load, pool: openEmbedded(stage, service.dataDir) });
};

export const killServer: Drill = {
  name: 'kill-server',
  about: 'kill -9 of the server under load, three times',
  seconds: 2,
  play: (stage, { seconds }) => underKills(stage, { seconds, kill: (service) => service.kill('SIGKILL') }),
};

export const killPostgres: Drill = {
  name: 'kill-postgres',
  about: 'kill -9 of the PostgreSQL in the data folder under load, three times',
  seconds: 2,
  play: (stage, { seconds }) =>
    underKills(stage, {
      seconds,
      async kill(service) {
        const before = service.exits.length;
        process.kill((await postgresPid(service.dataDir))!, 'SIGKILL');
        // It logs the error and ends; the service manager decides what happens next.
        await until(() => service.exits.length > before, 'the server ended');
      },
    }),
};
