// Runs the whole scenario of the tenancy tests in two marketplaces, and records every statement of the server.

import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openPool } from '../../server/src/postgres/connection.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import { until } from '../../tools/until.ts';
import { openOrders } from './order-fixture.ts';
import { live, liveBeside, lookAfter, openPlace } from './tenancy-life.ts';
import { askRarely } from './tenancy-rare.ts';
import { overheard, type Sent } from './tenancy-wire.ts';

/** Their ids hash to different partitions. */
export const MARKETPLACES = ['mkt_default', 'mkt_other'] as const;
/** Queues, connections and migrations: their statements read no rows of a marketplace. */
const NOT_WATCHED =
  /\/(commit\/(committer|lane|lane-connection|recovery|migrate|schema-dump|distributed\/[a-z]+)|postgres\/notifier(-connection)?)\.ts$/;
const WATCHED = /\/server\/src\/(base|books|commit|ledger|modules|postgres|stream)\//;
const TALKS = /\.query[(<]|(?:read|find)Across[(<]/;

export const isWatched = (url: string): boolean =>
  WATCHED.test(url) && !NOT_WATCHED.test(url) && TALKS.test(readFileSync(fileURLToPath(url), 'utf8'));

/** By the text of a statement, its first and its last use. */
export type Heard = Map<string, Sent[]>;

const newEar = () => {
  const heard: Heard = new Map();
  const hear = (sent: Sent): void => void heard.set(sent.text, [heard.get(sent.text)?.[0] ?? sent, sent]);
  return { heard, hear };
};

/** On one line, as the lists have it. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const ENV = {
  OPERATION_WAIT_MS: '60000',
  DEPOSIT_POLL_S: '1',
  DEPOSIT_CHECK_S: '1',
  WALLET_ACTIVATIONS_PER_DAY_OVERALL: '1000',
};

export const runScenario = async (t: TestContext, connection: Connection) => {
  const { heard, hear } = newEar();
  const told = overheard(connection, hear);
  const { app, assertSound } = await openOrders(t, { connection: told, env: ENV });
  const places = await Promise.all(MARKETPLACES.map((id) => openPlace(app, id)));
  await Promise.all(places.map(live));
  await liveBeside(app);
  await lookAfter(app);
  const pool = openPool(told, { max: 1, onError() {} });
  await askRarely(pool, MARKETPLACES[0]).finally(() => pool.end());
  return {
    places,
    /** Without the statements from here on, which belong to the test. */
    heard: new Map(heard) as Heard,
    /** A deposit is booked when its wallet has been polled. */
    async assertSettled(): Promise<void> {
      const isSound = () =>
        assertSound().then(
          () => true,
          () => false,
        );
      // What is wrong at the end is shown by the last comparison.
      await until(isSound, 'every deposit is booked').catch(() => {});
      await assertSound();
    },
  };
};
