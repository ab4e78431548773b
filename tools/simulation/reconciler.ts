// Has the servers' own reconciliation and their polls of top-ups run now, instead of at their time: through their queue, so whichever
// server is there does it.

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
    asked: (): number => asked,
    async close(): Promise<void> {
      if (started) await boss.stop({ graceful: false });
    },
  };
};
