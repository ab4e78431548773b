// Runs jobs of the servers now instead of at their scheduled time: the reconciliation, the polls of top-ups and the move of fees. The jobs
// go through the servers' queue, so any running server takes them.

import { PgBoss } from 'pg-boss';
import type { Connection } from '../../server/src/postgres/postmaster.ts';

export const openReconciler = (connection: Connection) => {
  // It only asks: it does not watch, plan or take over other jobs.
  const boss = new PgBoss({
    ...connection,
    schema: 'pgboss',
    max: 1,
    supervise: false,
    schedule: false,
    migrate: false,
  });
  boss.on('error', () => {});
  let started: Promise<unknown> | null = null;
  let asked = 0;
  const send = async (job: string): Promise<string | null> => {
    started ??= boss.start();
    await started;
    return boss.send(job);
  };
  return {
    async look(): Promise<void> {
      // Null: it is asked for already.
      if (await send('reconcile')) asked++;
    },
    pollTopups: async (): Promise<void> => void (await send('refresh-topups')),
    /** Has no effect while PostgreSQL is down. */
    sweepFees: (): Promise<void> =>
      send('sweep-fees').then(
        () => {},
        () => {},
      ),
    asked: (): number => asked,
    async close(): Promise<void> {
      if (started) await boss.stop({ graceful: false });
    },
  };
};
