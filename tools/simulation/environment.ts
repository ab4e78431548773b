// A whole environment for one seed: a database, the simulators, one or several servers as processes of their own, a post office between
// them, and a client of each marketplace that reaches whichever server is there. Servers that are killed come back.

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Holdfast } from '@holdfast/sdk';
import type pg from 'pg';
import { openPool } from '../../server/src/postgres/connection.ts';
import { judge } from './answers.ts';
import { type CommitProxy, openCommitProxy } from './commit-proxy.ts';
import { openEnvironmentDatabase } from './database.ts';
import type { Journal } from './journal.ts';
import type { Kill, Plan } from './plan.ts';
import { type Program, SERVER, startProgram } from './programs.ts';
import { randomOf } from './random.ts';
import { openReconciler } from './reconciler.ts';
import { retryUntil } from './retry.ts';
import { type Any, openSimulators, SECRETS, type Simulators } from './simulators.ts';
import { openWebhookRelay } from './webhook-relay.ts';

const MASTER_KEY = 'master_of-the-simulation-0123456789abcdef';

/** Where a client believes the service to be; each attempt goes to one of the servers. */
const FRONT = 'http://holdfast';

const settingsOf = ({ facts }: Simulators, { depositPollS }: Plan): Record<string, string> => ({
  SANDBOX: 'off',
  PORT: '0',
  LOG_LEVEL: 'error',
  MASTER_KEY,
  RATE_LIMIT_MAX: '10000000',
  JWT_SECRET: 'a-secret-of-the-simulation-0123456789abcdef',
  WALLET_KEK: `1:${createHash('sha256').update('wallets of the simulation').digest('base64')}`,
  ESCROW_PROVIDER_URL: facts.urls.escrow,
  LEDGER_URL: facts.urls.ledger,
  PAYMENT_PROVIDER_URL: facts.urls.payment,
  ESCROW_FACTORY_SINGLE: facts.factories['single-release']!,
  ESCROW_FACTORY_MULTI: facts.factories['multi-release']!,
  ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
  PAYMENT_PROVIDER_RATE_PER_SECOND: '0',
  PAYMENT_WEBHOOK_SECRET: SECRETS.payment,
  ESCROW_WEBHOOK_SECRET: SECRETS.escrow,
  PROVIDER_TIMEOUT_MS: '3000',
  OPERATION_WAIT_MS: '9000',
  DEPOSIT_POLL_S: String(depositPollS),
  PUBLIC_URL: FRONT,
});

type Server = {
  readonly dataDir: string;
  readonly commitProxy: CommitProxy | null;
  program: Program | null;
  url: string;
};

export type Environment = Awaited<ReturnType<typeof openEnvironment>>;

export const openEnvironment = async (plan: Plan, { journal }: { journal: Journal }) => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-simulation-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const database = await openEnvironmentDatabase({ own: plan.hasOwnDatabase });
  stack.defer(() => database.drop());
  const { connection } = database;
  const pool: pg.Pool = openPool(connection, { max: 4, onError() {} });
  stack.defer(() => pool.end());
  const reconciler = openReconciler(connection);
  stack.defer(() => reconciler.close());

  const random = randomOf(plan.seed, 'environment');
  const servers: Server[] = [];
  const alive = (): Server[] => servers.filter(({ program }) => program?.isAlive());
  let turn = 0;
  const nextServer = (): Server | null => {
    const open = alive();
    return open[turn++ % Math.max(open.length, 1)] ?? null;
  };

  const webhookRelay = await openWebhookRelay({
    random: random.fork('webhook relay'),
    server: () => nextServer()?.url ?? null,
    onRefusal({ path: way }, { status, text }) {
      // A forged signature is one of the simulators' faults, an old letter may have lost its freshness, and a server whose
      // database is away asks the sender to try again.
      const finding = judge(status, text);
      if (status !== 401 && (finding || status !== 503)) {
        journal.violate(`webhook ${way}: ${finding ?? `refused with ${status} ${text}`}`);
      }
    },
  });
  stack.defer(() => webhookRelay.close());
  const spelling = random.pick(['native', 'neutral'] as const);
  const simulators = await openSimulators({ folder, webhookRelay: webhookRelay.url, spelling });
  stack.defer(() => simulators.close());

  const env = settingsOf(simulators, plan);
  const { host, port, user, database: name } = connection;
  const direct = `postgres:///${name}?${new URLSearchParams({ host, user, port: String(port) })}`;
  const start = async (server: Server): Promise<void> => {
    const DATABASE_URL = server.commitProxy
      ? `postgres://${user}@127.0.0.1:${server.commitProxy.port}/${name}`
      : direct;
    const how = { file: SERVER, folder: server.dataDir, ready: /API\s+(http:\S+)\/api\/v1/ };
    const program = await startProgram({ ...how, env: { ...env, DATA_DIR: server.dataDir, DATABASE_URL } });
    server.url = program.ready;
    server.program = program;
  };
  stack.defer(async () => {
    for (const { program, commitProxy } of servers) {
      await program?.kill();
      commitProxy?.close();
    }
  });
  for (let number = 0; number < plan.processes; number++) {
    const commitProxy = plan.hasCrashes ? await openCommitProxy({ host, port }) : null;
    servers.push({ dataDir: await mkdtemp(path.join(folder, 'server-')), commitProxy, program: null, url: FRONT });
  }
  await Promise.all(servers.map(start));

  /** Of calls that clients have sent, the one at which PostgreSQL is killed. */
  let sent = 0;
  let databaseKill = null as { at: number; strike(): void } | null;

  /** Goes to one of the servers, and looks at every refusal. */
  const send = async (input: string, init?: RequestInit): Promise<Response> => {
    // While there is none, the last one's address refuses, as it would with any other client.
    const server = nextServer() ?? servers[0]!;
    if (++sent === databaseKill?.at) databaseKill.strike();
    const answer = await fetch(input.replace(FRONT, server.url), init);
    if (answer.status >= 400) {
      const finding = judge(answer.status, await answer.clone().text());
      if (finding) journal.violate(`${init?.method ?? 'GET'} ${input.slice(FRONT.length)}: ${finding}`);
    }
    return answer;
  };
  const clientWith = (apiKey: string): Holdfast =>
    new Holdfast({ url: FRONT, apiKey, fetch: send as typeof fetch, maxRetries: 5, timeoutMs: 30_000 });

  const places = await Promise.all(
    Array.from({ length: plan.places }, async (_, number) => {
      const marketplaceId = `mkt_sim${number + 1}`;
      const { key } = await clientWith(MASTER_KEY).keys.create({ name: 'simulation', scopes: ['*'], marketplaceId });
      return { marketplaceId, client: clientWith(key) };
    }),
  );

  let open = 0;
  const counts = { servers: 0, simulatorSets: 0, databases: 0 };
  const comeBack = async (what: keyof typeof counts, work: () => Promise<void>): Promise<void> => {
    open++;
    counts[what]++;
    try {
      await work();
    } catch (error) {
      journal.violate(`${what} did not come back: ${error instanceof Error ? error.message : error}`);
    } finally {
      open--;
    }
  };
  const killServer = (which: number): void => {
    const server = servers[which]!;
    journal.note({ tag: '-', call: `kill server ${which}`, outcome: 'acknowledged', told: '' });
    void comeBack('servers', async () => {
      await server.program?.kill();
      await start(server);
    });
  };

  const kept = stack.move();
  return {
    plan,
    journal,
    pool,
    places,
    simulators,
    webhookRelay,
    counts,
    sql: async (text: string, values: unknown[] = []): Promise<Any[]> => (await pool.query(text, values)).rows,

    /** A page of a server, as a browser asks for it; one that is just being killed shows none. */
    async browse(url: string): Promise<void> {
      const answer = await send(url, { redirect: 'manual' }).catch(() => null);
      await answer?.body?.cancel();
    },

    arm(kills: readonly Kill[]): void {
      for (const kill of kills) {
        if (kill.what === 'server') {
          const { which, at, when } = kill;
          servers[which]?.commitProxy?.arm({ at, when }, () => killServer(which));
        } else if (kill.what === 'database') {
          const strike = (): void => {
            journal.note({ tag: '-', call: 'kill PostgreSQL', outcome: 'acknowledged', told: '' });
            void comeBack('databases', database.killNow);
          };
          databaseKill = { at: sent + kill.at, strike };
        } else {
          simulators.armKill(kill.at, () => {
            journal.note({ tag: '-', call: 'kill the simulators', outcome: 'acknowledged', told: '' });
            void comeBack('simulatorSets', simulators.killNow);
          });
        }
      }
    },

    /** Requests a reconciliation. Has no effect while PostgreSQL is down. */
    reconcile: (): Promise<void> => reconciler.look().catch(() => {}),

    /** How often reconciliation was asked for, and how often it was done for that. */
    async reconciliations(): Promise<{ asked: number; done: number }> {
      const done = `select count(*)::int as done from pgboss.job where name = 'reconcile' and state = 'completed'`;
      return { asked: reconciler.asked(), done: (await pool.query(done)).rows[0].done };
    },

    /** A server that starts looks at everything at once that otherwise has its hour. */
    async restart(which: number): Promise<void> {
      killServer(which);
      await retryUntil(() => open === 0, 'it is there again');
    },

    /** Kills no more processes, and waits until all of them run again. */
    async disarm(): Promise<void> {
      for (const { commitProxy } of servers) commitProxy?.disarm();
      simulators.disarm();
      databaseKill = null;
      await retryUntil(() => open === 0, 'everybody is there again');
    },

    /** Errors of the servers' own logs. */
    said: (): string => servers.map(({ program }) => program?.said() ?? '').join('\n'),
    async close(): Promise<void> {
      // One that is just coming back would come back to nothing.
      await retryUntil(() => open === 0, 'everybody is there again').catch(() => {});
      await kept.disposeAsync();
    },
  };
};
