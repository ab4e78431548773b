// A database as a backup of this moment would restore it, while its server goes on and pays more.

import type { TestContext } from 'node:test';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { copyDatabase } from '../../tools/test-database/database.ts';
import { MASTER_KEY, startApp, type TestApp } from './app.ts';

type Backed = {
  readonly app: TestApp;
  readonly env: Record<string, string>;
  /** Tells the simulators where to send webhooks. */
  listenAt(app: TestApp): void;
};

/** The database as it is now, and the same server that goes on without it. */
export const openBackup = async (t: TestContext, { app, env, listenAt }: Backed) => {
  await app.close();
  const copy = await copyDatabase(app.connection);
  const takenAt = new Date().toISOString();
  afterwards(t, () => copy.drop());
  const later = await startApp(t, { env, connection: app.connection });
  listenAt(later);
  return {
    later,
    /** The later server is lost, and a server starts on the older database: on hold, if it knows that it was restored. */
    async restore({ knows = false } = {}): Promise<TestApp> {
      await later.close();
      const restored = knows ? { restored: { takenAt } } : {};
      const server = await startApp(t, { env, connection: copy.connection, ...restored });
      listenAt(server);
      return server;
    },
  };
};

/** What an operator sees with `holdfast payments status`. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would
export const readHold = async (app: TestApp): Promise<any> =>
  (await app.call('GET /payments/hold', { key: MASTER_KEY })).body.data;

export const releasePayments = (app: TestApp, body: Record<string, unknown> = {}) =>
  app.call('POST /payments/release', { key: MASTER_KEY, body });
