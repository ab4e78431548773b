// Kills servers, simulators and PostgreSQL at planned points and starts them again. A process that does not start again is a
// violation.

import type { Journal } from './journal.ts';
import type { Kill } from './plan.ts';
import { retryUntil } from './retry.ts';
import type { Server } from './servers.ts';
import type { Simulators } from './simulators.ts';

type Targets = {
  readonly journal: Journal;
  readonly servers: readonly Server[];
  readonly start: (server: Server) => Promise<void>;
  readonly simulators: Simulators;
  readonly database: { killNow(): Promise<void> };
};

export const openKills = ({ journal, servers, start, simulators, database }: Targets) => {
  /** Processes that were killed and do not run again yet. */
  let down = 0;
  const counts = { servers: 0, simulatorSets: 0, databases: 0 };
  let requests = 0;
  /** The request at which PostgreSQL is killed. */
  let databaseKillAt: number | null = null;

  const comeBack = async (what: keyof typeof counts, work: () => Promise<void>): Promise<void> => {
    down++;
    counts[what]++;
    try {
      await work();
    } catch (error) {
      journal.violate(`${what} did not come back: ${error instanceof Error ? error.message : error}`);
    } finally {
      down--;
    }
  };
  const note = (call: string): void => journal.note({ tag: '-', call, outcome: 'acknowledged', told: '' });
  const killServer = (which: number): void => {
    const server = servers[which]!;
    note(`kill server ${which}`);
    void comeBack('servers', async () => {
      await server.program?.kill();
      await start(server);
    });
  };
  const killDatabase = (): void => {
    note('kill PostgreSQL');
    void comeBack('databases', database.killNow);
  };
  const killSimulators = (): void => {
    note('kill the simulators');
    void comeBack('simulatorSets', simulators.killNow);
  };
  const allRunning = (): Promise<void> => retryUntil(() => down === 0, 'all killed processes run again');

  return {
    /** How often each kind of process was killed. */
    counts,

    /** Counts a request of a client: PostgreSQL is killed at a planned one. */
    onRequest(): void {
      if (++requests === databaseKillAt) killDatabase();
    },

    arm(kills: readonly Kill[]): void {
      for (const kill of kills) {
        if (kill.what === 'server') {
          const { which, at, when } = kill;
          servers[which]?.commitProxy?.arm({ at, when }, () => killServer(which));
        } else if (kill.what === 'database') {
          databaseKillAt = requests + kill.at;
        } else {
          simulators.armKill(kill.at, killSimulators);
        }
      }
    },

    /** Kills no more processes, and waits until all of them run again. */
    async disarm(): Promise<void> {
      for (const { commitProxy } of servers) commitProxy?.disarm();
      simulators.disarm();
      databaseKillAt = null;
      await allRunning();
    },

    /** Kills a server and waits until it runs again. A server that starts runs at once the work that otherwise waits for its schedule. */
    async restart(which: number): Promise<void> {
      killServer(which);
      await allRunning();
    },

    allRunning,
  };
};
