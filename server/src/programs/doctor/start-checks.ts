// The checks of a starting server: it logs every failed check, and also warnings when other machines can reach it. A job proves the
// books. A check that fails never prevents the start.

import type pg from 'pg';
import { isReachable } from '../../config/reach.ts';
import { checkDatabase } from './database-checks.ts';
import { checkDevelopmentKeyFile } from './development-key-checks.ts';
import { checkMachine } from './machine-checks.ts';
import { checkSettings, type Settings } from './settings-checks.ts';
import type { Verdict } from './verdict.ts';

/** config/dangers.ts already logs these at every start. */
const LOGGED_ELSEWHERE = ['order-routes-auth', 'payment-webhook-secret'];

export const verdictsToLog = (verdicts: readonly Verdict[], { reachable }: { reachable: boolean }): Verdict[] =>
  verdicts
    .filter(({ name }) => !LOGGED_ELSEWHERE.includes(name))
    .filter(({ state }) => state === 'failed' || (state === 'warning' && reachable));

export const checkAtStart = async (settings: Settings, pool: pg.Pool): Promise<Verdict[]> => {
  const { data, events, database } = settings.config;
  const verdicts = [
    ...checkSettings(settings),
    ...(await checkMachine({ dataDir: data.dir, connectionsMax: events.connectionsMax })),
    await checkDevelopmentKeyFile(settings),
    ...(await checkDatabase(pool, { isOurs: database.url === null })),
  ];
  return verdictsToLog(verdicts, { reachable: isReachable(settings.config) });
};
