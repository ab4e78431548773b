// A whole environment for one seed: a database, the simulators, one or several servers as processes of their own, a relay of webhooks
// between them, and a client of each marketplace that reaches any running server. Servers that are killed are started again.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Scope } from '@holdfast/contract/scopes.ts';
import { Holdfast } from '@holdfast/sdk';
import type pg from 'pg';
import { openPool } from '../../server/src/postgres/connection.ts';
import { markRestored } from '../../server/src/postgres/restored.ts';
import { judge } from './answers.ts';
import { openArchives } from './archives/archives.ts';
import { openEnvironmentDatabase } from './database.ts';
import type { Journal } from './journal.ts';
import { openKills } from './kills.ts';
import type { Plan } from './plan.ts';
import { openDeadlineClock } from './policies/deadline-clock.ts';
import { withRequestIds } from './previews/request-ids.ts';
import { type Random, randomOf } from './random.ts';
import { openReconciler } from './reconciler.ts';
import {
  endServers,
  FRONT,
  inTurn,
  MASTER_KEY,
  prepareServer,
  type Server,
  settingsOf,
  starterOf,
  whileStopped,
} from './servers.ts';
import { type Any, openSimulators } from './simulators.ts';
import { openWebhookRelay } from './webhook-relay.ts';

export type Environment = Awaited<ReturnType<typeof openEnvironment>>;

/** A folder, a database, connections to it, and what requests reconciliations. */
const openStorage = async (plan: Plan, stack: AsyncDisposableStack) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-simulation-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const database = await openEnvironmentDatabase({ own: plan.hasOwnDatabase });
  stack.defer(() => database.drop());
  const pool: pg.Pool = openPool(database.connection, { max: 4, onError() {} });
  stack.defer(() => pool.end());
  const reconciler = openReconciler(database.connection);
  stack.defer(() => reconciler.close());
  return { folder, database, pool, reconciler };
};

type Outside = {
  random: Random;
  folder: string;
  nextServer: () => Server | null;
  journal: Journal;
  isRestored: () => boolean;
};

/** The simulators, and the relay that brings their webhooks to a running server. */
const openOutside = async (
  { random, folder, nextServer, journal, isRestored }: Outside,
  stack: AsyncDisposableStack,
) => {
  const webhookRelay = await openWebhookRelay({
    random: random.fork('webhook relay'),
    server: () => nextServer()?.url ?? null,
    onRefusal({ path: route }, { status, text }) {
      // 401 is expected: the simulators forge signatures, and a held webhook can be too old. 503 is expected too: a server
      // without its database requests another delivery.
      const finding = judge(status, text);
      if (isRestored() && status === 404) return;
      if (status !== 401 && (finding || status !== 503)) {
        journal.violate(`webhook ${route}: ${finding ?? `refused with ${status} ${text}`}`);
      }
    },
  });
  stack.defer(() => webhookRelay.close());
  const spelling = random.pick(['native', 'neutral'] as const);
  const simulators = await openSimulators({ folder, webhookRelay: webhookRelay.url, spelling });
  stack.defer(() => simulators.close());
  return { webhookRelay, simulators };
};

type Sending = { chooseServer: () => Server; onRequest: () => void; journal: Journal; isRestored: () => boolean };

/** A fetch function that sends each request to one of the servers and checks every refusal. */
const senderOf =
  ({ chooseServer, onRequest, journal, isRestored }: Sending) =>
  async (input: string, init?: RequestInit): Promise<Response> => {
    const server = chooseServer();
    onRequest();
    const answer = await fetch(input.replace(FRONT, server.url), init);
    // A restored server may not know a record that the client has.
    if (answer.status >= 400 && !(isRestored() && answer.status === 404)) {
      const finding = judge(answer.status, await answer.clone().text());
      if (finding) journal.violate(`${init?.method ?? 'GET'} ${input.slice(FRONT.length)}: ${finding}`);
    }
    return answer;
  };

type Send = ReturnType<typeof senderOf>;

type NewKey = { readonly marketplaceId: string; readonly scopes: Scope[] };

/** Money that is credited by hand is not at the payment provider, so its payouts need float. */
const FLOAT = { amount: '1000000.00', currency: 'USD' } as const;

const clientOf = (send: Send, apiKey: string): Holdfast =>
  new Holdfast({ url: FRONT, apiKey, fetch: send as typeof fetch, maxRetries: 5, timeoutMs: 30_000 });

/** Creates keys, each with a client that uses it. */
const keyOpenerOf = (send: Send) => {
  const clientWith = (apiKey: string): Holdfast => clientOf(send, apiKey);
  return async (of: NewKey): Promise<{ marketplaceId: string; key: string; client: Holdfast }> => {
    const { key } = await clientWith(MASTER_KEY).keys.create({ name: 'simulation', ...of });
    return { marketplaceId: of.marketplaceId, key, client: clientWith(key) };
  };
};

/** A key, a client and float for each marketplace. */
const openPlaces = (count: number, { openKey, send }: { openKey: ReturnType<typeof keyOpenerOf>; send: Send }) =>
  Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const place = await openKey({ marketplaceId: `mkt_sim${number + 1}`, scopes: ['*'] });
      await clientOf(send, MASTER_KEY).marketplaces.allotFloat(place.marketplaceId, FLOAT);
      return place;
    }),
  );

type Copied = { copy(): Promise<void>; restore(): Promise<void> };

/** The copy of the database, and whether it has replaced the database. */
const openCopies = (database: Copied, servers: readonly Server[]) => {
  let copiedAt = '';
  let restored = false;
  return {
    isRestored: (): boolean => restored,
    async copy(): Promise<void> {
      copiedAt = new Date().toISOString();
      await database.copy();
    },
    async restore(): Promise<void> {
      await database.restore();
      restored = true;
      for (const { dataDir } of servers) await markRestored(dataDir, copiedAt);
    },
  };
};

export const openEnvironment = async (plan: Plan, { journal }: { journal: Journal }) => {
  await using stack = new AsyncDisposableStack();
  const { folder, database, pool, reconciler } = await openStorage(plan, stack);
  const { connection } = database;
  const random = randomOf(plan.seed, 'environment');
  const servers: Server[] = [];
  const nextServer = inTurn(servers);
  const copies = openCopies(database, servers);
  const { isRestored } = copies;
  const { webhookRelay, simulators } = await openOutside({ random, folder, nextServer, journal, isRestored }, stack);

  const deadlineClock = openDeadlineClock(servers, { masterKey: MASTER_KEY, journal });
  const start = starterOf({ connection, env: settingsOf(simulators, plan), onStart: deadlineClock.follow });
  stack.defer(() => endServers(servers));
  for (let number = 0; number < plan.processes; number++) {
    servers.push(await prepareServer(plan, { folder, connection }));
  }
  await Promise.all(servers.map(start));
  const kills = openKills({ journal, servers, start, simulators, database });
  // While no server is running, the address of a killed server refuses the connection, as for any other client.
  const chooseServer = (): Server => nextServer() ?? servers[0]!;
  const send = withRequestIds(senderOf({ chooseServer, onRequest: kills.onRequest, journal, isRestored }));
  const openKey = keyOpenerOf(send);
  const places = await openPlaces(plan.places, { openKey, send });
  const archives = openArchives({ plan, connection, folder, journal, places });
  const kept = stack.move();
  return {
    plan,
    journal,
    pool,
    places,
    simulators,
    webhookRelay,
    archives,
    deadlineClock,
    ...kills,
    openKey,
    master: clientOf(send, MASTER_KEY),

    /** Copies the database, with everything that is under way. */
    copyDatabase: (): Promise<void> => whileStopped(servers, { start, work: copies.copy }),
    /** Replaces the database by its copy, as the restore of a backup does. */
    restore: (): Promise<void> => whileStopped(servers, { start, work: copies.restore }),
    /** Starts all servers again: at a start they do what otherwise waits for its time. */
    restartAll: (): Promise<void> => whileStopped(servers, { start, work: async () => {} }),
    /** Of the servers that are running now. */
    serverUrls: (): string[] => servers.filter(({ program }) => program?.isAlive()).map(({ url }) => url),
    sql: async (text: string, values: unknown[] = []): Promise<Any[]> => (await pool.query(text, values)).rows,

    /** Requests a page of a server, as a browser does. A server that is being killed does not answer. */
    async browse(url: string): Promise<void> {
      const answer = await send(url, { redirect: 'manual' }).catch(() => null);
      await answer?.body?.cancel();
    },

    /** Requests a reconciliation. Has no effect while PostgreSQL is down. */
    reconcile: (): Promise<void> => reconciler.look().catch(() => {}),
    sweepFees: reconciler.sweepFees,

    /** Has ended top-ups polled now, as if their time had come. */
    async pollEnded(): Promise<void> {
      await pool.query(`update topups set next_look_at = now() where status in ('TOPUP_FAILED', 'TOPUP_CANCELED')`);
      await reconciler.pollTopups().catch(() => {});
    },

    /** How many reconciliations were requested, and how many completed. */
    async reconciliations(): Promise<{ asked: number; done: number }> {
      const done = `select count(*)::int as done from pgboss.job where name = 'reconcile' and state = 'completed'`;
      return { asked: reconciler.asked(), done: (await pool.query(done)).rows[0].done };
    },

    /** Errors of the servers' own logs. */
    said: (): string => servers.map(({ program }) => program?.said() ?? '').join('\n'),
    async close(): Promise<void> {
      // A process that is starting again needs the folder and the database.
      await kills.allRunning().catch(() => {});
      await kept.disposeAsync();
    },
  };
};
