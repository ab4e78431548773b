// The checks of a starting server: it logs every failed check, and also warnings when other machines can reach it. A job proves the
// books. A check that fails never prevents the start.

import type pg from 'pg';
import { isReachable } from '../../config/reach.ts';
import { examineDatabase } from './database-checks.ts';
import { examineDevelopmentKeyFile } from './development-key-checks.ts';
import { examineMachine } from './machine-checks.ts';
import { examineSettings, type Settings } from './settings-checks.ts';
import type { Verdict } from './verdict.ts';

/** config/dangers.ts already warns about these at every start. */
const SAID_ALREADY = ['order-routes-auth', 'payment-webhook-secret'];

export const worthSaying = (verdicts: readonly Verdict[], { reachable }: { reachable: boolean }): Verdict[] =>
  verdicts
    .filter(({ name }) => !SAID_ALREADY.includes(name))
    .filter(({ state }) => state === 'failed' || (state === 'warning' && reachable));

export const examineAtStart = async (settings: Settings, pool: pg.Pool): Promise<Verdict[]> => {
  const { data, events, database } = settings.config;
  const verdicts = [
    ...examineSettings(settings),
    ...(await examineMachine({ dataDir: data.dir, connectionsMax: events.connectionsMax })),
    await examineDevelopmentKeyFile(settings),
    ...(await examineDatabase(pool, { isOurs: database.url === null })),
  ];
  return worthSaying(verdicts, { reachable: isReachable(settings.config) });
};
