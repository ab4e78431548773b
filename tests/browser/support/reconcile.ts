// Runs the reconciliation job now, which otherwise runs every ten minutes.

import { PgBoss } from 'pg-boss';
import { until } from '../../../tools/until.ts';
import type { TestApp } from '../../support/app.ts';

export const reconcile = async (app: TestApp): Promise<void> => {
  const boss = new PgBoss({ ...(app.connection as object), schema: 'pgboss', supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  const id = await boss.send('reconcile');
  await until(async () => {
    const [job] = await app.sql("select state from pgboss.job where name = 'reconcile' and id = $1", [id]);
    return job?.state === 'completed';
  }, 'the reconciliation job has completed');
  await boss.stop({ graceful: false });
};
