// Has the servers' own reconciliation look now, instead of at its hour: through their queue, so whichever server is there
// does it.

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
  return {
    async look(): Promise<void> {
      started ??= boss.start();
      await started;
      // Null: it is asked for already.
      if (await boss.send('reconcile')) asked++;
    },
    asked: (): number => asked,
    async close(): Promise<void> {
      if (started) await boss.stop({ graceful: false });
    },
  };
};
